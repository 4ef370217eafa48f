import ModemModel

@testable import EAPAKA

extension Rule {
  /// The attributes of an answer: encrypted ones, then `more`.
  private static func answer(
    _ method: EAPMethod = .aka, counter: UInt16 = 1, tooSmall: Bool = false, more: [UInt8] = [],
    subtype: AKASubtype = .reauthentication
  ) -> Answer {
    let event: EAPReply.Event = subtype == .notification ? .notification : .reauthentication
    guard let keys = try? Login.again(method).fast else { return .end(.unknown) }
    var inner = AttributeText()
    var message = AKAMessage(subtype)
    do {
      try inner.add(.counter, counter)
      if tooSmall { try inner.add(.counterTooSmall) }
      try message.addEncrypted(inner, keys: keys.session, vector: [UInt8](0x40..<0x50))
    } catch {
      return .end(.unknown)
    }
    // Behind EAP's head and the type.
    return .protected(event, Array(message.packet(method, identifier: 0).dropFirst(5)) + more)
  }

  /// Pseudonyms and AKA-Reauthentication (RFC 4187, 4.1 and 5).
  static let reauthentications: [Rule] = [
    Rule("AKA-Reauthentication", answer()) {
      $0 = try .again(.aka)
      try $0.reauthenticate()
    },
    Rule("AKA-Reauthentication", .akaPrime, answer(.akaPrime)) {
      $0 = try .again(.akaPrime)
      try $0.reauthenticate()
    },
    Rule("a greater counter", answer(counter: 40)) {
      $0 = try .again(.aka, counter: 3)
      try $0.reauthenticate(counter: 40)
    },
    Rule("the greatest counter", answer(counter: .max)) {
      $0 = try .again(.aka, counter: 3)
      try $0.reauthenticate(counter: .max)
    },
    Rule("a counter that is too small", answer(counter: 2, tooSmall: true)) {
      $0 = try .again(.aka, counter: 3)
      try $0.reauthenticate(counter: 2)
    },
    Rule("a counter that is too small", .akaPrime, answer(.akaPrime, counter: 2, tooSmall: true)) {
      $0 = try .again(.akaPrime, counter: 3)
      try $0.reauthenticate(counter: 2)
    },
    Rule("a challenge after a counter that was too small", .protected(.response, .res), cards: 1) {
      $0 = try .again(.aka, counter: 3)
      try $0.reauthenticate(counter: 2)
      try $0.challenge()
    },
    Rule("AKA-Reauthentication again after that", .clientError(.unexpected(.reauthentication))) {
      $0 = try .again(.aka, counter: 3)
      try $0.reauthenticate(counter: 2)
      try $0.reauthenticate(counter: 3)
    },
    Rule("AT_CHECKCODE and AT_RESULT_IND", answer(more: [134, 1, 0, 0, 135, 1, 0, 0])) {
      $0 = try .again(.aka)
      try $0.reauthenticate { draft in
        try draft.add(.checkcode)
        try draft.add(.resultIndication)
      }
    },
    Rule("another AT_CHECKCODE", .clientError(.checkcode)) {
      $0 = try .again(.aka)
      try $0.identify(.anyIdentityRequest)
      try $0.reauthenticate { draft in try draft.add(.checkcode) }
    },
    Rule("another AT_MAC", .clientError(.mac)) {
      $0 = try .again(.aka)
      try $0.reauthenticate(damage: { $0[$0.count - 1] ^= 1 })
    },
    Rule("no AT_MAC", .clientError(.missingAttribute(.mac))) {
      $0 = try .again(.aka)
      try $0.reauthenticate { draft in draft.remove(.mac) }
    },
    Rule("no AT_IV", .clientError(.missingAttribute(.vector))) {
      $0 = try .again(.aka)
      try $0.reauthenticate { draft in draft.remove(.vector) }
    },
    Rule("AT_RAND in it", .clientError(.misplacedAttribute(1))) {
      $0 = try .again(.aka)
      try $0.reauthenticate { draft in try draft.add(.rand, [UInt8](repeating: 0, count: 16)) }
    },
    Rule("no AT_COUNTER", .clientError(.missingAttribute(.counter))) {
      $0 = try .again(.aka)
      try $0.reauthenticate(inside: { inner in inner.remove(.counter) })
    },
    Rule("no AT_NONCE_S", .clientError(.missingAttribute(.nonce))) {
      $0 = try .again(.aka)
      try $0.reauthenticate(inside: { inner in inner.remove(.nonce) })
    },
    Rule("a pseudonym inside", answer()) {
      $0 = try .again(.aka)
      try $0.reauthenticate(inside: { inner in try inner.add(.nextPseudonym, [0x32]) })
    },
    Rule("what must be understood inside", .clientError(.unknownAttribute(99))) {
      $0 = try .again(.aka)
      try $0.reauthenticate(inside: { inner in inner.attributes.append([99, 1, 0, 0]) })
    },
    Rule("padding with bits", .clientError(.attributeLength(6))) {
      $0 = try .again(.aka)
      try $0.reauthenticate(inside: { inner in inner.attributes.append([6, 2, 0, 0, 0, 0, 0, 1]) })
    },
    Rule("padding that is not last", .clientError(.attributeLength(6))) {
      $0 = try .again(.aka)
      try $0.reauthenticate(inside: { inner in inner.attributes.insert([6, 2, 0, 0, 0, 0, 0, 0], at: 0) })
    },
    Rule("padding of a whole block", .clientError(.attributeLength(6))) {
      $0 = try .again(.aka)
      try $0.reauthenticate(inside: { inner in
        inner.attributes.append([6, 6] + [UInt8](repeating: 0, count: 22))
      })
    },
    Rule("no identity for it", .clientError(.unexpected(.reauthentication))) {
      $0 = try .again(.aka, hasFast: false)
      try $0.reauthenticate()
    },
    Rule("after another identity was sent", .clientError(.unexpected(.reauthentication))) {
      $0 = try .again(.aka)
      try $0.identify(.permanentIdentityRequest)
      try $0.reauthenticate()
    },
    Rule("after the challenge", .clientError(.unexpected(.reauthentication)), cards: 1) {
      $0 = try .again(.aka)
      try $0.challenge()
      try $0.reauthenticate()
    },
    Rule("where it is switched off", .clientError(.unexpected(.reauthentication))) {
      let again = try Login.again(.aka)
      $0 = Login(.aka, kept: again.peer.offered)
      $0.fast = again.fast
      try $0.reauthenticate()
    },
    Rule("without random bytes", .clientError(.library)) {
      $0 = try .again(.aka, random: [1, 2, 3])
      try $0.reauthenticate()
    },
    Rule("success after it", .end(.success)) {
      $0 = try .again(.aka)
      try $0.reauthenticate()
      try $0.send([3, 1, 0, 4])
    },
    Rule("the notification that was agreed", answer(subtype: .notification)) {
      $0 = try .again(.aka)
      try $0.reauthenticate { draft in try draft.add(.resultIndication) }
      try $0.notify(32768, isProtected: true, counter: 1)
    },

    Rule("any identity: the one for re-authentication", sent(Login.fastIdentity)) {
      $0 = try .again(.aka)
      try $0.identify(.anyIdentityRequest)
    },
    Rule("any identity: the pseudonym", sent(Login.pseudonym)) {
      $0 = try .again(.aka, hasFast: false)
      try $0.identify(.anyIdentityRequest)
    },
    Rule("one for full authentication: the pseudonym", sent(Login.pseudonym)) {
      $0 = try .again(.aka)
      try $0.identify(.fullAuthenticationIdentityRequest)
    },
    Rule("one for full authentication without a pseudonym", sent(Subscriber.identity(.aka))) {
      $0 = try .again(.aka, hasPseudonym: false)
      try $0.identify(.fullAuthenticationIdentityRequest)
    },
    Rule("the permanent one, with a pseudonym", sent(Subscriber.identity(.aka))) {
      $0 = try .again(.aka)
      try $0.identify(.permanentIdentityRequest)
    },
    Rule("EAP-Request/Identity: the one for re-authentication", .identity(Login.fastIdentity)) {
      $0 = try .again(.aka)
      try $0.send([1, 9, 0, 5, 1])
    },
    Rule("a challenge with the identity for re-authentication", .protected(.response, .res), cards: 1) {
      $0 = try .again(.aka)
      try $0.challenge()
    },
    Rule("a challenge with the pseudonym", .akaPrime, .protected(.response, .res), cards: 1) {
      $0 = try .again(.akaPrime)
      try $0.identify(.fullAuthenticationIdentityRequest)
      try $0.challenge()
    },
    Rule("malformed data in a challenge", .clientError(.attributeLength(132)), cards: 1) {
      $0 = try .again(.aka)
      try $0.challenge { draft, keys in
        var inner = Draft(.aka, .challenge)
        inner.attributes = [[132, 2, 0, 9, 0, 0, 0, 0]]
        try draft.add(encrypted: inner, keys.session)
      }
    },
    Rule("AT_ENCR_DATA without AT_IV", .clientError(.missingAttribute(.vector)), cards: 1) {
      $0 = try .again(.aka)
      try $0.challenge { draft, keys in
        var inner = Draft(.aka, .challenge)
        try inner.add(.nextPseudonym, [0x32])
        try draft.add(encrypted: inner, keys.session)
        draft.remove(.vector)
      }
    },
  ]
}

import ModemModel

@testable import EAPAKA

extension Rule {
  /// An answer to AKA-Identity.
  static func sent(_ identity: EAPIdentity) -> Answer {
    .plain(.identity, (try? .identity(identity)) ?? [])
  }

  /// AKA-Identity (RFC 4187, 4.1) and AT_CHECKCODE (10.13).
  static let identities: [Rule] = [
    Rule("any identity", sent(Subscriber.identity(.aka))) { try $0.identify(.anyIdentityRequest) },
    Rule("any identity", .akaPrime, sent(Subscriber.identity(.akaPrime))) { try $0.identify(.anyIdentityRequest) },
    Rule("one for full authentication", sent(Subscriber.identity(.aka))) {
      try $0.identify(.fullAuthenticationIdentityRequest)
    },
    Rule("the permanent one", sent(Subscriber.identity(.aka))) { try $0.identify(.permanentIdentityRequest) },
    Rule("any, then full authentication", sent(Subscriber.identity(.aka))) {
      try $0.identify(.anyIdentityRequest)
      try $0.identify(.fullAuthenticationIdentityRequest)
    },
    Rule("any, full authentication, permanent", sent(Subscriber.identity(.aka))) {
      try $0.identify(.anyIdentityRequest)
      try $0.identify(.fullAuthenticationIdentityRequest)
      try $0.identify(.permanentIdentityRequest)
    },
    Rule("full authentication, then any", .clientError(.identityOrder)) {
      try $0.identify(.fullAuthenticationIdentityRequest)
      try $0.identify(.anyIdentityRequest)
    },
    Rule("permanent, then any", .clientError(.identityOrder)) {
      try $0.identify(.permanentIdentityRequest)
      try $0.identify(.anyIdentityRequest)
    },
    Rule("permanent twice", .clientError(.identityOrder)) {
      try $0.identify(.permanentIdentityRequest)
      try $0.identify(.permanentIdentityRequest)
    },
    Rule("full authentication twice", .akaPrime, .clientError(.identityOrder)) {
      try $0.identify(.fullAuthenticationIdentityRequest)
      try $0.identify(.fullAuthenticationIdentityRequest)
    },
    Rule("no kind", .clientError(.identityRequests)) { try $0.identify() },
    Rule("two kinds at once", .clientError(.identityRequests)) {
      try $0.identify(.anyIdentityRequest, .permanentIdentityRequest)
    },
    Rule("the same kind twice", .clientError(.doubledAttribute(13))) {
      try $0.identify(.anyIdentityRequest, .anyIdentityRequest)
    },
    Rule("AT_MAC in AKA-Identity", .clientError(.misplacedAttribute(11))) {
      var draft = Draft(.aka, .identity)
      try draft.add(.anyIdentityRequest)
      try draft.add(.mac, [UInt8](repeating: 0, count: 16))
      try $0.send(draft)
    },
    Rule("AT_IDENTITY of a server", .clientError(.misplacedAttribute(14))) {
      var draft = Draft(.aka, .identity)
      try draft.add(.anyIdentityRequest)
      try draft.add(.identity, [0x30])
      try $0.send(draft)
    },
    Rule("a request of two words", .clientError(.attributeLength(13))) {
      var draft = Draft(.aka, .identity)
      draft.attributes = [[13, 2, 0, 0, 0, 0, 0, 0]]
      try $0.send(draft)
    },
    Rule("AKA-Identity after the challenge", .clientError(.unexpected(.identity)), cards: 1) {
      try $0.challenge()
      try $0.identify(.permanentIdentityRequest)
    },
    Rule("AKA-Identity after AUTS", .clientError(.unexpected(.identity)), cards: 1) {
      try $0.challenge(card: .isOutOfStep)
      try $0.identify(.permanentIdentityRequest)
    },
    Rule("AKA-Identity after a refusal", .clientError(.unexpected(.identity))) {
      try $0.identify()
      try $0.identify(.permanentIdentityRequest)
    },

    Rule("a challenge after AKA-Identity", .protected(.response, .res), cards: 1) {
      try $0.identify(.anyIdentityRequest)
      try $0.challenge()
    },
    Rule("an empty AT_CHECKCODE without a round", .protected(.response, .res + [134, 1, 0, 0]), cards: 1) {
      try $0.challenge { draft, _ in try draft.add(.checkcode) }
    },
    Rule("an empty AT_CHECKCODE after a round", .clientError(.checkcode)) {
      try $0.identify(.anyIdentityRequest)
      try $0.challenge { draft, _ in try draft.add(.checkcode) }
    },
    Rule("an AT_CHECKCODE without a round", .clientError(.checkcode)) {
      try $0.challenge { draft, _ in try draft.add(.checkcode, [UInt8](repeating: 0, count: 20)) }
    },
    Rule("another AT_CHECKCODE", .clientError(.checkcode)) {
      try $0.identify(.anyIdentityRequest)
      var code = try $0.peer.rounds.checkcode(.aka)
      code[19] ^= 1
      try $0.challenge { [code] draft, _ in try draft.add(.checkcode, code) }
    },
    Rule("AT_CHECKCODE with SHA-256 in EAP-AKA", .clientError(.checkcode)) {
      try $0.identify(.anyIdentityRequest)
      let code = try $0.peer.rounds.checkcode(.akaPrime)
      try $0.challenge { draft, _ in try draft.add(.checkcode, code) }
    },
    Rule("AT_CHECKCODE with SHA-1 in EAP-AKA′", .akaPrime, .clientError(.checkcode)) {
      try $0.identify(.anyIdentityRequest)
      let code = try $0.peer.rounds.checkcode(.aka)
      try $0.challenge { draft, _ in try draft.add(.checkcode, code) }
    },
    Rule("AT_CHECKCODE of no digest's length", .clientError(.attributeLength(134))) {
      try $0.challenge { draft, _ in try draft.add(.checkcode, [UInt8](repeating: 0, count: 16)) }
    },
    Rule("AT_CHECKCODE of the first of two rounds", .clientError(.checkcode)) {
      try $0.identify(.anyIdentityRequest)
      let code = try $0.peer.rounds.checkcode(.aka)
      try $0.identify(.permanentIdentityRequest)
      try $0.challenge { draft, _ in try draft.add(.checkcode, code) }
    },
    Rule("an AKA-Identity again counts once", .protected(.response, .res + checkcode), cards: 1) {
      try $0.identify(.anyIdentityRequest)
      try $0.send($0.request)
      try $0.challenge { draft, _ in try draft.add(.checkcode, Array(checkcode.dropFirst(4))) }
    },
  ]

  /// After one AKA-Identity for any identity, with the identifier 1.
  private static let checkcode: [UInt8] = {
    let request: [UInt8] = [1, 1, 0, 12, 23, 5, 0, 0, 13, 1, 0, 0]
    let data = (try? [UInt8].identity(Subscriber.identity(.aka))) ?? []
    let digest = try? Libcrypto.digest(.sha1, WipedBytes(request + EAPPacket.composed(2, 1, type: 23, data)))
    return [134, 6, 0, 0] + (digest?.revealed ?? [])
  }()
}

import ModemModel

@testable import EAPAKA

extension Rule {
  /// EAP's own packets (RFC 3748) and the head of AKA's.
  static let packets: [Rule] = [
    Rule("nothing", .silence(.length)) { try $0.send([]) },
    Rule("one byte", .silence(.length)) { try $0.send([1]) },
    Rule("a request without a length", .clientError(.length)) { try $0.send([1, 9]) },
    Rule("a request without a type", .clientError(.length)) { try $0.send([1, 9, 0, 4]) },
    Rule("a length that is too short", .clientError(.length)) { try $0.send([1, 9, 0, 11, 23, 5, 0, 0, 13, 1, 0, 0]) },
    Rule("a length that is too long", .clientError(.length)) { try $0.send([1, 9, 0, 13, 23, 5, 0, 0, 13, 1, 0, 0]) },
    Rule("a length of zero", .clientError(.length)) { try $0.send([1, 9, 0, 0, 23, 5, 0, 0, 13, 1, 0, 0]) },
    Rule("as long as a packet may be", .nak(.otherMethod(21, .aka))) {
      try $0.send([1, 9, 0x10, 0, 21] + [UInt8](repeating: 0, count: 4091))
    },
    Rule("one byte longer", .clientError(.tooLong)) {
      try $0.send([1, 9, 0x10, 1, 21] + [UInt8](repeating: 0, count: 4092))
    },
    Rule("another peer's response", .silence(.code(2))) { try $0.send([2, 9, 0, 5, 1]) },
    Rule("code 0", .silence(.code(0))) { try $0.send([0, 9, 0, 5, 1]) },
    Rule("code 5", .silence(.code(5))) { try $0.send([5, 9, 0, 5, 1]) },
    Rule("success with a body", .silence(.length)) { try $0.send([3, 9, 0, 5, 0]) },

    Rule("EAP-Request/Identity", .identity(Subscriber.identity(.aka))) { try $0.send([1, 9, 0, 5, 1]) },
    Rule("EAP-Request/Identity", .akaPrime, .identity(Subscriber.identity(.akaPrime))) {
      try $0.send([1, 9, 0, 5, 1])
    },
    Rule("EAP-Request/Identity with a text", .identity(Subscriber.identity(.aka))) {
      try $0.send([1, 9, 0, 7, 1, 72, 105])
    },
    Rule("EAP-Request/Identity twice", .identity(Subscriber.identity(.aka))) {
      try $0.send([1, 9, 0, 5, 1])
      try $0.send([1, 10, 0, 5, 1])
    },
    Rule("EAP-Request/Identity after AKA-Identity", .clientError(.unexpectedIdentityRequest)) {
      try $0.identify(.anyIdentityRequest)
      try $0.send([1, 9, 0, 5, 1])
    },
    Rule("EAP-Request/Identity after the challenge", .clientError(.unexpectedIdentityRequest), cards: 1) {
      try $0.challenge()
      try $0.send([1, 9, 0, 5, 1])
    },
    Rule("an identity that fits into no packet", .clientError(.identityLength)) {
      $0 = Login(.aka) { $0.permanent = EAPIdentity(String(repeating: "0", count: 513)) }
      try $0.send([1, 9, 0, 5, 1])
    },
    Rule("an identity as long as it may be", .identity(EAPIdentity(String(repeating: "0", count: 512)))) {
      $0 = Login(.aka) { $0.permanent = EAPIdentity(String(repeating: "0", count: 512)) }
      try $0.send([1, 9, 0, 5, 1])
    },

    Rule("another method first", .nak(.otherMethod(18, .aka))) { try $0.send([1, 9, 0, 8, 18, 10, 0, 0]) },
    Rule("EAP-AKA′ first", .nak(.otherMethod(50, .aka))) { try $0.send([1, 9, 0, 8, 50, 1, 0, 0]) },
    Rule("EAP-AKA first", .akaPrime, .nak(.otherMethod(23, .akaPrime))) { try $0.send([1, 9, 0, 8, 23, 1, 0, 0]) },
    Rule("an expanded type", .nak(.otherMethod(254, .aka))) { try $0.send([1, 9, 0, 12, 254, 0, 0, 0, 0, 0, 0, 1]) },
    Rule("a Nak as a request", .nak(.otherMethod(3, .aka))) { try $0.send([1, 9, 0, 6, 3, 23]) },
    Rule("the right method after a Nak", .protected(.response, .res), cards: 1) {
      try $0.send([1, 9, 0, 8, 18, 10, 0, 0])
      try $0.challenge()
    },
    Rule("another method after AKA-Identity", .clientError(.changedMethod(18))) {
      try $0.identify(.anyIdentityRequest)
      try $0.send([1, 9, 0, 8, 18, 10, 0, 0])
    },
    Rule("another method after the challenge", .clientError(.changedMethod(50)), cards: 1) {
      try $0.challenge()
      try $0.send([1, 9, 0, 8, 50, 1, 0, 0])
    },

    Rule("a head that is cut", .clientError(.length)) { try $0.send([1, 9, 0, 7, 23, 1, 0]) },
    Rule("subtype 0", .clientError(.subtype(0))) { try $0.send([1, 9, 0, 8, 23, 0, 0, 0]) },
    Rule("EAP-SIM's start", .clientError(.subtype(10))) { try $0.send([1, 9, 0, 8, 23, 10, 0, 0]) },
    Rule("subtype 255", .akaPrime, .clientError(.subtype(255))) { try $0.send([1, 9, 0, 8, 50, 255, 0, 0]) },
    Rule("a peer's reject", .clientError(.unexpected(.authenticationReject))) {
      try $0.send([1, 9, 0, 8, 23, 2, 0, 0])
    },
    Rule("a peer's synchronisation", .clientError(.unexpected(.synchronizationFailure))) {
      try $0.send([1, 9, 0, 8, 23, 4, 0, 0])
    },
    Rule("a peer's error", .clientError(.unexpected(.clientError))) { try $0.send([1, 9, 0, 8, 23, 14, 0, 0]) },
    Rule("reserved bytes with bits", sent(Subscriber.identity(.aka))) {
      try $0.send([1, 9, 0, 12, 23, 5, 0xff, 0xff, 13, 1, 0xff, 0xff])
    },
  ]

  /// Packets that come twice, and how many may come.
  static let repetitions: [Rule] = [
    Rule("the same AKA-Identity again", .again) {
      try $0.identify(.anyIdentityRequest)
      try $0.send($0.request)
    },
    Rule("the same challenge again", .again, cards: 1) {
      try $0.challenge()
      try $0.send($0.request)
    },
    Rule("the same challenge again, after AUTS", .again, cards: 1) {
      try $0.challenge(card: .isOutOfStep)
      try $0.send($0.request)
    },
    Rule("the same challenge again, after a reject", .again, cards: 1) {
      try $0.challenge(card: .refuses)
      try $0.send($0.request)
    },
    Rule("the same malformed packet again", .again) {
      try $0.send([1, 9, 0, 8, 23, 0, 0, 0])
      try $0.send($0.request)
    },
    Rule("the same success again", .again, cards: 1) {
      try $0.challenge()
      try $0.send([3, $0.identifier - 1, 0, 4])
      try $0.send($0.request)
    },
    Rule("the same packets without end cost nothing", .again) {
      try $0.identify(.anyIdentityRequest)
      for _ in 0..<100 { try $0.send($0.request) }
    },
    Rule("the same packet with another identifier", .clientError(.identityOrder)) {
      try $0.identify(.anyIdentityRequest)
      try $0.identify(.anyIdentityRequest)
    },
    Rule("eight requests", .identity(Subscriber.identity(.aka))) {
      for number in 1...8 { try $0.send([1, UInt8(number), 0, 5, 1]) }
    },
    Rule("nine requests", .clientError(.tooManyMessages)) {
      for number in 1...9 { try $0.send([1, UInt8(number), 0, 5, 1]) }
    },
    Rule("malformed requests count", .clientError(.tooManyMessages)) {
      for number in 1...4 { try $0.send([1, UInt8(number), 0, 8, 23, 0, 0, 0]) }
      for number in 5...8 { try $0.send([1, UInt8(number), 0, 0]) }
      try $0.send([1, 9, 0, 5, 2])
    },
    Rule("a challenge as the ninth request", .clientError(.tooManyMessages)) {
      for number in 1...8 { try $0.send([1, UInt8(number), 0, 5, 1]) }
      try $0.challenge()
    },
    Rule("a thousand requests", .clientError(.tooManyMessages)) {
      for number in 1...1000 { try $0.send([1, UInt8(number & 0xff), 0, 5, 1]) }
    },
    Rule("every round that a login may have", .akaPrime, .protected(.notification, [12, 0, 0]), cards: 2) {
      try $0.send([1, 0, 0, 5, 1])
      try $0.identify(.anyIdentityRequest)
      try $0.identify(.fullAuthenticationIdentityRequest)
      try $0.identify(.permanentIdentityRequest)
      try $0.challenge { draft, _ in try draft.offer([2, 1]) }
      try $0.challenge(card: .isOutOfStep) { draft, _ in try draft.offer([1, 2, 1]) }
      try $0.challenge(sequence: 0x21) { draft, _ in try draft.offer([1, 2, 1]) }
      try $0.notify(32768, isProtected: true)
    },
  ]
}

extension Draft {
  /// Another list of AT_KDF.
  mutating func offer(_ numbers: [UInt16]) throws {
    remove(.keyDerivation)
    for number in numbers { try add(.keyDerivation, number) }
  }
}

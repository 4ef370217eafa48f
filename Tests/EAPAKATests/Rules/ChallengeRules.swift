import Milenage
import ModemModel

@testable import EAPAKA

extension Rule {
  /// AKA-Challenge (RFC 4187, 3 and 9.3).
  static let challenges: [Rule] = [
    Rule("a challenge", .protected(.response, .res), cards: 1) { try $0.challenge() },
    Rule("a challenge", .akaPrime, .protected(.response, .res), cards: 1) { try $0.challenge() },
    Rule("RES of 4 bytes", .protected(.response, .ofLength(4)), cards: 1) { try $0.challenge(card: .answers(4)) },
    Rule("RES of 5 bytes", .protected(.response, .ofLength(5)), cards: 1) { try $0.challenge(card: .answers(5)) },
    Rule("RES of 7 bytes", .protected(.response, .ofLength(7)), cards: 1) { try $0.challenge(card: .answers(7)) },
    Rule("RES of 16 bytes", .protected(.response, .ofLength(16)), cards: 1) { try $0.challenge(card: .answers(16)) },
    Rule("RES of 15 bytes", .akaPrime, .protected(.response, .ofLength(15)), cards: 1) {
      try $0.challenge(card: .answers(15))
    },
    Rule("identifier 255", .protected(.response, .res), cards: 1) {
      $0.identifier = 255
      try $0.challenge()
    },
    Rule("a separation bit that is clear means nothing in EAP-AKA", .protected(.response, .res), cards: 1) {
      try $0.challenge(amf: [0, 0])
    },

    Rule("the card refuses", .reject(.card), cards: 1) { try $0.challenge(card: .refuses) },
    Rule("the card refuses", .akaPrime, .reject(.card), cards: 1) { try $0.challenge(card: .refuses) },
    Rule("another card than the server's", .clientError(.mac), cards: 1) { try $0.challenge(card: .hasOtherKeys) },
    Rule("another card than the server's", .akaPrime, .clientError(.mac), cards: 1) {
      try $0.challenge(card: .hasOtherKeys)
    },
    Rule("the first bit of AT_MAC", .clientError(.mac), cards: 1) {
      try $0.challenge(damage: { $0[$0.count - 16] ^= 0x80 })
    },
    Rule("the last bit of AT_MAC", .clientError(.mac), cards: 1) {
      try $0.challenge(damage: { $0[$0.count - 1] ^= 1 })
    },
    Rule("the last bit of AT_MAC", .akaPrime, .clientError(.mac), cards: 1) {
      try $0.challenge(damage: { $0[$0.count - 1] ^= 1 })
    },
    Rule("AT_MAC of zeros", .clientError(.mac), cards: 1) {
      try $0.challenge(damage: { $0.replaceSubrange(($0.count - 16)..., with: [UInt8](repeating: 0, count: 16)) })
    },
    Rule("another identifier than the code is for", .clientError(.mac), cards: 1) {
      try $0.challenge(damage: { $0[1] ^= 1 })
    },
    Rule("a reserved byte that the code is not for", .clientError(.mac), cards: 1) {
      try $0.challenge(damage: { $0[6] = 1 })
    },
    Rule("an attribute added on the way", .clientError(.mac), cards: 1) {
      try $0.challenge(damage: {
        $0 += [135, 1, 0, 0]
        $0[3] += 4
      })
    },
    Rule("the code of another identity", .clientError(.mac), cards: 1) {
      let identity = Array("0001010123456064@\(Subscriber.realm)".utf8)
      var challenge = try Challenge(.aka)
      let response = try Login.response(challenge.vector)
      let keys = try LoginKeys(identity: identity, ck: response.ck, ik: response.ik)
      try challenge.draft.add(.resultIndication)
      try $0.send(try challenge.draft.packet(identifier: 1, keys.session), card: .answers(8))
    },
    Rule("a failure after AT_MAC was wrong", .end(.failure), cards: 1) {
      try $0.challenge(damage: { $0[$0.count - 1] ^= 1 })
      try $0.send([4, 1, 0, 4])
    },
    Rule("a right challenge after AT_MAC was wrong", .clientError(.unexpected(.challenge)), cards: 1) {
      try $0.challenge(damage: { $0[$0.count - 1] ^= 1 })
      try $0.challenge(sequence: 0x21)
    },
    Rule("a challenge after a reject", .clientError(.unexpected(.challenge)), cards: 1) {
      try $0.challenge(card: .refuses)
      try $0.challenge(sequence: 0x21)
    },
    Rule("a challenge after the answer", .clientError(.unexpected(.challenge)), cards: 1) {
      try $0.challenge()
      try $0.challenge(sequence: 0x21)
    },

    Rule("AUTS", .plain(.synchronisation, .auts), cards: 1) { try $0.challenge(card: .isOutOfStep) },
    Rule("AUTS", .akaPrime, .plain(.synchronisation, .auts + [24, 1, 0, 1]), cards: 1) {
      try $0.challenge(card: .isOutOfStep)
    },
    Rule("AUTS before AT_MAC can be compared", .plain(.synchronisation, .auts), cards: 1) {
      try $0.challenge(card: .isOutOfStep, damage: { $0[$0.count - 1] ^= 1 })
    },
    Rule("a new challenge after AUTS", .protected(.response, .secondRes), cards: 2) {
      try $0.challenge(card: .isOutOfStep)
      try $0.challenge(sequence: 0x21)
    },
    Rule("a new challenge after AUTS", .akaPrime, .protected(.response, .secondRes), cards: 2) {
      try $0.challenge(card: .isOutOfStep)
      try $0.challenge(sequence: 0x21)
    },
    Rule("the same challenge after AUTS", .clientError(.repeatedChallenge), cards: 1) {
      try $0.challenge(card: .isOutOfStep)
      try $0.challenge()
    },
    Rule("AUTS twice", .clientError(.stillOutOfStep), cards: 2) {
      try $0.challenge(card: .isOutOfStep)
      try $0.challenge(card: .isOutOfStep, sequence: 0x21)
    },
    Rule("a third challenge", .clientError(.unexpected(.challenge)), cards: 2) {
      try $0.challenge(card: .isOutOfStep)
      try $0.challenge(card: .isOutOfStep, sequence: 0x21)
      try $0.challenge(sequence: 0x22)
    },
    Rule("the card refuses after AUTS", .reject(.card), cards: 2) {
      try $0.challenge(card: .isOutOfStep)
      try $0.challenge(card: .refuses, sequence: 0x21)
    },

    Rule("result indications", .protected(.response, .res + [135, 1, 0, 0]), cards: 1) {
      try $0.challenge { draft, _ in try draft.add(.resultIndication) }
    },
    Rule("checkcode and result indications", .protected(.response, .res + [134, 1, 0, 0, 135, 1, 0, 0]), cards: 1) {
      try $0.challenge { draft, _ in
        try draft.add(.resultIndication)
        try draft.add(.checkcode)
      }
    },
    Rule("AT_BIDDING without a preference", .protected(.response, .res), cards: 1) {
      try $0.challenge { draft, _ in try draft.add(.bidding, 0) }
    },
    Rule("AT_BIDDING with one, where EAP-AKA′ is off", .protected(.response, .res), cards: 1) {
      try $0.challenge { draft, _ in try draft.add(.bidding, 0x8000) }
    },
    Rule("AT_BIDDING with one, where it is on", .reject(.biddingDown), cards: 1) {
      $0 = Login(.aka) { $0.refusesBiddingDown = true }
      try $0.challenge { draft, _ in try draft.add(.bidding, 0x8000) }
    },
    Rule("AT_BIDDING with reserved bits alone", .protected(.response, .res), cards: 1) {
      $0 = Login(.aka) { $0.refusesBiddingDown = true }
      try $0.challenge { draft, _ in try draft.add(.bidding, 0x7fff) }
    },
    Rule("AT_BIDDING that somebody added", .clientError(.mac), cards: 1) {
      $0 = Login(.aka) { $0.refusesBiddingDown = true }
      try $0.challenge(damage: {
        $0 += [136, 1, 0x80, 0]
        $0[3] += 4
      })
    },
    Rule("AT_BIDDING in EAP-AKA′", .akaPrime, .protected(.response, .res), cards: 1) {
      $0 = Login(.akaPrime) { $0.refusesBiddingDown = true }
      try $0.challenge { draft, _ in try draft.add(.bidding, 0x8000) }
    },
    Rule("what is encrypted is not read where it is not used", .protected(.response, .res), cards: 1) {
      try $0.challenge { draft, _ in
        try draft.add(.vector, [UInt8](repeating: 0, count: 16))
        try draft.add(.encryptedData, [UInt8](repeating: 0, count: 32))
      }
    },
  ]

  /// What EAP-AKA′ adds (RFC 9048, 3).
  static let prime: [Rule] = [
    Rule("no AT_KDF_INPUT", .akaPrime, .reject(.noNetworkName)) {
      try $0.challenge { draft, _ in draft.remove(.keyDerivationInput) }
    },
    Rule("an empty AT_KDF_INPUT", .akaPrime, .reject(.noNetworkName)) {
      try $0.challenge { draft, _ in try draft.set(.keyDerivationInput, []) }
    },
    Rule("AT_KDF_INPUT longer than itself", .akaPrime, .clientError(.attributeLength(23))) {
      try $0.challenge { draft, _ in try draft.replace(.keyDerivationInput, [23, 2, 0, 5, 87, 76, 65, 78]) }
    },
    Rule("AT_KDF_INPUT with a word too many", .akaPrime, .clientError(.attributeLength(23))) {
      try $0.challenge { draft, _ in try draft.replace(.keyDerivationInput, [23, 3, 0, 4, 87, 76, 65, 78, 0, 0, 0, 0]) }
    },
    Rule("the configured name", .akaPrime, .protected(.response, .res), cards: 1) {
      $0 = Login(.akaPrime) { $0.networkName = "WLAN" }
      try $0.challenge()
    },
    Rule("another name than the configured one", .akaPrime, .reject(.otherNetworkName)) {
      $0 = Login(.akaPrime) { $0.networkName = "HRPD" }
      try $0.challenge()
    },
    Rule("a configured name with more fields", .akaPrime, .protected(.response, .res), cards: 1) {
      $0 = Login(.akaPrime) { $0.networkName = "WLAN:operator" }
      try $0.challenge()
    },
    Rule("a name with more fields than the configured one", .akaPrime, .clientError(.mac), cards: 1) {
      // The keys of this server are for the shorter name: the fields count for them.
      $0 = Login(.akaPrime) { $0.networkName = "WLAN" }
      try $0.challenge { draft, _ in try draft.set(.keyDerivationInput, Array("WLAN:operator".utf8)) }
    },
    Rule("a name that begins like the configured one", .akaPrime, .reject(.otherNetworkName)) {
      $0 = Login(.akaPrime) { $0.networkName = "WLA" }
      try $0.challenge()
    },
    Rule("another name than the keys are for", .akaPrime, .clientError(.mac), cards: 1) {
      try $0.challenge { draft, _ in try draft.set(.keyDerivationInput, Array("HRPD".utf8)) }
    },
    Rule("a separation bit that is clear", .akaPrime, .reject(.noSeparation)) { try $0.challenge(amf: [0x7f, 0xff]) },
    Rule("a separation bit alone", .akaPrime, .protected(.response, .res), cards: 1) {
      try $0.challenge(amf: [0x80, 0])
    },

    Rule("no AT_KDF", .akaPrime, .reject(.noKeyDerivation)) { try $0.challenge { draft, _ in try draft.offer([]) } },
    Rule("an unknown key derivation alone", .akaPrime, .reject(.noKeyDerivation)) {
      try $0.challenge { draft, _ in try draft.offer([2]) }
    },
    Rule("the known one first", .akaPrime, .protected(.response, .res), cards: 1) {
      try $0.challenge { draft, _ in try draft.offer([1, 2, 3]) }
    },
    Rule("the known one behind others", .akaPrime, .plain(.synchronisation, [1, 0, 0, 24, 1, 0, 1])) {
      try $0.challenge { draft, _ in try draft.offer([2, 3, 1]) }
    },
    Rule("the same one twice", .akaPrime, .reject(.changedKeyDerivation)) {
      try $0.challenge { draft, _ in try draft.offer([1, 1]) }
    },
    Rule("another one twice", .akaPrime, .reject(.changedKeyDerivation)) {
      try $0.challenge { draft, _ in try draft.offer([2, 1, 2]) }
    },
    Rule("the choice ahead of the same list", .akaPrime, .protected(.response, .res), cards: 1) {
      try $0.challenge { draft, _ in try draft.offer([2, 1]) }
      try $0.challenge { draft, _ in try draft.offer([1, 2, 1]) }
    },
    Rule("the choice alone", .akaPrime, .reject(.changedKeyDerivation)) {
      try $0.challenge { draft, _ in try draft.offer([2, 1]) }
      try $0.challenge { draft, _ in try draft.offer([1]) }
    },
    Rule("the choice ahead of a shorter list", .akaPrime, .reject(.changedKeyDerivation)) {
      try $0.challenge { draft, _ in try draft.offer([3, 2, 1]) }
      try $0.challenge { draft, _ in try draft.offer([1, 2, 1]) }
    },
    Rule("the choice ahead of another order", .akaPrime, .reject(.changedKeyDerivation)) {
      try $0.challenge { draft, _ in try draft.offer([3, 2, 1]) }
      try $0.challenge { draft, _ in try draft.offer([1, 2, 3, 1]) }
    },
    Rule("the same list again", .akaPrime, .reject(.changedKeyDerivation)) {
      try $0.challenge { draft, _ in try draft.offer([2, 1]) }
      try $0.challenge(sequence: 0x21) { draft, _ in try draft.offer([2, 1]) }
    },
    Rule("AKA-Identity after the choice", .akaPrime, .clientError(.unexpected(.identity))) {
      try $0.challenge { draft, _ in try draft.offer([2, 1]) }
      try $0.identify(.anyIdentityRequest)
    },
    Rule(
      "AUTS repeats the whole list", .akaPrime, .plain(.synchronisation, .auts + [24, 1, 0, 1, 24, 1, 0, 2]), cards: 1
    ) {
      try $0.challenge(card: .isOutOfStep) { draft, _ in try draft.offer([1, 2]) }
    },
    Rule("AUTS after the choice", .akaPrime, .protected(.response, .secondRes), cards: 2) {
      try $0.challenge { draft, _ in try draft.offer([2, 1]) }
      try $0.challenge(card: .isOutOfStep) { draft, _ in try draft.offer([1, 2, 1]) }
      try $0.challenge(sequence: 0x21) { draft, _ in try draft.offer([1, 2, 1]) }
    },
    Rule("another list after AUTS and the choice", .akaPrime, .reject(.changedKeyDerivation), cards: 1) {
      try $0.challenge { draft, _ in try draft.offer([2, 1]) }
      try $0.challenge(card: .isOutOfStep) { draft, _ in try draft.offer([1, 2, 1]) }
      try $0.challenge(sequence: 0x21) { draft, _ in try draft.offer([1]) }
    },
  ]
}

extension [UInt8] {
  /// The attributes of a Synchronization-Failure.
  fileprivate static let auts = [AKASubtype.synchronizationFailure.rawValue, 0, 0, 4, 4] + Subscriber.auts

  fileprivate static func ofLength(_ count: Int) -> [UInt8] {
    let whole = Subscriber.milenage.f2(rand: [UInt8](repeating: 0x20, count: 16)) + [UInt8](repeating: 0xee, count: 8)
    return res(Array(whole.prefix(count)))
  }
}

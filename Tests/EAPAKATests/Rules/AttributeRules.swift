import ModemModel

@testable import EAPAKA

extension Rule {
  /// Attributes of any message (RFC 4187, 8.1 and 10).
  static let attributes: [Rule] = [
    Rule("an attribute that must be understood", .clientError(.unknownAttribute(127))) {
      try $0.challenge { draft, _ in draft.attributes.append([127, 1, 0, 0]) }
    },
    Rule("EAP-SIM's nonce", .clientError(.unknownAttribute(7))) {
      try $0.challenge { draft, _ in draft.attributes.insert([7, 1, 0, 0], at: 0) }
    },
    Rule("an attribute that may be skipped", .protected(.response, .res), cards: 1) {
      try $0.challenge { draft, _ in draft.attributes.insert([128, 1, 9, 9], at: 0) }
    },
    Rule("attribute 255 behind AT_MAC", .protected(.response, .res), cards: 1) {
      try $0.challenge { draft, _ in draft.attributes.append([255, 2, 1, 2, 3, 4, 5, 6]) }
    },
    Rule("an attribute of forward secrecy (RFC 9678)", .akaPrime, .protected(.response, .res), cards: 1) {
      try $0.challenge { draft, _ in draft.attributes.append([152, 9] + [UInt8](repeating: 7, count: 34)) }
    },
    Rule("attributes in another order", .protected(.response, .res), cards: 1) {
      try $0.challenge { draft, _ in draft.attributes.reverse() }
    },
    Rule("reserved bytes with bits in attributes", .protected(.response, .res), cards: 1) {
      try $0.challenge { draft, _ in
        for place in draft.attributes.indices { draft.attributes[place][2...3] = [0xff, 0xff] }
      }
    },
    Rule("a length of zero", .clientError(.attributeLength(128))) {
      try $0.challenge { draft, _ in draft.attributes.append([128, 0, 0, 0]) }
    },
    Rule("a length past the end", .clientError(.attributeLength(128))) {
      try $0.challenge { draft, _ in draft.attributes.append([128, 2, 0, 0]) }
    },
    Rule("bytes behind the last attribute", .clientError(.attributeLength(128))) {
      try $0.challenge { draft, _ in draft.attributes.append([128, 1]) }
    },
    Rule("one byte behind the last attribute", .clientError(.attributeLength(1))) {
      try $0.challenge { draft, _ in draft.attributes.append([1]) }
    },
    Rule("AT_RAND of 12 bytes", .clientError(.attributeLength(1))) {
      try $0.challenge { draft, _ in try draft.replace(.rand, [1, 4] + [UInt8](repeating: 0, count: 14)) }
    },
    Rule("AT_RAND of 20 bytes", .clientError(.attributeLength(1))) {
      try $0.challenge { draft, _ in try draft.replace(.rand, [1, 6] + [UInt8](repeating: 0, count: 22)) }
    },
    Rule("AT_AUTN of 12 bytes", .clientError(.attributeLength(2))) {
      try $0.challenge { draft, _ in try draft.replace(.autn, [2, 4] + [UInt8](repeating: 0, count: 14)) }
    },
    Rule("AT_MAC of 12 bytes", .clientError(.attributeLength(11))) {
      try $0.challenge { draft, _ in try draft.replace(.mac, [11, 4] + [UInt8](repeating: 0, count: 14)) }
    },
    Rule("AT_RESULT_IND with a content", .clientError(.attributeLength(135))) {
      try $0.challenge { draft, _ in draft.attributes.append([135, 2, 0, 0, 0, 0, 0, 0]) }
    },
    Rule("AT_BIDDING with more than a number", .clientError(.attributeLength(136))) {
      try $0.challenge { draft, _ in draft.attributes.append([136, 2, 0, 0, 0, 0, 0, 0]) }
    },
    Rule("AT_ENCR_DATA of half a block", .clientError(.attributeLength(130))) {
      try $0.challenge { draft, _ in draft.attributes.append([130, 3] + [UInt8](repeating: 0, count: 10)) }
    },
    Rule("AT_ENCR_DATA of nothing", .clientError(.attributeLength(130))) {
      try $0.challenge { draft, _ in draft.attributes.append([130, 1, 0, 0]) }
    },
    Rule("AT_RAND twice", .clientError(.doubledAttribute(1))) {
      try $0.challenge { draft, _ in draft.attributes.append(draft.attributes[0]) }
    },
    Rule("AT_MAC twice", .clientError(.doubledAttribute(11))) {
      try $0.challenge { draft, _ in try draft.add(.mac, [UInt8](repeating: 0, count: 16)) }
    },
    Rule("AT_CHECKCODE twice", .clientError(.doubledAttribute(134))) {
      try $0.challenge { draft, _ in
        try draft.add(.checkcode)
        try draft.add(.checkcode)
      }
    },
    Rule("no AT_RAND", .clientError(.missingAttribute(.rand))) { try $0.challenge { draft, _ in draft.remove(.rand) } },
    Rule("no AT_AUTN", .clientError(.missingAttribute(.autn))) { try $0.challenge { draft, _ in draft.remove(.autn) } },
    Rule("no AT_MAC", .clientError(.missingAttribute(.mac))) { try $0.challenge { draft, _ in draft.remove(.mac) } },
    Rule("no AT_MAC", .akaPrime, .clientError(.missingAttribute(.mac))) {
      try $0.challenge { draft, _ in draft.remove(.mac) }
    },
    Rule("AT_RES of a server", .clientError(.misplacedAttribute(3))) {
      try $0.challenge { draft, _ in try draft.add(.res, [1, 2, 3, 4]) }
    },
    Rule("AT_AUTS of a server", .clientError(.misplacedAttribute(4))) {
      try $0.challenge { draft, _ in try draft.add(.auts, Subscriber.auts) }
    },
    Rule("AT_PADDING outside of what is encrypted", .clientError(.misplacedAttribute(6))) {
      try $0.challenge { draft, _ in try draft.add(.padding, [0, 0]) }
    },
    Rule("a request for an identity in a challenge", .clientError(.misplacedAttribute(10))) {
      try $0.challenge { draft, _ in try draft.add(.permanentIdentityRequest) }
    },
    Rule("AT_COUNTER in the clear", .clientError(.misplacedAttribute(19))) {
      try $0.challenge { draft, _ in try draft.add(.counter, 1) }
    },
    Rule("AT_KDF in EAP-AKA", .clientError(.misplacedAttribute(24))) {
      try $0.challenge { draft, _ in try draft.add(.keyDerivation, 1) }
    },
    Rule("AT_KDF_INPUT in EAP-AKA", .clientError(.misplacedAttribute(23))) {
      try $0.challenge { draft, _ in try draft.add(.keyDerivationInput, [1]) }
    },
    Rule("a pseudonym in the clear is skipped", .protected(.response, .res), cards: 1) {
      try $0.challenge { draft, _ in try draft.add(.nextPseudonym, [0x32]) }
    },
  ]
}

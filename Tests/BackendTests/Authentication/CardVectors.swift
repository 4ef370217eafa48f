import JSONTree
import ModemModel
import Testing
import VectorSupport

/// The messages of one section of TS.43's vectors.
struct CardVectors {
  private let section: JSONValue

  /// A test that needs a section is skipped without it.
  static func has(_ section: String) -> Bool { TS43Vectors.has(section) }

  init(_ section: String) throws { self.section = try #require(TS43Vectors.section(section)) }

  /// The bytes under a name, or under names of objects that lead to it.
  func callAsFunction(_ path: String...) throws -> [UInt8] {
    let place = path.dropLast().reduce(Optional(section)) { value, name in value?[name] }
    return try #require(place?.bytes(path.last ?? ""), "\(path)")
  }

  /// The challenge in a message: RAND and AUTN, each behind its length.
  static func challenge(in message: [UInt8]) throws -> AKAChallenge {
    let start = try #require(
      message.indices.first { index in
        message.count >= index + 34 && message[index] == 16 && message[index + 17] == 16
      })
    return try #require(
      AKAChallenge(rand: Array(message[start + 1...start + 16]), autn: Array(message[start + 18...start + 33])))
  }

  /// What a card's data says, read from its places: a second reading beside the backend's.
  static func meaning(of data: [UInt8]) throws -> AKAAnswer {
    if data.first == 0xdc { return .synchronise(try #require(AUTS(data.dropFirst(2)))) }
    let keys = 2 + Int(data[1])
    return .response(
      try #require(
        AKAResponse(
          res: WipedBytes(data[2..<keys]), ck: WipedBytes(data[keys + 1...keys + 16]),
          ik: WipedBytes(data[keys + 18...keys + 33]))))
  }
}

/// A challenge, and what a card answers that knows it.
enum Known {
  static let rand = octets("000102030405060708090a0b0c0d0e0f")
  static let autn = octets("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0")
  static let challenge = AKAChallenge(rand: rand, autn: autn)!
  static let res = octets("28d7b0f2a2ec3de5")
  static let ck = octets("5349fbe098649f948f5d2e973a81c00f")
  static let ik = octets("9744871ad32bf9bbd1dd5ce54e3e2e5a")
  static let auts = octets("7172737475767778797a7b7c7d7e")
  static let response = answer(res: res)
  static let synchronise = AKAAnswer.synchronise(AUTS(auts)!)
  /// The identifier of the USIM.
  static let usim = octets("a0000000871002ff44ff128900000100")

  static func answer(res: [UInt8]) -> AKAAnswer {
    .response(AKAResponse(res: WipedBytes(res), ck: WipedBytes(ck), ik: WipedBytes(ik))!)
  }

  /// A card's answer: RES, CK and IK behind the tag.
  static func success(res: [UInt8] = res, ck: [UInt8] = ck, ik: [UInt8] = ik, kc: [UInt8]? = nil) -> [UInt8] {
    [0xdb] + [res, ck, ik, kc].compactMap(\.self).flatMap { [UInt8($0.count)] + $0 }
  }

  static let outOfStep = [0xdc, UInt8(auts.count)] + auts
}

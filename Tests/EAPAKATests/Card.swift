import EAPAKA
import JSONTree
import Milenage
import ModemModel
import Testing
import VectorSupport

/// Cards of vectors and of tests.
enum Card {
  /// A card of a section: from its `res`, `ck` and `ik`.
  static func response(of value: JSONValue) throws -> AKAResponse {
    let parts = try ["res", "ck", "ik"].map { WipedBytes(try #require(value.bytes($0))) }
    return try #require(AKAResponse(res: parts[0], ck: parts[1], ik: parts[2]))
  }

  /// What a USIM answers to AUTHENTICATE (3GPP TS 31.102, 7.1.2): DB with RES, CK, IK, or DC with
  /// AUTS.
  static func answer(_ bytes: [UInt8]) throws -> AKAAnswer {
    var rest = bytes.dropFirst()
    var parts: [WipedBytes] = []
    while let count = rest.popFirst() {
      parts.append(WipedBytes(rest.prefix(Int(count))))
      rest = rest.dropFirst(Int(count))
    }
    if bytes.first == 0xdc {
      let auts = try #require(parts.first).revealed
      return .synchronise(try #require(AUTS(auts)))
    }
    try #require(parts.count >= 3)
    return .response(try #require(AKAResponse(res: parts[0], ck: parts[1], ik: parts[2])))
  }

  /// A card of a simulated subscriber.
  ///
  /// - Parameter resCount: bytes of RES.
  static func answer(_ milenage: Milenage, _ challenge: AKAChallenge, resCount: Int = 8) throws -> AKAAnswer {
    guard milenage.open(autn: challenge.autn, rand: challenge.rand).isAuthentic else { return .refused }
    return .response(try response(milenage, challenge, resCount: resCount))
  }

  static func response(_ milenage: Milenage, _ challenge: AKAChallenge, resCount: Int = 8) throws -> AKAResponse {
    let rand = challenge.rand
    return try #require(
      AKAResponse(
        res: WipedBytes(milenage.f2(rand: rand).prefix(resCount)), ck: WipedBytes(milenage.f3(rand: rand)),
        ik: WipedBytes(milenage.f4(rand: rand))))
  }

  /// The card of which the recordings tell: section `captured_from_hostapd_2_10`, `source`.
  static let recorded = Milenage(
    key: [0x51, 0x22, 0x25, 0x02, 0x14, 0xc3, 0x3e, 0x72, 0x3a, 0x5d, 0xd5, 0x23, 0xfc, 0x14, 0x5f, 0xc0],
    opc: [0x98, 0x1d, 0x46, 0x4c, 0x7c, 0x52, 0xeb, 0x6e, 0x50, 0x36, 0x23, 0x49, 0x84, 0xad, 0x0b, 0xcf])

  /// The card that a sentence names, as in `the card is K 51…, OPc 98…`; nil if it names none.
  static func named(in source: String?) -> Milenage? {
    func bytes(behind word: String) -> [UInt8]? {
      let rest = (source ?? "").split(separator: " \(word) ").dropFirst().first
      return rest.flatMap { Hexadecimal.bytes(of: $0.prefix(32)) }.flatMap { $0.count == 16 ? $0 : nil }
    }
    guard let key = bytes(behind: "K"), let opc = bytes(behind: "OPc") else { return nil }
    return Milenage(key: key, opc: opc)
  }
}

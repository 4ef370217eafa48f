import JSONTree
import ModemModel
import VectorSupport
import Testing

/// One set of 3GPP TS 35.208, and what follows from it. Everything is in hexadecimal.
struct MilenageSet: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let k, rand, sqn, amf, op, opc: String
  let f1, f1star, f2, f3, f4, f5, f5star: String
  let autn, auts, kc: String

  /// Nil where one of them is missing.
  private init?(_ member: TS43Vectors.Member) {
    func text(_ name: String) -> String? { member.value[name]?.string }
    guard let k = text("k"), let rand = text("rand"), let sqn = text("sqn"), let amf = text("amf"),
      let op = text("op"), let opc = text("opc"), let f1 = text("f1"), let f1star = text("f1star"),
      let f2 = text("f2"), let f3 = text("f3"), let f4 = text("f4"), let f5 = text("f5"),
      let f5star = text("f5star"), let autn = text("autn"), let auts = text("auts_for_sqn_ms_eq_sqn"),
      let kc = text("kc_c3")
    else { return nil }
    testDescription = member.name
    (self.k, self.rand, self.sqn, self.amf, self.op, self.opc) = (k, rand, sqn, amf, op, opc)
    (self.f1, self.f1star, self.f2, self.f3, self.f4, self.f5) = (f1, f1star, f2, f3, f4, f5)
    (self.f5star, self.autn, self.auts, self.kc) = (f5star, autn, auts, kc)
  }

  static let members = TS43Vectors.items("milenage_ts35208", "sets")
  /// None where the file has no such section.
  static let all = members.compactMap(Self.init)
}

/// Keys bound to a network's name (RFC 9048, annex D). Everything but the name is in hexadecimal.
struct BoundKeysCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let networkName: String
  let rand, autn, res, ck, ik: String
  let boundCK, boundIK: String

  /// Nil where one of them is missing.
  private init?(_ member: TS43Vectors.Member) {
    func text(_ name: String) -> String? { member.value[name]?.string }
    guard let networkName = text("network_name"), let rand = text("rand"), let autn = text("autn"),
      let res = text("res"), let ck = text("ck"), let ik = text("ik"), let boundCK = text("ck_prime"),
      let boundIK = text("ik_prime")
    else { return nil }
    testDescription = "\(member.name), \(networkName)"
    (self.networkName, self.rand, self.autn, self.res) = (networkName, rand, autn, res)
    (self.ck, self.ik, self.boundCK, self.boundIK) = (ck, ik, boundCK, boundIK)
  }

  static let members = TS43Vectors.items("eap_aka_prime_rfc9048", "cases")
  static let all = members.compactMap(Self.init)
}

func bytes(_ hexadecimal: String) throws -> [UInt8] {
  struct NotHexadecimal: Error { let text: String }
  guard let bytes = Hexadecimal.bytes(of: hexadecimal) else { throw NotHexadecimal(text: hexadecimal) }
  return bytes
}

func hex(_ bytes: [UInt8]) -> String { Hexadecimal.text(of: bytes) }

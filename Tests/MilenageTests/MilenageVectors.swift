import FoundationEssentials
import Glibc
import ModemModel
import Testing

/// One set of 3GPP TS 35.208, and what follows from it. Everything is in hexadecimal.
struct MilenageSet: Sendable, Decodable, CustomTestStringConvertible {
  let set: Int
  let k, rand, sqn, amf, op, opc: String
  let f1, f1star, f2, f3, f4, f5, f5star: String
  let autn: String
  let auts: String
  let kc: String

  enum CodingKeys: String, CodingKey {
    case set, k, rand, sqn, amf, op, opc, f1, f1star, f2, f3, f4, f5, f5star, autn
    case auts = "auts_for_sqn_ms_eq_sqn"
    case kc = "kc_c3"
  }

  var testDescription: String { "set \(set)" }

  /// None when the file has no such section.
  static let all = VectorFile.current.milenage_ts35208?.sets ?? []
}

/// Keys bound to a network's name (RFC 9048, annex D). Everything but the name is in hexadecimal.
struct BoundKeysCase: Sendable, Decodable, CustomTestStringConvertible {
  let label: String
  let networkName: String
  let rand, autn, res, ck, ik: String
  let boundCK: String
  let boundIK: String

  enum CodingKeys: String, CodingKey {
    case rand, autn, res, ck, ik
    case label = "case"
    case networkName = "network_name"
    case boundCK = "ck_prime"
    case boundIK = "ik_prime"
  }

  var testDescription: String { "case \(label), \(networkName)" }

  static let all = VectorFile.current.eap_aka_prime_rfc9048?.cases ?? []
}

/// A file of TS.43's vectors, as far as cards are concerned. It may lack any section.
struct VectorFile: Decodable {
  let milenage_ts35208: Sets?
  let eap_aka_prime_rfc9048: Cases?

  struct Sets: Decodable { let sets: [MilenageSet] }
  struct Cases: Decodable { let cases: [BoundKeysCase] }

  /// That of this repository, or the one that `MODEMD_TS43_VECTORS` names.
  static let current: VectorFile = {
    let repository = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file =
      getenv("MODEMD_TS43_VECTORS").map { String(cString: $0) } ?? "\(repository)/Tests/Vectors/ts43-vectors.json"
    do {
      let data = try Data(contentsOf: URL(filePath: file))
      return try JSONDecoder().decode(VectorFile.self, from: data)
    } catch {
      fatalError("\(file) is no file of vectors: \(error)")
    }
  }()
}

func bytes(_ hexadecimal: String) throws -> [UInt8] {
  struct NotHexadecimal: Error { let text: String }
  guard let bytes = Hexadecimal.bytes(of: hexadecimal) else { throw NotHexadecimal(text: hexadecimal) }
  return bytes
}

func hex(_ bytes: [UInt8]) -> String { Hexadecimal.text(of: bytes) }

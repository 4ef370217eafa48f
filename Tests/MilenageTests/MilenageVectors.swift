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

  /// Those of this repository, or of the file that `MODEMD_TS43_VECTORS` names; none when the file
  /// has no such section.
  static let all: [MilenageSet] = {
    let repository = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file =
      getenv("MODEMD_TS43_VECTORS").map { String(cString: $0) } ?? "\(repository)/Tests/Vectors/ts43-vectors.json"
    do {
      let data = try Data(contentsOf: URL(filePath: file))
      return try JSONDecoder().decode(File.self, from: data).milenage_ts35208?.sets ?? []
    } catch {
      fatalError("\(file) is no file of vectors: \(error)")
    }
  }()

  private struct File: Decodable {
    let milenage_ts35208: Section?

    struct Section: Decodable { let sets: [MilenageSet] }
  }
}

func bytes(_ hexadecimal: String) throws -> [UInt8] {
  struct NotHexadecimal: Error { let text: String }
  guard let bytes = Hexadecimal.bytes(of: hexadecimal) else { throw NotHexadecimal(text: hexadecimal) }
  return bytes
}

func hex(_ bytes: [UInt8]) -> String { Hexadecimal.text(of: bytes) }

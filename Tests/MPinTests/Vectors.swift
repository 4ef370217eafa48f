import FoundationEssentials
import Glibc
import ModemModel
import Testing

@testable import MPin

/// A file of M-Pin's vectors: everything in it is hexadecimal, the highest byte first. It may lack
/// any section.
struct Vectors: Sendable, Decodable {
  let curve: Curve?
  let mapToCurve: [Mapping]
  let cases: [Case]
  let sixDigitPin: [SixDigits]
  let miraclCore: [Core]

  struct Curve: Sendable, Decodable {
    let p: String
    let n: String
    let Gx: String
    let Gy: String
    let G2: Twist

    struct Twist: Sendable, Decodable {
      let xa: String
      let xb: String
      let ya: String
      let yb: String
    }
  }

  struct Mapping: Sendable, Decodable, CustomTestStringConvertible {
    let input: String
    let sha256: String
    let increments: Int
    let point: String
    var testDescription: String { input }
  }

  /// A registration and what followed.
  struct Case: Sendable, Decodable, CustomTestStringConvertible {
    let id: Int
    let mpinId: String
    let pin: String
    let ms1: String
    let ms2: String
    let serverSecretShare1: String?
    let serverSecretShare2: String?
    let serverSecret: String?
    let dvs: Keyed?
    let plain: Plain?
    var testDescription: String { "case \(id)" }

    enum CodingKeys: String, CodingKey {
      case id, pin, ms1, ms2, serverSecretShare1, serverSecretShare2, serverSecret, dvs, plain
      case mpinId = "mpinId_hex"
    }
  }

  /// With a key pair of the client's.
  struct Keyed: Sendable, Decodable {
    let z: String
    let publicKey: String
    let hash_input_hex: String
    let sha256: String
    let map_increments: Int
    let mapped: String
    let clientSecretShare1: String
    let clientSecretShare2: String
    let clientSecret: String
    let z_clientSecret: String
    let token: String
    let pass1: Pass1?
    let pass2: Pass2?
    let server_result: Int?
    let wrong_pin: WrongPIN?
    let signature: Signature?
  }

  /// M-Pin without one.
  struct Plain: Sendable, Decodable {
    let sha256: String
    let map_increments: Int
    let mapped: String
    let clientSecretShare1: String
    let clientSecretShare2: String
    let clientSecret: String
    let token: String
    let pass1: Pass1
    let pass2: Pass2
    let server_result: Int
  }

  struct Pass1: Sendable, Decodable {
    let x: String
    let SEC: String
    let U: String
  }

  struct Pass2: Sendable, Decodable {
    let y: String
    let V: String
  }

  struct WrongPIN: Sendable, Decodable {
    let pin: String
    let SEC: String
    let U: String
    let V: String
    let server_result: Int
  }

  struct Signature: Sendable, Decodable {
    let message: String
    let timestamp: UInt32
    let x: String
    let u: String
    let y: String
    let v: String
    let server_result: Int
  }

  /// Of the first case, with and without the cut that the vendor's SDKs make.
  struct SixDigits: Sendable, Decodable, CustomTestStringConvertible {
    let pin: String
    let token_full: String
    let token_mod10000: String
    let server_accepts_full_pin_token: Int
    var testDescription: String { pin }
  }

  /// Another library's: the same arithmetic on a point that is mapped in another way.
  struct Core: Sendable, Decodable, CustomTestStringConvertible {
    let hid: String
    let amcl_map_of_same_id: String
    let id: String
    let pin: Int
    let ms: String
    let clientSecret: String
    let serverSecret: String
    let token: String
    let x: String
    let U: String
    let y: String
    let SEC: String
    let V: String
    let server_result: Int
    var testDescription: String { "core, PIN \(pin)" }
  }

  enum CodingKeys: String, CodingKey {
    case curve, cases
    case mapToCurve = "map_to_curve"
    case sixDigitPin = "six_digit_pin"
    case miraclCore = "miracl_core"
  }

  init(from decoder: any Decoder) throws {
    let sections = try decoder.container(keyedBy: CodingKeys.self)
    curve = try sections.decodeIfPresent(Curve.self, forKey: .curve)
    mapToCurve = try sections.decodeIfPresent([Mapping].self, forKey: .mapToCurve) ?? []
    cases = try sections.decodeIfPresent([Case].self, forKey: .cases) ?? []
    sixDigitPin = try sections.decodeIfPresent([SixDigits].self, forKey: .sixDigitPin) ?? []
    miraclCore = try sections.decodeIfPresent([Core].self, forKey: .miraclCore) ?? []
  }

  /// The cases with a key pair of the client's, and what `has` says beside it.
  func keyed(_ has: (Keyed) -> Bool = { _ in true }) -> [Case] { cases.filter { $0.dvs.map(has) == true } }

  /// Those of this folder, or of the file that `MODEMD_MPIN_VECTORS` names.
  static let all: Vectors = {
    let file =
      getenv("MODEMD_MPIN_VECTORS").map { String(cString: $0) }
      ?? "\(#filePath.dropLast("Vectors.swift".utf8.count))Vectors/mpin-vectors.json"
    do {
      return try JSONDecoder().decode(Vectors.self, from: try Data(contentsOf: URL(filePath: file)))
    } catch {
      fatalError("\(file) is no file of M-Pin vectors: \(error)")
    }
  }()
}

/// What the vectors' server says to a right PIN; −19 is its word for a wrong one.
let accepted = 0

func bytes(_ hexadecimal: String) throws(MPinError) -> [UInt8] { try Hexadecimal.bytes(of: hexadecimal, "vector") }

func scalar(_ hexadecimal: String) throws(MPinError) -> Scalar { try Scalar(SecretBytes(bytes(hexadecimal))) }

func point(_ hexadecimal: String) throws(MPinError) -> CurvePoint { try G1Point(hex: hexadecimal).curvePoint() }

extension CurvePoint {
  var hex: String {
    get throws(MPinError) { Hexadecimal.text(of: try bytes("point").revealed) }
  }
}

extension TwistPoint {
  var hex: String {
    get throws(MPinError) { Hexadecimal.text(of: try bytes("point")) }
  }
}

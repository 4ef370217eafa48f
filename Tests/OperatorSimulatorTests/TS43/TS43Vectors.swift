import FoundationEssentials
import JSONTree
import ModemModel

/// The exchanges that an independent peer of EAP composed, as Tests/Vectors has them.
enum TS43Vectors {
  static let all: JSONValue = {
    let folder = String(#filePath).split(separator: "/").dropLast(3).joined(separator: "/")
    let data = (try? Data(contentsOf: URL(filePath: "/\(folder)/Vectors/ts43-vectors.json"))) ?? Data()
    return JSONValue(parsing: data) ?? .null
  }()

  static func bytes(_ value: JSONValue?) -> [UInt8] { value?.string.flatMap { Hexadecimal.bytes(of: $0) } ?? [] }
}

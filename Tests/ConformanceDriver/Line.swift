import FoundationEssentials
import Glibc
import ModemAPIClient

/// A line of the driver's output.
enum Line {
  static func print(_ call: Int, _ fields: [String: JSONValue]) {
    let line = JSONValue.object(fields.merging(["call": .int(call)]) { first, _ in first })
    guard let data = try? JSONEncoder().encode(line) else { fatalFault("a line is no JSON") }
    // One write: lines of calls at the same time do not mix.
    let bytes = Array(data) + [UInt8(ascii: "\n")]
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from json: JSONValue) throws -> Value {
    try JSONDecoder().decode(type, from: try JSONEncoder().encode(json))
  }

  static func json(_ value: some Encodable) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(value))
  }

  static func ending(_ error: any Error) -> [String: JSONValue] {
    switch error {
    case let error as VarlinkError:
      return ["error": .object(["name": .string(error.name), "parameters": error.parameters])]
    case VarlinkClientError.badReply: return ["end": .string("badReply")]
    case is VarlinkClientError: return ["end": .string("disconnected")]
    case is UnansweredQuestion: return ["end": .string("unanswered")]
    case is CallLimitExceeded: return ["end": .string("limit")]
    case is CancellationError: return ["end": .string("cancelled")]
    default: fatalFault("\(error)")
    }
  }
}

import FoundationEssentials
import Glibc
import ModemAPIClient

// The conformance suite's driver for the Swift client (clients/conformance/README.md).

/// What the suite asks for.
struct Order: Decodable {
  struct Call: Decodable {
    var method: String
    var parameters: JSONValue
    var more: Bool
    var answers: [String: Answers]?
    var cancelAfterReplies: Int?
    var limitMilliseconds: Int?
    /// `socket` or `stream`: what the method gives besides its reply.
    var takes: String?
    /// Sent over it before reading.
    var send: String?
    /// Sent over it after its end.
    var sendAtEnd: String?
  }

  var socket: String
  var calls: [Call]
  var together: Bool?
}

/// One answer each time, or one for each time and then none.
enum Answers: Decodable {
  case always(String)
  case inOrder([String])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self =
      if let text = try? container.decode(String.self) { .always(text) } else {
        .inOrder(try container.decode([String].self))
      }
  }
}

var bytes: [UInt8] = []
var chunk = [UInt8](repeating: 0, count: 65_536)
while case let count = read(0, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
let order = try JSONDecoder().decode(Order.self, from: Data(bytes))
let driver = Driver(socket: order.socket)
if order.together == true {
  await withTaskGroup { group in
    for (index, call) in order.calls.enumerated() { group.addTask { await driver.drive(call, index) } }
  }
} else {
  for (index, call) in order.calls.enumerated() { await driver.drive(call, index) }
}

import FuzzSupport
import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import HTTPExchange

/// First byte: how many bytes come at a time. The rest: what a server sends for one request.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzHTTPAnswer(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let step = Int(input.byte()) + 1
  let bytes = input.bytes
  let whole = answer(to: bytes, step: bytes.count + 1)
  let pieces = answer(to: bytes, step: step)
  if let whole, let pieces { promise(whole == pieces, "an answer depends on how its bytes come") }
  return 0
}

private struct Answer: Equatable {
  let status: Int
  let fields: [String]
  let body: [UInt8]
}

private let bodyLimit = 4096

/// The answer; nil when there is none, or an error.
private func answer(to bytes: [UInt8], step: Int) -> Answer? {
  let channel = EmbeddedChannel()
  let limit = AnswerLimit()
  let handler = ExchangeHandler(isTLS: false, limit: limit)
  guard let address = try? SocketAddress(ipAddress: "198.51.100.1", port: 80),
    (try? ExchangePipeline.add(limit, handler, to: channel.pipeline.syncOperations)) != nil
  else { fatalError("there is no pipeline") }
  channel.connect(to: address, promise: nil)
  let exchange = handler.send(
    HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["host": "a.example"]), body: nil,
    on: channel.eventLoop,
    limits: .init(handshakeBy: .now() + .seconds(10), read: .seconds(10), bodyBytes: bodyLimit))
  // An embedded channel has no other thread than this one.
  nonisolated(unsafe) var head: ExchangeHandler.Head?
  nonisolated(unsafe) var body: [UInt8]?
  exchange.head.whenSuccess { head = $0 }
  exchange.body.whenSuccess { body = $0 }
  for start in stride(from: 0, to: bytes.count, by: step) where channel.isActive {
    let part = ByteBuffer(bytes: bytes[start..<min(start + step, bytes.count)])
    guard (try? channel.writeInbound(part)) != nil else { break }
  }
  _ = try? channel.finish(acceptAlreadyClosed: true)
  guard let head, let body else { return nil }
  promise((200...999).contains(head.status), "status \(head.status)")
  promise(body.count <= bodyLimit, "a body of \(body.count) bytes")
  for field in head.headers {
    promise(field.value.utf8.allSatisfy { $0 != 13 && $0 != 10 && $0 != 0 }, "a field with the end of a line in it")
  }
  return Answer(status: head.status, fields: head.headers.map { "\($0.name): \($0.value)" }, body: body)
}

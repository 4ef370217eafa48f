import NIOCore

/// Passes each reply to the call that waits for it.
final class ReplyHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  enum Event: Sendable {
    case reply([UInt8], continues: Bool)
    case failure(any Error)
  }

  struct Waiter: Sendable {
    /// The called method.
    let method: String
    let receive: @Sendable (Event) -> Void
  }

  private var waiters: [Waiter] = []
  private var splitter = FrameSplitter(limit: 16 << 20)

  func await(_ waiter: Waiter) { waiters.append(waiter) }

  /// Whether no call waits and nothing of a message has come.
  var isIdle: Bool { waiters.isEmpty && splitter.waitingBytes == 0 }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    splitter.append(&bytes)
    do {
      while let frame = try splitter.next() { try deliver(frame) }
    } catch {
      fail { .badReply(method: $0.method) }
      context.close(promise: nil)
    }
  }

  private func deliver(_ frame: [UInt8]) throws {
    // Nobody called: the next call would take it for its own reply.
    guard let waiter = waiters.first else { throw Unasked() }
    // The reader of JSON would put other characters in the place of what is no UTF-8.
    _ = try UTF8Span(validating: frame.span)
    let header = try JSONCoding.decode(ReplyHeader.self, from: frame)
    let continues = header.continues ?? false
    if !continues { waiters.removeFirst() }
    if let name = header.error {
      let parameters = try JSONCoding.decode(ReplyBody<JSONValue?>.self, from: frame).parameters
      waiter.receive(
        .failure(VarlinkError(name: name, encodedParameters: JSONCoding.encode(parameters ?? .object([:])))))
    } else {
      waiter.receive(.reply(frame, continues: continues))
    }
  }

  private struct Unasked: Error {}

  func channelInactive(context: ChannelHandlerContext) { fail { _ in .disconnected } }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail { _ in .disconnected }
    context.close(promise: nil)
  }

  private func fail(_ error: (Waiter) -> VarlinkClientError) {
    let waiting = waiters
    waiters = []
    for waiter in waiting { waiter.receive(.failure(error(waiter))) }
  }
}

private struct ReplyHeader: Decodable {
  let error: String?
  let continues: Bool?
}

/// A reply's parameters; missing ones count as `{}`.
struct ReplyBody<Parameters: Decodable>: Decodable {
  let parameters: Parameters

  init(from decoder: any Decoder) throws {
    let body = try decoder.container(keyedBy: AnyKey.self)
    if body.contains("parameters") {
      parameters = try body.decode(Parameters.self, forKey: "parameters")
    } else {
      parameters = try JSONCoding.decode(Parameters.self, from: Array("{}".utf8))
    }
  }
}

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
    let header = try ReplyHeader.read(frame)
    let continues = header.continues ?? false
    if !continues { waiters.removeFirst() }
    if let error = try header.failure(in: frame) {
      waiter.receive(.failure(error))
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

struct ReplyHeader: Decodable {
  let error: String?
  let continues: Bool?

  /// The header of a reply, whose text must be UTF-8: the reader of JSON would put other characters
  /// in the place of what is not.
  static func read(_ frame: [UInt8]) throws -> ReplyHeader {
    _ = try UTF8Span(validating: frame.span)
    return try JSONCoding.decode(ReplyHeader.self, from: frame)
  }

  /// The error of a reply that is one; nil for another reply.
  func failure(in frame: [UInt8]) throws -> VarlinkError? {
    guard let error else { return nil }
    let parameters = try JSONCoding.decode(ReplyBody<JSONValue?>.self, from: frame).parameters
    return VarlinkError(name: error, encodedParameters: JSONCoding.encode(parameters ?? .object([:])))
  }
}

/// The one reply of a call that has its connection for itself.
enum OnlyReply {
  /// - Throws: `VarlinkError` that the service answered, `VarlinkClientError.badReply`.
  static func read<Method: VarlinkMethod>(_ frame: [UInt8], of method: Method.Type) throws -> Method.Reply {
    do {
      let header = try ReplyHeader.read(frame)
      guard header.continues != true else { throw VarlinkClientError.badReply(method: Method.name) }
      if let failure = try header.failure(in: frame) { throw failure }
      return try JSONCoding.decode(ReplyBody<Method.Reply>.self, from: frame).parameters
    } catch let error as VarlinkError {
      throw error
    } catch {
      throw VarlinkClientError.badReply(method: Method.name)
    }
  }
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

import NIOCore
import NIOHTTP1
import NetworkAddress
import Synchronization

/// Serves one connection: reads a request, asks the services in order, writes the answer.
final class HTTPService: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// The source of a request's origin.
  enum Origin {
    /// The connection itself.
    case connection(isSecure: Bool)
    /// A process of the same world, in headers.
    case forwarded
  }

  private static let connections = Atomic(0)

  /// Counts the connections of this process.
  private let number = HTTPService.connections.add(1, ordering: .relaxed).newValue
  private let origin: Origin
  private let connectionBehaviour: ConnectionBehaviour
  private let services: [any SimulatedService]
  private let log: RequestLog?
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var isTooLarge = false

  init(
    origin: Origin, connectionBehaviour: ConnectionBehaviour = ConnectionBehaviour(), services: [any SimulatedService],
    log: RequestLog? = nil
  ) {
    self.origin = origin
    self.connectionBehaviour = connectionBehaviour
    self.services = services
    self.log = log
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      (body, isTooLarge) = ([], false)
    case .body(let part):
      isTooLarge = isTooLarge || body.count + part.readableBytes > SimulatedRequest.maximumBody
      if !isTooLarge { body += part.readableBytesView }
    case .end:
      guard let head, let request = request(head, context) else { return context.close(promise: nil) }
      log?.record(request, connection: number)
      let keepAlive = head.isKeepAlive && connectionBehaviour.connections == .kept
      if isTooLarge {
        write(.problem(413, "a body may have 256 KiB"), keepAlive: false, context)
      } else {
        respond(to: request, keepAlive: keepAlive, context)
      }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func respond(to request: SimulatedRequest, keepAlive: Bool, _ context: ChannelHandlerContext) {
    let services = services
    let answer = context.eventLoop.makePromise(of: SimulatedResponse.self)
    answer.completeWithTask {
      for service in services {
        if let response = await service.answer(request) { return response }
      }
      return .problem(404, "nothing is served here")
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    answer.futureResult.whenSuccess { response in
      let (handler, context) = bound.value
      switch response.delivery {
      case .atOnce: handler.write(response, keepAlive: keepAlive, context)
      case .never: break
      case .hangUp: context.close(promise: nil)
      case .after(let milliseconds):
        context.eventLoop.scheduleTask(in: .milliseconds(Int64(milliseconds))) {
          let (handler, context) = bound.value
          handler.write(response, keepAlive: keepAlive, context)
        }
      }
    }
  }

  private func write(_ response: SimulatedResponse, keepAlive: Bool, _ context: ChannelHandlerContext) {
    var response = response
    if connectionBehaviour.writes == .nagle, response.body.isEmpty, (300...399).contains(response.status) {
      response.headers.append(.init(name: "Content-Type", value: "text/html"))
      response.body = "<!doctype html><title>Moved</title>"
    }
    var head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: response.status))
    for header in response.headers { head.headers.add(name: header.name, value: header.value) }
    head.headers.replaceOrAdd(name: "Content-Length", value: String(response.body.utf8.count))
    // As nginx and Apache say it.
    head.headers.add(name: "Connection", value: keepAlive ? "keep-alive" : "close")
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if connectionBehaviour.writes == .nagle { context.flush() }
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: response.body)))), promise: nil)
    let written = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    if !keepAlive {
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      written.whenComplete { _ in bound.value.close(promise: nil) }
    }
  }

  /// Nil if its origin is unknown.
  private func request(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> SimulatedRequest? {
    let target = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var headers: [String: String] = [:]
    for (name, value) in head.headers { headers[name.lowercased()] = value }
    let sender: ForwardedRequest.Sender?
    switch origin {
    case .connection(let isSecure):
      sender = context.remoteAddress.flatMap(Self.address).map { .init(address: $0, isSecure: isSecure) }
    case .forwarded: sender = ForwardedRequest.takeSender(from: &headers)
    }
    guard let sender else { return nil }
    let host = headers["host"].map { $0.split(separator: ":").first.map(String.init) ?? $0 } ?? ""
    return SimulatedRequest(
      method: head.method.rawValue, isSecure: sender.isSecure, host: host.lowercased(), path: String(target[0]),
      query: FormFields.parse(target.count > 1 ? target[1] : ""), headers: headers, body: body,
      source: sender.address, target: head.uri)
  }

  private static func address(_ socket: SocketAddress) -> IPAddress? { socket.ipAddress.flatMap { IPAddress($0) } }
}

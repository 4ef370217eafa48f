import NIOCore
import NIOHTTP1
import NIOPosix

/// Passes requests for some hosts to another process of the world, and returns its answers.
package struct ForwardingService: SimulatedService {
  private let hosts: Set<String>
  private let path: String
  private let group: any EventLoopGroup

  /// - Parameters:
  ///   - hosts: names in lower case.
  ///   - path: the Unix socket at which the other process takes forwarded requests.
  package init(hosts: Set<String>, to path: String, on group: any EventLoopGroup) {
    self.hosts = hosts
    self.path = path
    self.group = group
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    guard hosts.contains(request.host) else { return nil }
    let answer = group.next().makePromise(of: SimulatedResponse.self)
    do {
      let channel = try await ClientBootstrap(group: answer.futureResult.eventLoop)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHTTPClientHandlers()
            try pipeline.addHandler(AnswerReader(answer))
          }
        }
        .connect(unixDomainSocketPath: path).get()
      try await channel.writeRequest(Self.head(request), request.body)
    } catch {
      answer.succeed(.problem(502, "the process of this host does not answer"))
    }
    // The other process may hang up instead.
    return (try? await answer.futureResult.get()) ?? SimulatedResponse(status: 502).delivered(.hangUp)
  }

  private static func head(_ request: SimulatedRequest) -> HTTPRequestHead {
    var head = HTTPRequestHead(version: .http1_1, method: .init(rawValue: request.method), uri: request.target)
    for (name, value) in request.headers where !["connection", "transfer-encoding", "expect"].contains(name) {
      head.headers.add(name: name, value: value)
    }
    for (name, value) in ForwardedRequest.headers(request) { head.headers.replaceOrAdd(name: name, value: value) }
    head.headers.replaceOrAdd(name: "Content-Length", value: String(request.body.count))
    head.headers.add(name: "Connection", value: "close")
    return head
  }
}

extension Channel {
  fileprivate func writeRequest(_ head: HTTPRequestHead, _ body: [UInt8]) async throws {
    try await eventLoop.flatSubmit {
      self.write(HTTPClientRequestPart.head(head), promise: nil)
      self.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
      return self.writeAndFlush(HTTPClientRequestPart.end(nil))
    }.get()
  }
}

/// Reads one answer; a connection that ends before is an error of the promise.
private final class AnswerReader: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private struct HungUp: Error {}

  private let answer: EventLoopPromise<SimulatedResponse>
  private var response: SimulatedResponse?
  private var body: [UInt8] = []

  init(_ answer: EventLoopPromise<SimulatedResponse>) { self.answer = answer }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      // Of the connection and not of the answer.
      let own = ["content-length", "connection", "transfer-encoding"]
      response = SimulatedResponse(
        status: Int(head.status.code),
        headers: head.headers.filter { !own.contains($0.name.lowercased()) }.map { ($0.name, $0.value) })
    case .body(let part): body += part.readableBytesView
    case .end:
      if var response {
        response.body = String(decoding: body, as: UTF8.self)
        answer.succeed(response)
      }
      context.close(promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelInactive(context: ChannelHandlerContext) { answer.fail(HungUp()) }
}

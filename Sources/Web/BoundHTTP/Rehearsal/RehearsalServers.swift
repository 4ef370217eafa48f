import DNSWire
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NetworkAddress

/// The servers of a rehearsal, on free ports of the loopback device.
enum RehearsalServers {
  private static let host = "127.0.0.1"

  /// A DNS server that answers every name with one address, and has no IPv6.
  static func names(on loop: any EventLoop, _ address: IPAddress) async throws -> any Channel {
    try await DatagramBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Names(address))
        }
      }
      .bind(host: host, port: 0).get()
  }

  /// A server that redirects: `/to?URL` to the URL, `/relative` to `end`, `/end` to the end of the
  /// chain.
  static func hop(on loop: any EventLoop, tls: NIOSSLContext?) async throws -> any Channel {
    try await ServerBootstrap(group: loop)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
          try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
          try pipeline.addHandler(Hop())
        }
      }
      .bind(host: host, port: 0).get()
  }

  private final class Names: ChannelInboundHandler, Sendable {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let address: IPAddress

    init(_ address: IPAddress) { self.address = address }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let envelope = unwrapInboundIn(data)
      guard let query = try? DNSMessage(decoding: Array(envelope.data.readableBytesView)),
        let question = query.questions.first
      else { return }
      var answers: [DNSRecord] = []
      if question.type == .a, case .v4(let v4) = address { answers = [DNSRecord(question.name, .a(v4), ttl: 60)] }
      guard let bytes = try? query.response(answers: answers).encoded() else { return }
      let answer = AddressedEnvelope(remoteAddress: envelope.remoteAddress, data: ByteBuffer(bytes: bytes))
      context.channel.writeAndFlush(answer, promise: nil)
    }
  }

  private final class Hop: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(let head) = unwrapInboundIn(data) else { return }
      let location =
        switch head.uri.split(separator: "?", maxSplits: 1).map(String.init) {
        case let parts where parts.count == 2 && parts[0] == "/to": parts[1]
        case ["/relative"]: "end"
        default: "rehearsal:/end?code=1&state=1"
        }
      var fields = HTTPHeaders()
      fields.add(name: "Location", value: location)
      fields.add(name: "Set-Cookie", value: "a=1; Path=/; Max-Age=60")
      fields.add(name: "Content-Type", value: "application/json")
      fields.add(name: "Content-Length", value: "2")
      context.write(
        wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .found, headers: fields))), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "{}")))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}

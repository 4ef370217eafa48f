import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A server that says the same bytes to whoever sends something, and hangs up.
final class RawServer: Sendable {
  private let channel: any Channel
  private let record: NIOLockedValueBox<[UInt8]>

  var port: Int { channel.localAddress?.port ?? 0 }
  /// What all clients sent.
  var received: [UInt8] { record.withLockedValue { $0 } }

  static func start(_ bytes: [UInt8]) async throws -> RawServer {
    let record = NIOLockedValueBox<[UInt8]>([])
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { $0.pipeline.addHandler(Handler(bytes, record)) }
      .bind(host: "127.0.0.1", port: 0).get()
    return RawServer(channel, record)
  }

  private init(_ channel: any Channel, _ record: NIOLockedValueBox<[UInt8]>) {
    self.channel = channel
    self.record = record
  }

  func stop() async { try? await channel.close() }

  private final class Handler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let bytes: [UInt8]
    private let record: NIOLockedValueBox<[UInt8]>

    init(_ bytes: [UInt8], _ record: NIOLockedValueBox<[UInt8]>) {
      self.bytes = bytes
      self.record = record
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      record.withLockedValue { $0 += unwrapInboundIn(data).readableBytesView }
      let channel = context.channel
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes))).whenComplete { _ in channel.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}

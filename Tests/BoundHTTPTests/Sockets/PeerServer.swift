import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A server that does what the first line of a connection says:
/// - `echo`: sends everything back, and ends when the client ends;
/// - `send N`: sends N bytes, and ends;
/// - `pour`: sends as long as somebody reads;
/// - `count`: reads to the end, then says how many bytes it read.
final class PeerServer: Sendable {
  private let channel: any Channel
  private let written: NIOLockedValueBox<Int>
  private let errors: NIOLockedValueBox<Int>
  private let open: NIOLockedValueBox<Int>

  /// Bytes that the kernel took from `pour`.
  var poured: Int { written.withLockedValue { $0 } }
  /// Connections that were reset.
  var resets: Int { errors.withLockedValue { $0 } }
  /// Connections that are open.
  var count: Int { open.withLockedValue { $0 } }

  static func start(on host: String, port: Int, group: any EventLoopGroup) async throws -> PeerServer {
    let (written, errors, open) = (NIOLockedValueBox(0), NIOLockedValueBox(0), NIOLockedValueBox(0))
    let channel = try await group.next().flatSubmit {
      ServerBootstrap(group: group)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(Conversation(written, errors, open))
          }
        }
        .bind(host: host, port: port)
    }.get()
    return PeerServer(channel, written, errors, open)
  }

  private init(
    _ channel: any Channel, _ written: NIOLockedValueBox<Int>, _ errors: NIOLockedValueBox<Int>,
    _ open: NIOLockedValueBox<Int>
  ) {
    (self.channel, self.written, self.errors, self.open) = (channel, written, errors, open)
  }

  func stop() async { try? await channel.close() }
}

private final class Conversation: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Task { case echo, send(Int), pour, count(Int) }

  private let written: NIOLockedValueBox<Int>
  private let errors: NIOLockedValueBox<Int>
  private let open: NIOLockedValueBox<Int>
  private var head = ByteBuffer()
  private var task: Task?
  private static let block = ByteBuffer(repeating: 0x78, count: 65_536)

  init(_ written: NIOLockedValueBox<Int>, _ errors: NIOLockedValueBox<Int>, _ open: NIOLockedValueBox<Int>) {
    (self.written, self.errors, self.open) = (written, errors, open)
  }

  func channelActive(context: ChannelHandlerContext) { open.withLockedValue { $0 += 1 } }
  func channelInactive(context: ChannelHandlerContext) { open.withLockedValue { $0 -= 1 } }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if task == nil {
      head.writeBuffer(&bytes)
      guard let end = head.readableBytesView.firstIndex(of: 10) else { return }
      let line = head.readString(length: end - head.readerIndex) ?? ""
      head.moveReaderIndex(forwardBy: 1)
      bytes = head
      let words = line.split(separator: " ")
      switch words.first {
      case "send": begin(.send(words.count > 1 ? Int(words[1]) ?? 0 : 0), context)
      case "pour": begin(.pour, context)
      case "count": begin(.count(0), context)
      default: begin(.echo, context)
      }
    }
    switch task {
    case .echo where bytes.readableBytes > 0: context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    case .count(let all): task = .count(all + bytes.readableBytes)
    default: break
    }
  }

  private func begin(_ task: Task, _ context: ChannelHandlerContext) {
    self.task = task
    switch task {
    case .send(let count):
      let channel = context.channel
      channel.writeAndFlush(ByteBuffer(repeating: 0x78, count: count)).whenComplete { _ in
        channel.close(mode: .output, promise: nil)
      }
    case .pour: pour(context.channel)
    default: break
    }
  }

  private func pour(_ channel: any Channel) {
    channel.writeAndFlush(Self.block).whenComplete { result in
      switch result {
      case .success:
        self.written.withLockedValue { $0 += Self.block.readableBytes }
        self.pour(channel)
      // A write may hear of the reset before a read does, and closes the channel without a word.
      case .failure(is IOError): self.errors.withLockedValue { $0 += 1 }
      case .failure: break
      }
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed? = event as? ChannelEvent else { return }
    switch task {
    case .count(let all):
      let channel = context.channel
      channel.writeAndFlush(ByteBuffer(string: "\(all)\n")).whenComplete { _ in channel.close(promise: nil) }
    case .send, .pour: break
    default: context.close(mode: .output, promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    errors.withLockedValue { $0 += 1 }
    context.close(promise: nil)
  }
}

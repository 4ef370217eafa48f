import Logging
import NIOCore

/// Waits when the process or the machine has no descriptor left for one more connection.
///
/// NIO alone would ask for the connection again at once, for as long as it is not accepted. The connections stay in the
/// kernel's queue meanwhile.
final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private enum State {
    case accepting
    case waiting
  }

  private static let time = TimeAmount.milliseconds(100)

  private let logger: Logger
  private var state = State.accepting
  /// Told once for each time of shortage.
  private var isTold = false

  init(logger: Logger) { self.logger = logger }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    isTold = false
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? IOError else { return context.fireErrorCaught(error) }
    guard case .accepting = state else { return }
    state = .waiting
    if !isTold {
      isTold = true
      logger.warning(
        "no connection can be accepted: \(error); tried again every \(Self.time.nanoseconds / 1_000_000) ms")
    }
    let channel = context.channel
    channel.setOption(.autoRead, value: false).here.whenComplete { [self] _ in
      channel.eventLoop.here.scheduleTask(in: Self.time) { [self] in
        state = .accepting
        channel.setOption(.autoRead, value: true).whenFailure { _ in }
      }
    }
  }
}

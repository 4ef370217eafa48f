import Glibc
import LimitClock
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Varlink

/// HTTP on a Unix socket: one request for each connection, of a user that the kernel names.
typealias HTTPDoor = Door<HTTPReception>

extension Door<HTTPReception> {
  static func open(
    _ source: MetricsSource, at endpoint: VarlinkEndpoint, limits: MetricsLimits, on loop: any EventLoop,
    logger: Logger
  ) async throws -> HTTPDoor {
    try await open(endpoint, batchSize: 16, on: loop, logger: logger) {
      HTTPReception(source, limits, on: loop, logger: logger)
    }
  }
}

/// The connections. Confined to one event loop.
final class HTTPReception: DoorReception {
  private let source: MetricsSource
  private let limits: MetricsLimits
  private let loop: any EventLoop
  private let logger: Logger
  private let clock = LimitClock.machine
  private var budget: ConnectionBudget
  private var connections: [ConnectionBudget.ID: any Channel] = [:]

  init(_ source: MetricsSource, _ limits: MetricsLimits, on loop: any EventLoop, logger: Logger) {
    self.source = source
    self.limits = limits
    self.loop = loop
    self.logger = logger
    var own = VarlinkServer.Limits()
    own.connections = limits.connections
    own.userConnections = limits.userConnections
    own.strangerConnections = limits.strangerConnections
    budget = ConnectionBudget(own)
  }

  func receive(_ arrivals: [Arrival]) {
    for arrival in arrivals {
      let isAllowed = source.isAllowed(arrival.peer)
      let standing: ConnectionBudget.Standing = arrival.peer.userID == 0 ? .root : isAllowed ? .known : .stranger
      // None is idle, so that none is closed for another one.
      guard case .admitted(let id) = budget.open(arrival.peer.userID, standing, now: clock.now) else {
        logger.debug("a connection of user \(arrival.peer.userID) to the figures was refused: there are too many")
        close(arrival.descriptor)
        continue
      }
      budget.note(id, isIdle: false, now: clock.now)
      welcome(arrival, id, isAllowed: isAllowed)
    }
  }

  private func welcome(_ arrival: Arrival, _ id: ConnectionBudget.ID, isAllowed: Bool) {
    let bound = NIOLoopBound(self, eventLoop: loop)
    let channel = ClientBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try bound.value.serve(channel, id, isAllowed: isAllowed) }
      }
      .withConnectedSocket(arrival.descriptor)
    channel.here.whenFailure { [self] _ in leave(id) }
  }

  private func serve(_ channel: any Channel, _ id: ConnectionBudget.ID, isAllowed: Bool) throws {
    connections[id] = channel
    channel.closeFuture.here.whenComplete { [self] _ in leave(id) }
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(RequestBytes(limits.requestBytes))
    try pipeline.addHandler(HTTPResponseEncoder())
    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
    try pipeline.addHandler(MetricsRequest(source, isAllowed: isAllowed))
    // Whoever sends or reads slowly holds nothing for longer.
    let end = loop.scheduleTask(in: TimeAmount(limits.time)) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in end.cancel() }
  }

  private func leave(_ id: ConnectionBudget.ID) {
    budget.close(id)
    connections[id] = nil
  }

  func closeAll() { for channel in connections.values { channel.close(promise: nil) } }
}

/// Ends a connection that sends more than a request may have.
private final class RequestBytes: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private var left: Int

  init(_ limit: Int) { left = limit }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    left -= unwrapInboundIn(data).readableBytes
    guard left >= 0 else { return context.close(promise: nil) }
    context.fireChannelRead(data)
  }
}

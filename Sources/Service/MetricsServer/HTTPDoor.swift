import Glibc
import LimitClock
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Varlink

/// HTTP on a Unix socket: one request for each connection, of a user that the kernel names.
final class HTTPDoor: Sendable {
  private let path: String?
  private let loop: any EventLoop
  private let reception: NIOLoopBound<HTTPReception>
  private let acceptor: Acceptor
  /// Nothing is accepted any more.
  private let ended: EventLoopFuture<Void>

  private init(
    path: String?, loop: any EventLoop, reception: NIOLoopBound<HTTPReception>, acceptor: Acceptor,
    ended: EventLoopFuture<Void>
  ) {
    self.path = path
    self.loop = loop
    self.reception = reception
    self.acceptor = acceptor
    self.ended = ended
  }

  static func open(
    _ source: MetricsSource, at endpoint: VarlinkEndpoint, limits: MetricsLimits, on loop: any EventLoop,
    logger: Logger
  ) async throws -> HTTPDoor {
    let reception = try await loop.submit {
      NIOLoopBound(HTTPReception(source, limits, on: loop, logger: logger), eventLoop: loop)
    }.get()
    let acceptor = try Acceptor(socket: ListeningSocket.open(endpoint), batchSize: 16, logger: logger)
    let ended = try acceptor.start(on: loop) { reception.value.receive($0) }
    let path: String? = if case .path(let path, _) = endpoint { path } else { nil }
    return HTTPDoor(path: path, loop: loop, reception: reception, acceptor: acceptor, ended: ended)
  }

  func close() async {
    if let path { unlink(path) }
    acceptor.stop()
    try? await ended.get()
    try? await loop.submit { [reception] in reception.value.closeAll() }.get()
  }
}

/// The connections. Confined to one event loop.
final class HTTPReception {
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

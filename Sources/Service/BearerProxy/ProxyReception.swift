import Glibc
import LimitClock
import Logging
import NIOCore
import NIOPosix
import Varlink

/// The clients of the proxy. Confined to the proxy's event loop.
final class ProxyReception: DoorReception {
  /// Of connections that begin from now on.
  var service: BearerProxy.Service
  let limits: ProxyLimits
  let logger: Logger
  private let loop: any EventLoop
  private let clock: LimitClock
  private var budget: ConnectionBudget
  private var connections: [ConnectionBudget.ID: any Channel] = [:]

  init(
    _ service: BearerProxy.Service, _ limits: ProxyLimits, on loop: any EventLoop, clock: LimitClock, logger: Logger
  ) {
    self.service = service
    self.limits = limits
    self.loop = loop
    self.clock = clock
    self.logger = logger
    var own = VarlinkServer.Limits()
    own.connections = limits.connections
    own.userConnections = limits.userConnections
    own.strangerConnections = limits.strangerConnections
    budget = ConnectionBudget(own)
  }

  /// Admits or refuses connections by their peers. A refusal costs less than a connection.
  func receive(_ arrivals: [Arrival]) {
    for arrival in arrivals {
      if let id = admit(arrival.peer) {
        welcome(arrival, id)
      } else {
        close(arrival.descriptor)
      }
    }
  }

  private func admit(_ peer: Peer) -> ConnectionBudget.ID? {
    let standing: ConnectionBudget.Standing =
      peer.userID == 0 ? .root : service.isAllowed(peer) ? .known : .stranger
    switch budget.open(peer.userID, standing, now: clock.now) {
    case .refused(let shortage):
      logger.debug("the proxy refused a connection of user \(peer.userID): \(shortage)")
      return nil
    case .admitted(let id):
      // No connection of the proxy is idle, so that none is closed for another one.
      budget.note(id, isIdle: false, now: clock.now)
      return id
    case .inPlace(let id, let old):
      connections[old]?.close(promise: nil)
      budget.note(id, isIdle: false, now: clock.now)
      return id
    }
  }

  private func welcome(_ arrival: Arrival, _ id: ConnectionBudget.ID) {
    let bound = NIOLoopBound(self, eventLoop: loop)
    let channel = ClientBootstrap(group: loop)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.autoRead, value: false)
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try bound.value.serve(channel, id, arrival.peer) }
      }
      .withConnectedSocket(arrival.descriptor)
    channel.here.whenFailure { [self] _ in leave(id) }
  }

  private func serve(_ channel: any Channel, _ id: ConnectionBudget.ID, _ peer: Peer) throws {
    connections[id] = channel
    channel.closeFuture.here.whenComplete { [self] _ in leave(id) }
    try channel.pipeline.syncOperations.addHandler(ProxyConnection(peer, service, limits, logger))
  }

  private func leave(_ id: ConnectionBudget.ID) {
    budget.close(id)
    connections[id] = nil
  }

  func closeAll() {
    for channel in connections.values { channel.close(promise: nil) }
  }
}

import BoundHTTP
import LimitClock
import ModemModel
import ModemService
import NIOCore
import NetworkAddress
import OutsideNumber
import RedirectChain
import Synchronization
import TrafficLedger

/// Connections over bearers for programs: finds the modem, brings its bearer up as a check does,
/// and connects over it and nothing else.
///
/// A connection takes no place of a flow. It counts as a use of its bearer until it is over, has an
/// account in the ledger before anything is sent for it, and ends with its bearer.
package final class BearerStreams: Sendable {
  private let registry: ModemRegistry
  private let bearers: BearerService
  private let ledger: TrafficLedger
  private let dialer: BoundDialer
  private let clock: LimitClock
  private let connections: ConnectionCount
  private let held = HeldBytes()
  private let handed: HandedSockets
  private let reach = Mutex(ReachPolicy())

  /// - Parameters:
  ///   - ledger: decides who may reach what, and how much.
  ///   - limits: hold whatever the ledger says.
  package init(
    registry: ModemRegistry, bearers: BearerService, ledger: TrafficLedger, dialer: BoundDialer,
    limits: ConnectionLimits = ConnectionLimits(), clock: LimitClock = .machine
  ) {
    self.registry = registry
    self.bearers = bearers
    self.ledger = ledger
    self.dialer = dialer
    self.clock = clock
    connections = ConnectionCount(limits)
    handed = HandedSockets(bearers: bearers, clock: clock)
  }

  /// Another policy applies to connections that are made from now on.
  package func change(reach: ReachPolicy) { self.reach.withLock { $0 = reach } }

  /// Connections of a user that are open or being made.
  package func count(of caller: Caller) -> Int { connections.count(of: caller) }

  /// Resolves a name by the bearer's servers.
  ///
  /// - Throws: `StreamError`, `ServiceError`, `ModemError`; `CancellationError`.
  package func resolve(
    _ request: ResolveRequest, for caller: Caller, processID: Int32? = nil
  ) async throws -> ResolvedName {
    let start = clock.now
    let order = Order(
      modem: request.modem, caller: caller, processID: processID, purpose: .streams, host: request.name, port: nil,
      isDatagram: true, family: request.family, limit: request.limit)
    let host = try Self.host(request.name)
    return try await open(order) { way, opening in
      defer { opening.life.finish() }
      let resolved = try await self.dialer.resolve(host, way)
      return ResolvedName(
        modem: opening.entry.state.id, interface: opening.bearer.interface, host: resolved,
        time: self.clock.now - start)
    }
  }

  /// Opens a TCP connection.
  ///
  /// - Throws: `StreamError`, `ServiceError`, `ModemError`; `CancellationError`.
  package func open(
    _ request: StreamRequest, for caller: Caller, processID: Int32? = nil
  ) async throws -> BearerStream {
    let order = Order(
      modem: request.modem, caller: caller, processID: processID, purpose: request.purpose, host: request.host,
      port: request.port, isDatagram: false, family: nil, limit: request.limit)
    let (host, held) = (try Self.host(request.host), held)
    return try await open(order) { way, opening in
      let life = opening.life
      let side = SpliceHalf.Side.bearer(
        take: { held.take($0, for: caller) }, free: { held.free($0, for: caller) })
      let connection = try await self.dialer.connect(host, port: request.port, way) { channel in
        try channel.pipeline.syncOperations.addHandler(SpliceHalf(side, on: channel, life.account))
      }
      let channel = connection.channel
      // From here on it is over when its channel is closed, whoever closes it.
      channel.closeFuture.whenComplete { _ in life.finish() }
      let half = try await channel.eventLoop.submit {
        try channel.pipeline.syncOperations.handler(type: SpliceHalf.self)
      }.get()
      life.onEnd { _ in half.onLoop { $0.abort() } }
      life.account.connected(source: connection.source, address: connection.address, cookie: nil)
      return BearerStream(
        channel: channel, account: life.account, modem: opening.entry.state.id, interface: opening.bearer.interface,
        source: connection.source, address: connection.address, half: half, life: life)
    }
  }

  /// Makes a socket for a program to use by itself. It is counted from here on, by what the port
  /// reports of it.
  ///
  /// - Throws: `StreamError`, `ServiceError`, `ModemError`; `CancellationError`.
  package func openSocket(
    _ request: SocketRequest, for caller: Caller, processID: Int32? = nil
  ) async throws -> OpenedSocket {
    let order = Order(
      modem: request.modem, caller: caller, processID: processID, purpose: .sockets, host: request.destination?.host,
      port: request.destination?.port, isDatagram: request.isDatagram, family: request.family, limit: request.limit)
    let host = try request.destination.map { try Self.host($0.host) }
    return try await open(order) { way, opening in
      let descriptor: BoundDescriptor
      if let host, let port = request.destination?.port {
        descriptor = try await self.dialer.socket(to: host, port: port, isDatagram: request.isDatagram, way)
      } else {
        descriptor = try await self.dialer.socket(isDatagram: request.isDatagram, way)
      }
      let life = opening.life
      try self.handed.add(
        life, descriptor, isListed: host != nil || request.isDatagram, isDatagram: request.isDatagram,
        processID: processID, over: opening.entry.link)
      return OpenedSocket(
        descriptor: descriptor, id: life.account.id, modem: opening.entry.state.id,
        interface: opening.bearer.interface, life: life)
    }
  }

  /// What all methods have in common of what they are asked.
  private struct Order: Sendable {
    let modem: String?
    let caller: Caller
    let processID: Int32?
    let purpose: TrafficPurpose
    let host: String?
    let port: Int?
    let isDatagram: Bool
    let family: ChainHop.Family?
    let limit: Duration
  }

  /// A bearer that is up, and the life of what is opened over it.
  private struct Opening: Sendable {
    let entry: ModemRegistry.Entry
    let bearer: InstalledBearer
    let life: ConnectionLife
  }

  private static func host(_ text: String) throws(StreamError) -> NamedHost {
    do {
      return try NamedHost(text)
    } catch {
      throw StreamError(error, host: text, port: nil)
    }
  }

  /// Brings the bearer up, opens an account, and then `body` dials: it is cancelled if the bearer
  /// is lost or the account ended meanwhile.
  private func open<Value: Sendable>(
    _ order: Order, _ body: @escaping @Sendable (BoundDialer.Way, Opening) async throws -> Value
  ) async throws -> Value {
    let start = clock.now
    let entry = try registry.find(order.modem)
    let place = try connections.take(for: order.caller)
    let (bearer, since) = try await within(order.limit) { try await self.ready(entry, order) }
    let life = try account(order, entry, bearer, place)
    do {
      life.follow(registry.loss(of: bearer, on: entry.link.name, since: since))
      var way = BoundDialer.Way(
        over: try BoundInterface(bearer), family: order.family,
        allowedAddresses: reach.withLock { $0.allowedAddresses }, for: order.caller.owner,
        limit: max(order.limit - (clock.now - start), .milliseconds(1)), permits: { life.account.allows($0) },
        onBytes: { sent, received, _ in life.account.tookAside(sent: sent, received: received) })
      way.statedLimit = order.limit
      let opening = Opening(entry: entry, bearer: bearer, life: life)
      return try await untilEnd(of: life) { [way] in try await body(way, opening) }
    } catch {
      life.finish()
      if let end = life.ending { throw StreamError(end) }
      if let failure = error as? DialFailure { throw StreamError(failure, host: order.host, port: order.port) }
      if let failure = error as? BoundHTTPError { throw StreamError.notConnected(.bearerLost, text: failure.message) }
      throw error
    }
  }

  private func account(
    _ order: Order, _ entry: ModemRegistry.Entry, _ bearer: InstalledBearer, _ place: ConnectionCount.Place
  ) throws(StreamError) -> ConnectionLife {
    let registration = (registry.state(of: entry.link.name) ?? entry.state).registration
    let request = TrafficRequest(
      caller: order.caller, processID: order.processID, modem: entry.state.id, interface: bearer.interface,
      purpose: order.purpose, host: order.host, port: order.port, isDatagram: order.isDatagram,
      isRoaming: registration.state == .roaming)
    do throws(TrafficRefusal) {
      return ConnectionLife(try ledger.open(request), place, bearers.use(of: entry.link))
    } catch {
      throw StreamError(error, host: order.host, port: order.port)
    }
  }

  /// Runs `body`, and cancels it if the life is ended from outside.
  private func untilEnd<Value: Sendable>(
    of life: ConnectionLife, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // Before the body begins, which says itself what ends the life when it has opened something.
    let running = Mutex<Task<Value, any Error>?>(nil)
    life.onEnd { _ in running.withLock(\.self)?.cancel() }
    let task = Task { try await body() }
    running.withLock { $0 = task }
    if life.ending != nil { task.cancel() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// The bearer, up. To bring it up takes a flow's turn, which is over when it is up.
  private func ready(
    _ entry: ModemRegistry.Entry, _ order: Order
  ) async throws -> (bearer: InstalledBearer, since: Timestamp) {
    if entry.state.bearer.state.installed != nil { return try await bearers.ready(entry) }
    return try await bearers.withFlow(on: entry.link, for: order.caller, within: order.limit) {
      try await bearers.ready(entry)
    }
  }

  /// Runs `body` for at most `limit`. A bearer continues to come up for the next caller.
  private func within<Result: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
      group.addTask { try await body() }
      group.addTask { [clock] in
        try await clock.pause(for: limit)
        throw StreamError.notConnected(
          .timedOut, text: "the bearer was not up within \(limit.words); allow more time or try again")
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }
}

import Logging
import NIOCore

/// Who is connected to a server, and whose call is served next. Confined to the server's event loop.
final class Reception {
  /// A connection that is not let in.
  struct Refused: Error {}

  /// A call that is read beside the event loop.
  private struct Reading: Sendable {
    let id: ConnectionBudget.ID
    let peer: Peer
    let frame: [UInt8]
  }

  /// Calls that are served before the loop looks at its sockets again.
  private static let turnsAtOnce = 64
  /// One line for each user within this time says that something of theirs was closed.
  private static let tellingTime = Duration.seconds(60)

  let router: VarlinkRouter
  let limits: VarlinkServer.Limits
  private let loop: any EventLoop
  private let logger: Logger
  private var budget: ConnectionBudget
  private var handlers: [ConnectionBudget.ID: ConnectionHandler] = [:]
  private var turns = UserTurns<ConnectionBudget.ID>()
  private var isTurning = false
  private var readings = UserTurns<Reading>()
  private var isReading = false
  private var sweep: Scheduled<Void>?
  private var told: [UInt32: ContinuousClock.Instant] = [:]

  init(_ router: VarlinkRouter, _ limits: VarlinkServer.Limits, on loop: any EventLoop, logger: Logger) {
    self.router = router
    self.limits = limits
    self.loop = loop
    self.logger = logger
    budget = ConnectionBudget(limits)
  }

  // MARK: Connections

  /// Lets a connection in, or not, by who is at its other end. Nothing was read from it.
  ///
  /// - Throws: `Refused`.
  func admit(_ channel: any Channel, _ peer: Peer) throws -> ConnectionHandler {
    let standing = router.standing(of: peer)
    guard standing != .stranger || router.admitsStrangers else {
      tell(peer.userID, "it may not ask here")
      throw Refused()
    }
    switch budget.open(peer.userID, standing, now: .now) {
    case .refused(let shortage):
      tell(peer.userID, "\(shortage)")
      throw Refused()
    case .admitted(let id): return handler(id, peer, channel)
    case .inPlace(let id, let old):
      handlers[old]?.giveUp()
      return handler(id, peer, channel)
    }
  }

  private func handler(_ id: ConnectionBudget.ID, _ peer: Peer, _ channel: any Channel) -> ConnectionHandler {
    let handler = ConnectionHandler(id, peer, self)
    handlers[id] = handler
    channel.closeFuture.here.whenComplete { [self] _ in leave(id) }
    watchIdle()
    return handler
  }

  private func leave(_ id: ConnectionBudget.ID) {
    budget.close(id)
    handlers[id] = nil
  }

  /// Closes every connection.
  func closeAll() { for handler in handlers.values { handler.giveUp() } }

  func note(_ id: ConnectionBudget.ID, isIdle: Bool) { budget.note(id, isIdle: isIdle, now: .now) }

  /// From time to time while there are connections: those that nothing goes on over are closed when their time is over.
  private func watchIdle() {
    guard sweep == nil, !handlers.isEmpty else { return }
    let time = min(limits.idleTime / 4, limits.shortIdleTime / 2)
    sweep = loop.here.scheduleTask(in: TimeAmount(time)) { [self] in
      sweep = nil
      for id in budget.outlived(now: .now) { handlers[id]?.giveUp() }
      watchIdle()
    }
  }

  // MARK: Bytes and calls

  func charge(_ id: ConnectionBudget.ID, _ bytes: Int) -> Bool { budget.charge(id, bytes) }
  func beginCall(_ id: ConnectionBudget.ID) -> Bool { budget.beginCall(id) }
  func endCall(_ id: ConnectionBudget.ID) { budget.endCall(id) }

  /// Says, not too often, that a user's connection was closed, and why.
  func tell(_ user: UInt32, _ reason: String) {
    let now = ContinuousClock.now
    if let last = told[user], now - last < Self.tellingTime { return }
    if told.count > 1024 { told = told.filter { now - $0.value < Self.tellingTime } }
    guard told.count <= 1024 else { return }
    told[user] = now
    logger.notice("a connection of user \(user) was closed: \(reason); more of the same are not told for a minute")
  }

  // MARK: Turns

  /// A connection has a call that can be served.
  func askForTurn(_ id: ConnectionBudget.ID, _ peer: Peer) {
    turns.add(id, of: peer.userID)
    guard !isTurning else { return }
    isTurning = true
    loop.here.execute { [self] in serveTurns() }
  }

  private func serveTurns() {
    for _ in 0..<Self.turnsAtOnce {
      guard let id = turns.take() else {
        isTurning = false
        return
      }
      handlers[id]?.takeTurn()
    }
    // Not `execute`: what it gets runs before sockets are looked at again.
    loop.here.scheduleTask(in: .nanoseconds(1000)) { [self] in serveTurns() }
  }

  // MARK: Reading beside the loop

  /// Reads a long call beside the loop: one at a time, users by turns.
  func read(_ frame: [UInt8], _ id: ConnectionBudget.ID, _ peer: Peer) {
    readings.add(Reading(id: id, peer: peer, frame: frame), of: peer.userID)
    readNext()
  }

  private func readNext() {
    while !isReading, let next = readings.take() {
      guard handlers[next.id] != nil else { continue }
      isReading = true
      let bound = NIOLoopBound(self, eventLoop: loop)
      Task { [router, limits, loop] in
        let reading = FrameReading(next.frame, from: next.peer, router, limits.json, readsParameters: true)
        loop.execute { bound.value.end(reading, of: next.id) }
      }
    }
  }

  private func end(_ reading: FrameReading, of id: ConnectionBudget.ID) {
    isReading = false
    handlers[id]?.serve(reading)
    readNext()
  }
}

extension ConnectionBudget.Shortage: CustomStringConvertible {
  var description: String {
    switch self {
    case .userConnections(let limit): "it has \(limit) already"
    case .connections(let limit): "there are \(limit) of all users, and none of them is idle"
    case .strangerConnections(let limit): "it may not ask, and has \(limit) already"
    }
  }
}

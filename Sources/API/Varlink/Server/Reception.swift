import Glibc
import JournalLog
import LimitClock
import Logging
import NIOCore
import NIOPosix

/// The connections of a server, and whose call is served next. Confined to the server's event loop.
final class Reception: DoorReception {
  /// A call that is being read outside the event loop.
  private struct Reading: Sendable {
    let id: ConnectionBudget.ID
    let peer: Peer
    let frame: [UInt8]
  }

  /// How long turns are given before the loop checks its sockets again.
  private static let turnsTime = TimeAmount.microseconds(250)
  /// How many connections may be read again in that time. Their bytes have usually arrived, and are
  /// read all at once.
  private static let readsAtOnce = 4
  /// The log has at most one line per user within this time about closed connections.
  private static let tellingTime = Duration.seconds(60)

  private(set) var router: VarlinkRouter
  private(set) var limits: VarlinkServer.Limits
  private let loop: any EventLoop
  private let logger: Logger
  private let clock: LimitClock
  private var budget: ConnectionBudget
  private var handlers: [ConnectionBudget.ID: ConnectionHandler] = [:]
  /// Connections that are another one's after a call with `upgrade`.
  private var upgraded: [ConnectionBudget.ID: any Channel] = [:]
  private lazy var unreadDescriptors = UnreadDescriptors(on: loop) { [weak self] in self?.endDescriptor(of: $0) }
  /// Admitted connections that wait for their turn to be served.
  private var guests: [ConnectionBudget.ID: Arrival] = [:]
  private var guestTurns = UserTurns<ConnectionBudget.ID>()
  private var turns = UserTurns<ConnectionBudget.ID>()
  private var reads = UserTurns<ConnectionBudget.ID>()
  private var isTurning = false
  private var readings = UserTurns<Reading>()
  private var isReading = false
  private var sweep: Scheduled<Void>?
  private var told: [UInt32: LimitClock.Instant] = [:]

  init(
    _ router: VarlinkRouter, _ limits: VarlinkServer.Limits, on loop: any EventLoop, clock: LimitClock, logger: Logger
  ) {
    self.router = router
    self.limits = limits
    self.loop = loop
    self.logger = logger
    self.clock = clock
    budget = ConnectionBudget(limits)
  }

  /// Calls that are read from now on are answered by this router.
  func change(to router: VarlinkRouter, _ limits: VarlinkServer.Limits) {
    self.router = router
    self.limits = limits
    budget.limits = limits
  }

  // MARK: Connections

  /// Admits or refuses connections by their peers. An admitted connection comes to the event loop
  /// at its user's turn, because that takes far longer than a refusal.
  func receive(_ arrivals: [Arrival]) {
    for arrival in arrivals {
      if let id = admit(arrival.peer) {
        guests[id] = arrival
        guestTurns.add(id, of: arrival.peer.userID)
      } else {
        close(arrival.descriptor)
      }
    }
    giveTurns()
  }

  private func admit(_ peer: Peer) -> ConnectionBudget.ID? {
    let standing = router.standing(of: peer)
    guard standing != .stranger || router.admitsStrangers else {
      tell(peer.userID, "it has no right to call this service")
      return nil
    }
    switch budget.open(peer.userID, standing, now: clock.now) {
    case .refused(let shortage):
      tell(peer.userID, "\(shortage)")
      return nil
    case .admitted(let id): return id
    case .inPlace(let id, let old):
      giveUp(old)
      return id
    }
  }

  /// The turn of an admitted connection has come.
  private func welcome(_ id: ConnectionBudget.ID) {
    guard let guest = guests.removeValue(forKey: id) else { return }
    let bound = NIOLoopBound(self, eventLoop: loop)
    let channel = ClientBootstrap(group: loop)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.autoRead, value: false)
      // Bytes stay in memory with their channel, so small buffers keep idle connections small.
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try bound.value.serve(channel, id, guest.peer) }
      }
      .withConnectedSocket(guest.descriptor)
    channel.here.whenFailure { [self] _ in leave(id) }
  }

  private func serve(_ channel: any Channel, _ id: ConnectionBudget.ID, _ peer: Peer) throws {
    let handler = ConnectionHandler(id, peer, self)
    handlers[id] = handler
    channel.closeFuture.here.whenComplete { [self] _ in leave(id) }
    try channel.pipeline.syncOperations.addHandler(handler)
    watchIdle()
  }

  private func giveUp(_ id: ConnectionBudget.ID) {
    handlers[id]?.giveUp()
    guard let guest = guests.removeValue(forKey: id) else { return }
    close(guest.descriptor)
    leave(id)
  }

  private func leave(_ id: ConnectionBudget.ID) {
    budget.close(id)
    handlers[id] = nil
    upgraded[id] = nil
    unreadDescriptors.shutDown(id)
  }

  /// A connection is another one's from now on. It counts until it is closed, and is not idle.
  func letGo(_ id: ConnectionBudget.ID, _ channel: any Channel) {
    handlers[id] = nil
    upgraded[id] = channel
    note(id, isIdle: false)
    _ = budget.charge(id, 0)
  }

  /// Closes every connection.
  func closeAll() {
    for handler in handlers.values { handler.giveUp() }
    for channel in upgraded.values { channel.close(promise: nil) }
    for id in guests.keys { giveUp(id) }
    unreadDescriptors.removeAll()
  }

  func note(_ id: ConnectionBudget.ID, isIdle: Bool) { budget.note(id, isIdle: isIdle, now: clock.now) }

  /// Regularly while there are connections: closes those that have been idle for too long.
  private func watchIdle() {
    guard sweep == nil, !handlers.isEmpty else { return }
    let time = min(limits.idleTime / 4, limits.shortIdleTime / 2)
    sweep = loop.here.scheduleTask(in: TimeAmount(time)) { [self] in
      sweep = nil
      for id in budget.outlived(now: clock.now) { giveUp(id) }
      watchIdle()
    }
  }

  // MARK: Bytes and calls

  func charge(_ id: ConnectionBudget.ID, _ bytes: Int) -> Bool { budget.charge(id, bytes) }
  func beginCall(_ id: ConnectionBudget.ID) -> Bool { budget.beginCall(id) }
  func endCall(_ id: ConnectionBudget.ID) { budget.endCall(id) }

  /// A call begins whose reply will carry a descriptor.
  func beginDescriptor(_ id: ConnectionBudget.ID) -> Bool {
    if budget.beginDescriptor(id) { return true }
    unreadDescriptors.sweep()
    return budget.beginDescriptor(id)
  }

  /// A descriptor will not be sent, or was read.
  func endDescriptor(of peer: Peer) { budget.endDescriptor(of: peer.userID) }

  /// A descriptor was sent; it counts until it is read.
  func watchDescriptor(_ witness: OwnedDescriptor, _ id: ConnectionBudget.ID, _ peer: Peer) {
    unreadDescriptors.add(witness, id, peer)
  }

  /// Logs, not too often, that a user's connection was closed, and why.
  func tell(_ user: UInt32, _ reason: String) {
    let now = clock.now
    if let last = told[user], now - last < Self.tellingTime { return }
    if told.count > 1024 { told = told.filter { now - $0.value < Self.tellingTime } }
    guard told.count <= 1024 else { return }
    told[user] = now
    logger.event(
      .callersRefused, level: .notice,
      "a connection of user \(user) was closed: \(reason); further ones are not logged for a minute")
  }

  // MARK: Turns

  /// A connection has a call that can be served.
  func askForTurn(_ id: ConnectionBudget.ID, _ peer: Peer) {
    turns.add(id, of: peer.userID)
    giveTurns()
  }

  /// A connection wants more bytes.
  func askForRead(_ id: ConnectionBudget.ID, _ peer: Peer) {
    reads.add(id, of: peer.userID)
    giveTurns()
  }

  private func giveTurns() {
    guard !isTurning else { return }
    isTurning = true
    loop.here.execute { [self] in serveTurns() }
  }

  private func serveTurns() {
    let end = NIODeadline.now() + Self.turnsTime
    var readCount = 0
    repeat {
      let (guest, call) = (guestTurns.take(), turns.take())
      let read = readCount < Self.readsAtOnce ? reads.take() : nil
      if read != nil { readCount += 1 }
      guard guest != nil || call != nil || read != nil else {
        if !reads.isEmpty { break }
        isTurning = false
        return
      }
      if let guest { welcome(guest) }
      if let call { handlers[call]?.takeTurn() }
      if let read { handlers[read]?.takeReadTurn() }
    } while NIODeadline.now() < end
    // Not `execute`, which runs before sockets are checked again.
    loop.here.scheduleTask(in: .nanoseconds(1000)) { [self] in serveTurns() }
  }

  // MARK: Reading beside the loop

  /// Reads a long call outside the loop: one at a time, users in turns.
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
  package var description: String {
    switch self {
    case .userConnections(let limit): "it has \(limit) already"
    case .connections(let limit): "all users have \(limit) connections, and none of them is idle"
    case .strangerConnections(let limit): "it has no right to call this service, and has \(limit) connections already"
    }
  }
}

import LimitClock
import ModemModel
import ShortMessage

/// The short messages of all modems, read from memory and updated by the ports, and the callers
/// that wait for one.
package actor MessageService {
  /// A message, and the modem that received it.
  package struct Found: Hashable, Sendable {
    package let modem: String
    package let message: AssembledMessage
  }

  /// What watchers are told.
  package enum Arrival: Hashable, Sendable {
    case message(Found)
    /// A message did not fit into the modem's store.
    case storageFull
  }

  /// Calls of `waitForCode` at one time, over all modems.
  package static let waitLimit = 64

  private struct Watcher {
    let port: String
    let continuation: AsyncStream<Arrival>.Continuation
  }

  private let registry: ModemRegistry
  private let now: @Sendable () -> Timestamp
  private let clock: LimitClock
  private var inboxes: [String: MessageInbox] = [:]
  private var watchers: [UInt64: Watcher] = [:]
  private var nextWatcher: UInt64 = 0
  private var waits = 0

  /// - Parameters:
  ///   - now: the wall clock.
  ///   - clock: for how long callers wait for a code.
  package init(registry: ModemRegistry, now: @escaping @Sendable () -> Timestamp, clock: LimitClock = .machine) {
    self.registry = registry
    self.now = now
    self.clock = clock
  }

  // MARK: From the ports

  /// A port told something.
  package func apply(_ update: MessageUpdate, from port: String) {
    var inbox = inboxes[port] ?? MessageInbox()
    let wasFull = inbox.state.isFull
    let news = inbox.apply(update, at: now())
    inboxes[port] = inbox
    let modem = registry.state(of: port)?.id ?? port
    for message in news { tell(.message(Found(modem: modem, message: message)), port) }
    if inbox.state.isFull, !wasFull { tell(.storageFull, port) }
  }

  /// A port stopped answering; it is expected to return.
  package func markUnavailable(_ port: String, because reason: String) {
    inboxes[port]?.becomeUnavailable(because: reason)
  }

  /// A port was removed for good: nobody waits for its messages any more.
  package func remove(_ port: String) {
    inboxes[port] = nil
    for (id, watcher) in watchers where watcher.port == port {
      watcher.continuation.finish()
      watchers[id] = nil
    }
  }

  private func tell(_ arrival: Arrival, _ port: String) {
    for watcher in watchers.values where watcher.port == port { watcher.continuation.yield(arrival) }
  }

  // MARK: For programs

  /// The messages of a modem, and whether its store is full.
  ///
  /// - Throws: `ServiceError`; `MessageError` `unavailable` if nothing is known and nothing can be
  ///   read.
  package func list(_ modem: String?) throws -> (messages: [Found], isFull: Bool) {
    let (entry, inbox) = try inbox(of: modem)
    let messages = inbox.messages.map { Found(modem: entry.state.id, message: $0) }
    if messages.isEmpty, let reason = inbox.state.unavailable { throw Self.unavailable(reason) }
    return (messages, inbox.state.isFull)
  }

  /// Why a new message could not be read; nil if it could.
  func obstacle(of modem: String?) -> String? {
    do {
      let state = try inbox(of: modem).1.state
      if state.isFull { return Self.storageFull.message }
      return state.unavailable.map { Self.unavailable($0).message }
    } catch {
      return (error as? ServiceError)?.message ?? "\(error)"
    }
  }

  /// One message.
  ///
  /// - Throws: `ServiceError`, `MessageError`.
  package func get(_ id: String, of modem: String?) throws -> Found {
    let (entry, inbox) = try inbox(of: modem)
    guard let message = inbox.messages.first(where: { $0.id == id }) else { throw Self.noSuchMessage(id) }
    return Found(modem: entry.state.id, message: message)
  }

  /// Deletes all parts of a message.
  ///
  /// - Throws: `ServiceError`, `MessageError`, `ModemError`.
  package func delete(_ id: String, of modem: String?) async throws {
    let (entry, inbox) = try inbox(of: modem)
    guard let message = inbox.messages.first(where: { $0.id == id }), let link = entry.link.messages else {
      throw Self.noSuchMessage(id)
    }
    for reference in message.references {
      try await link.deleteMessage(at: reference)
      // The port also reports it, perhaps after the caller has asked again.
      apply(.removed(reference: reference), from: entry.link.name)
    }
  }

  /// New messages from now on. A reader that falls 256 messages behind loses the oldest.
  ///
  /// - Throws: `ServiceError`.
  package func watch(_ modem: String?) throws -> (modem: String, arrivals: AsyncStream<Arrival>) {
    let entry = try registry.find(modem)
    return (entry.state.id, arrivals(at: entry.link.name))
  }

  private func arrivals(at port: String) -> AsyncStream<Arrival> {
    let (stream, continuation) = AsyncStream.makeStream(of: Arrival.self, bufferingPolicy: .bufferingNewest(256))
    nextWatcher += 1
    let id = nextWatcher
    watchers[id] = Watcher(port: port, continuation: continuation)
    continuation.onTermination = { [weak self] _ in Task { await self?.forget(id) } }
    return stream
  }

  private func forget(_ watcher: UInt64) { watchers[watcher] = nil }

  private func inbox(of modem: String?) throws -> (ModemRegistry.Entry, MessageInbox) {
    let entry = try registry.find(modem)
    return (entry, inboxes[entry.link.name] ?? MessageInbox())
  }

  // MARK: Codes

  /// The code in the next matching message. Nothing is consumed: other callers that wait get the
  /// same one.
  ///
  /// - Throws: `MessageError`, `ServiceError`; `CancellationError` if the caller left.
  package func waitForCode(_ request: CodeRequest) async throws -> (code: OneTimeCode, found: Found) {
    guard waits < Self.waitLimit else {
      throw MessageError(
        .tooManyWaits(limit: Self.waitLimit), "\(Self.waitLimit) callers wait for codes; try again when one has ended")
    }
    waits += 1
    defer { waits -= 1 }
    let (entry, inbox) = try inbox(of: request.modem)
    // Registered before the look back, so that no message is missed in between.
    let arrivals = arrivals(at: entry.link.name)
    let present = now().milliseconds
    // A message whose arrival nobody saw has its service centre's time, whose clock may differ; one
    // from the future is ignored.
    let oldest = now().later(by: .zero - max(request.lookBack, .zero))
    let recentTimes = min(oldest.milliseconds, present)...present + 60_000
    if request.lookBack > .zero, let recent = Self.latest(in: inbox, of: recentTimes, request) {
      return (recent.code, Found(modem: entry.state.id, message: recent.message))
    }
    if inbox.state.isFull { throw Self.storageFull }
    if let reason = inbox.state.unavailable { throw Self.unavailable(reason) }
    return try await withThrowingTaskGroup(of: (code: OneTimeCode, found: Found)?.self) { group in
      defer { group.cancelAll() }
      group.addTask { [clock] in
        try await clock.pause(for: request.timeout)
        return nil
      }
      let seen = Counter()
      group.addTask { try await Self.first(of: arrivals, request, seen) }
      guard let end = try await group.next(), let found = end else {
        try Task.checkCancellation()
        throw noCode(after: request.timeout, seen: seen.count, at: entry.link.name)
      }
      return found
    }
  }

  private static func latest(
    in inbox: MessageInbox, of times: ClosedRange<Int64>, _ request: CodeRequest
  ) -> (code: OneTimeCode, message: AssembledMessage)? {
    let recent = inbox.messages.filter { times.contains($0.time?.milliseconds ?? .min) }
      .sorted { ($0.time?.milliseconds ?? .min) > ($1.time?.milliseconds ?? .min) }
    for message in recent { if let code = request.code(in: message) { return (code, message) } }
    return nil
  }

  private static func first(
    of arrivals: AsyncStream<Arrival>, _ request: CodeRequest, _ seen: Counter
  ) async throws -> (code: OneTimeCode, found: Found)? {
    for await arrival in arrivals {
      switch arrival {
      case .storageFull: throw storageFull
      case .message(let found):
        if let code = request.code(in: found.message) { return (code, found) }
        seen.add()
      }
    }
    try Task.checkCancellation()
    throw unavailable("the modem was taken away")
  }

  private func noCode(after timeout: Duration, seen: Int, at port: String) -> MessageError {
    let seconds = timeout.components.seconds
    let time = "within \(seconds) second\(seconds == 1 ? "" : "s")"
    if let reason = inboxes[port]?.state.unavailable {
      return MessageError(.unavailable, "no message could be read \(time): \(reason)")
    }
    let words =
      seen == 0
      ? "no message came \(time); ask for the code again, and if none ever comes: the subscription may have no SMS, or the "
        + "operator delivers SMS over IMS only, which a data modem does not get"
      : "\(seen) message\(seen == 1 ? "" : "s") came \(time), and none with the sender and pattern that were asked for; look at "
        + "`modemctl sms list`"
    return MessageError(.noCode(messagesSeen: seen), words)
  }

  // MARK: Errors

  private static let storageFull = MessageError(
    .storageFull,
    "the modem's store of messages is full and no more come; look at `modemctl sms list` and delete some with "
      + "`modemctl sms delete ID`")

  private static func unavailable(_ reason: String) -> MessageError {
    MessageError(.unavailable, "the messages cannot be read: \(reason)")
  }

  private static func noSuchMessage(_ id: String) -> MessageError {
    MessageError(.noSuchMessage(id: id), "no message has this id; `modemctl sms list` shows the ids")
  }
}

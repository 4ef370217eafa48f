import DeviceAPI
import FleetAPI
import FleetSettings
import JSONTree
import JournalLog
import LimitClock
import Logging
import MQTTClient
import ModemAPI
import ModemModel

/// A machine's part in a fleet: tells a broker what modemd knows, and carries out the commands that
/// this machine's settings allow.
///
/// An agent has no thread and no event loop of its own, so that many fit into one process. Topics
/// and payloads are those of Docs/fleet.md.
package actor FleetAgent {
  /// What time the agent goes by.
  package struct Clocks: Sendable {
    /// Waits and pauses.
    package var waits = LimitClock.machine
    /// Expiries of commands, which go on while the machine sleeps.
    package var expiries = LimitClock.sinceBoot
    /// What people and other machines are told. It may jump; nothing is decided by it.
    package var now: @Sendable () -> Timestamp = Timestamp.now

    package init() {}
  }

  /// The connection, as the last event left it.
  enum Link: Hashable, Sendable {
    case connecting
    case connected
    case waiting(nextAttempt: LimitClock.Instant)
    case paused
  }

  let settings: FleetSettings
  let connection: any MQTTConnection
  let machine: any FleetMachine
  let memory: any FleetMemory
  let clocks: Clocks
  let logger: Logger
  let topics: FleetTopics
  let fleetKey: FleetKey?
  let began: Timestamp

  // What is told.
  var discretion: Discretion
  var board = TopicBoard()
  var alarms = AlarmWatch()
  var replies = SendQueue(messages: 256, bytes: 1 << 20)
  var events = SendQueue(messages: 256, bytes: 128 << 10)
  var report = MetricReport()
  /// Retained messages on their way: the broker's refusal is told by number.
  var retainedTokens: Set<UInt64> = []
  /// The broker refused a message; said a moment later, unless the connection turns out to be lost.
  private var refusal: (reason: String, due: LimitClock.Instant)?

  // The machine.
  var presence = Presence.unknown
  var modems: [String: ModemInterface.Modem] = [:]
  var bearers: [String: BearerInterface.Bearer] = [:]
  /// Budgets that are nearly used, of the agent's own user and of all.
  var ownBudgets: [String: String] = [:]
  var allBudgets: [String: String] = [:]
  /// Modems of before modemd went away that it has not told of again.
  var unseen: Set<String> = []

  // The connection.
  var link = Link.connecting
  var linkSince: Timestamp
  var session: Int?
  var nextSession = 1
  var connects = 0
  var lastError: String?
  var certificateExpires: Timestamp?

  // Commands.
  var gate: CommandGate
  var book = CommandBook()
  var running: [CommandID: Task<Void, Never>] = [:]
  var isDiagnosing = false
  /// Of each requester of the settings, and of all others together, so that nobody can hide what
  /// another one does.
  var toldRefusals: [String: RateWindow] = [:]
  var untold = 0
  var untoldDue: LimitClock.Instant?
  var counts = FleetInterface.Commands(accepted: 0, repeated: 0, refused: 0)
  var refusals: [FleetInterface.Refusal] = []
  /// Bytes of the journal's file.
  var journalBytes = 0
  /// The last writing to it.
  var journalTail: Task<Void, any Error>?
  var lastAudit = 0

  // What is due, and when.
  var metricsDue: LimitClock.Instant?
  var settleDue: LimitClock.Instant?
  var certificateDue: LimitClock.Instant?
  var retryDue: LimitClock.Instant?
  var isReporting = false
  var day = DayTraffic()
  /// Of the dropped messages, those that were told.
  var toldDrops = 0
  var savedTopics: Set<String> = []
  var isSaving = false
  private var timer: (task: Task<Void, Never>, at: LimitClock.Instant)?
  private var isOver = false

  /// An agent that does nothing before `run`.
  ///
  /// - Parameters:
  ///   - connection: to the broker of `broker(_:memory:)`.
  ///   - machine: what it speaks for; it is the only reader of its changes.
  ///   - memory: of this machine alone.
  ///   - fleetKey: the fleet's; nil for a key of this machine's own, which is kept in the memory.
  package init(
    settings: FleetSettings, connection: any MQTTConnection, machine: any FleetMachine, memory: any FleetMemory,
    fleetKey: FleetKey? = nil, clocks: Clocks = Clocks(), logger: Logger
  ) {
    self.settings = settings
    self.connection = connection
    self.machine = machine
    self.memory = memory
    self.fleetKey = fleetKey
    self.clocks = clocks
    self.logger = logger
    topics = FleetTopics(machine: settings.machine)
    discretion = Discretion(key: fleetKey ?? .random())
    gate = CommandGate(settings.commands)
    began = clocks.now()
    linkSince = began
  }

  deinit { timer?.task.cancel() }

  /// Speaks for the machine until its task is cancelled. Then it says that it goes, and closes the
  /// connection.
  ///
  /// - Throws: `FleetMemoryError` if what it remembers cannot be read: without that, a command
  ///   could be carried out twice.
  package func run() async throws {
    try await recall()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await event in self.connection.events { await self.take(event) } }
      group.addTask { for await change in self.machine.changes { await self.take(change) } }
      // The first to end is cancelled, or the connection is closed.
      await group.next()
      group.cancelAll()
    }
    await end()
  }

  private func end() async {
    isOver = true
    timer?.task.cancel()
    for task in running.values { task.cancel() }
    for task in running.values { await task.value }
    if link == .connected {
      board.set("status", statusBody(.offline), isUrgent: true, now: clocks.waits.now)
      flush()
    }
    await save()
    await connection.close()
  }

  // MARK: - The connection

  private func take(_ event: MQTTEvent) async {
    let now = clocks.waits.now
    switch event {
    case .connecting: change(.connecting)
    case .connected: await connected()
    case .lost(let reason, let wait):
      change(wait.map { .waiting(nextAttempt: now + $0) } ?? .paused)
      lost(reason)
    case .message(let message): await receive(message)
    case .acknowledged(let token): await acknowledged(token)
    case .unacknowledged(let token, let reason): unacknowledged(token, reason)
    case .notSubscribed(_, let reason):
      lastError = "the broker refused the subscription to commands: \(reason)"
      logger.event(
        .fleetBrokerRefused, level: .error,
        "the broker refuses this machine its commands: \(reason); see the broker's access rules")
    case .overflow(let count):
      counts.refused += count
      logger.warning("\(count) commands came faster than they could be read, and are lost")
    }
    flush()
  }

  private func change(_ link: Link) {
    guard self.link != link else { return }
    self.link = link
    linkSince = clocks.now()
  }

  private func connected() async {
    let now = clocks.waits.now
    change(.connected)
    connects += 1
    lastError = nil
    session = nextSession
    nextSession += 1
    // The next attempt's will has the next number: a late will of this connection is known by its
    // own.
    connection.change(will: Self.will(topics, session: nextSession, time: clocks.now()))
    board.set("status", statusBody(.online), isUrgent: true, now: now)
    board.set("about", aboutBody, isUrgent: true, now: now)
    checkCertificate()
    board.birth(now: now)
    report.forget()
    if settings.metricsSeconds > 0 {
      metricsDue = min(metricsDue ?? now, now + .seconds(Int64(settings.metricsSeconds)))
    }
    tellDrops()
    do {
      try connection.subscribe([topics.commands], qos: .atLeastOnce)
    } catch {
      lastError = "the subscription to commands was not sent: \(error)"
    }
    flush()
    await save()
  }

  private func lost(_ reason: String) {
    if lastError != reason {
      lastError = reason
      if Self.lastingReasons.contains(where: reason.hasPrefix) {
        logger.event(.fleetBrokerRefused, level: .error, "no connection to the broker: \(reason)")
      } else {
        logger.notice("no connection to the broker: \(reason)")
      }
    }
    refusal = nil
    retainedTokens.removeAll()
    replies.lost()
    events.lost()
  }

  /// Beginnings of reasons that do not pass by themselves.
  private static let lastingReasons = [
    "the broker says", "the broker refused", "the broker does not know", "the broker wants",
  ]

  private func acknowledged(_ token: UInt64) async {
    if retainedTokens.remove(token) != nil || replies.acknowledged(token) != nil { return }
    if let item = events.acknowledged(token), let id = item.auditID { await note(.audited(id: id)) }
  }

  private func unacknowledged(_ token: UInt64, _ reason: String) {
    let now = clocks.waits.now
    let isRetained = retainedTokens.remove(token) != nil
    let dropped = replies.unacknowledged(token, now) ?? events.unacknowledged(token, now)
    if let dropped { forgetAudit(dropped) }
    if isRetained || dropped != nil, refusal == nil { refusal = (reason, now + .seconds(1)) }
  }

  private func tellRefusal(_ now: LimitClock.Instant) {
    guard let told = refusal, told.due <= now else { return }
    refusal = nil
    guard lastError != told.reason else { return }
    lastError = told.reason
    logger.event(
      .fleetBrokerRefused, level: .error,
      "the broker refuses a message of this machine: \(told.reason); see the broker's access rules")
  }

  // MARK: - Time

  /// Sees to what is due, and sleeps until the next thing is.
  func flush() {
    let now = clocks.waits.now
    tellAlarms(now)
    send(now)
    if let due = metricsDue, due <= now { reportFigures(now) }
    arm()
  }

  private func arm() {
    guard !isOver else { return }
    var moments = [alarms.deadline, certificateDue, settleDue, untoldDue, metricsDue, refusal?.due]
    if link == .connected { moments += [board.deadline, retryDue, replies.deadline, events.deadline] }
    guard let next = moments.compactMap({ $0 }).min() else { return }
    if let timer, timer.at <= next, timer.at > clocks.waits.now { return }
    timer?.task.cancel()
    let clock = clocks.waits
    timer = (
      Task { [weak self] in
        guard (try? await clock.sleep(until: next)) != nil else { return }
        await self?.wake()
      }, next
    )
  }

  private func wake() async {
    timer = nil
    let now = clocks.waits.now
    if let due = retryDue, due <= now { retryDue = nil }
    if let due = certificateDue, due <= now { checkCertificate() }
    if let due = settleDue, due <= now { settle(now) }
    tellRefusal(now)
    if let due = untoldDue, due <= now { await tellUntold() }
    flush()
    if Set(board.names) != savedTopics { await save() }
  }
}

/// What is known of modemd.
enum Presence: Hashable, Sendable {
  case unknown
  case present(version: String?)
  case absent(String)
}

/// A command under way.
struct CommandID: Hashable, Sendable {
  let requester: String
  let correlation: [UInt8]
}

import ClockTestSupport
import FleetSettings
import JSONTree
import DeviceAPI
import LimitClock
import Logging
import MQTTClient
import ModemModel
import Synchronization
import Testing

@testable import FleetAgent

/// An agent with a broker in memory, a played machine and a clock that stands still.
final class AgentStage: Sendable {
  static let machineName = "kiosk-1"
  static let base = "modemd/1/kiosk-1"

  let broker: MemoryBroker
  let connection: MemoryConnection
  let machine = PlayedMachine()
  let clock: DrivenClock
  let memory: MortalMemory
  let agent: FleetAgent
  let log = LogKeeper()
  private let running: Task<Void, any Error>

  init(
    memory: any FleetMemory = VolatileMemory(), broker: MemoryBroker = MemoryBroker(),
    clock: DrivenClock = DrivenClock(), expiries: LimitClock? = nil, wall: WallTime? = nil,
    key: FleetKey? = nil, _ change: (inout FleetSettings) -> Void = { _ in }
  ) {
    var settings = FleetSettings(
      host: "broker.example", machine: Self.machineName, authorities: "/none", certificate: "/none", key: "/none")
    settings.commands.requesters = ["desk": FleetSettings.commandNames]
    change(&settings)
    self.memory = MortalMemory(memory)
    self.broker = broker
    self.clock = clock
    connection = MemoryConnection(broker)
    var clocks = FleetAgent.Clocks()
    clocks.waits = clock.clock
    clocks.expiries = expiries ?? clock.clock
    let start = Timestamp(milliseconds: 1_790_000_000_000)
    clocks.now = { wall?.now ?? start.later(by: clock.elapsed) }
    agent = FleetAgent(
      settings: settings, connection: connection, machine: machine, memory: self.memory, fleetKey: key, clocks: clocks,
      logger: log.logger)
    running = Task { [agent] in try await agent.run() }
  }

  deinit { kill() }

  /// Ends the agent as SIGKILL would: nothing is written or said from here on, and the broker sends
  /// the will.
  func kill() {
    memory.die()
    connection.lose()
    running.cancel()
  }

  /// Ends the agent in order.
  func end() async throws {
    running.cancel()
    try await running.value
  }

  /// A connected agent with one modem, after its first messages.
  func begin(_ modem: ModemInterface.Modem = .played, bearer: BearerInterface.Bearer = .played(.up)) async throws {
    machine.tell(.present(version: "1"))
    machine.tell(.modem(modem))
    machine.tell(.bearer(bearer))
    try await until { await self.agent.bearers[modem.id] != nil }
    connection.connect()
    try await until { self.broker.retained["\(Self.base)/modem/\(await self.name)/bearer"] != nil }
  }

  /// The modem's name in the fleet.
  var name: String { get async { await agent.discretion.name(ModemInterface.Modem.played.id) } }

  /// What a retained topic says; nil if there is none.
  func topic(_ rest: String) -> JSONValue? {
    broker.retained["\(Self.base)/\(rest)"].flatMap { JSONValue(parsing: $0.payload) }
  }

  /// What was published to a topic, in order.
  func published(_ rest: String) -> [JSONValue] {
    broker.published.filter { $0.topic == "\(Self.base)/\(rest)" }.map { JSONValue(parsing: $0.payload) ?? .null }
  }

  /// Waits until something holds. Time stands still.
  func until(_ condition: () async -> Bool, _ location: SourceLocation = #_sourceLocation) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while await !condition() {
      guard ContinuousClock.now < end else {
        Issue.record("this did not happen within 20 s", sourceLocation: location)
        throw CancellationError()
      }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Lets time pass once the agent waits for it.
  func advance(_ duration: Duration) async {
    await clock.asleep()
    clock.advance(by: duration)
  }

  /// Waits until something holds, while a second passes again and again.
  func passing(_ condition: () async -> Bool, _ location: SourceLocation = #_sourceLocation) async throws {
    try await until(
      {
        if await condition() { return true }
        self.clock.advance(by: .seconds(1))
        return false
      }, location)
  }

  // MARK: - Commands

  struct Command: Sendable {
    var name: String
    var requester = "desk"
    var payload = "{}"
    var correlation: [UInt8]? = (0..<16).map { _ in UInt8.random(in: 0...255) }
    var expiry: UInt32? = 30
    var isRetained = false
    var response: String?
    var machine = AgentStage.machineName
    var properties: [MQTTMessage.Property] = []

    init(_ name: String, _ payload: String = "{}", _ change: (inout Command) -> Void = { _ in }) {
      self.name = name
      self.payload = payload
      change(&self)
    }

    var message: MQTTMessage {
      MQTTMessage(
        "modemd/1/\(machine)/command/\(requester)/\(name)", Array(payload.utf8), isRetained: isRetained,
        responseTopic: response, correlation: correlation, expirySeconds: expiry, userProperties: properties)
    }
  }

  /// Replies to a command so far.
  func replies(to command: Command) -> [JSONValue] {
    broker.published.filter {
      $0.topic == "\(Self.base)/reply/\(command.requester)" && $0.correlation == command.correlation
    }.map { JSONValue(parsing: $0.payload) ?? .null }
  }

  /// Sends a command, and waits for its outcome or error.
  func ask(_ command: Command, _ location: SourceLocation = #_sourceLocation) async throws -> [JSONValue] {
    let before = replies(to: command).count
    connection.deliver(command.message)
    try await until(
      {
        self.replies(to: command).dropFirst(before).contains {
          ["outcome", "error"].contains($0["event"]?.string)
        }
      }, location)
    return Array(replies(to: command).dropFirst(before))
  }

  /// The reason of the refusal that a command gets.
  func refusal(of command: Command, _ location: SourceLocation = #_sourceLocation) async throws -> String? {
    let reply = try await ask(command, location).last
    guard reply?["error"]?.string == "org.modemd.Fleet.Refused" else { return reply?["error"]?.string }
    return reply?["parameters"]?["reason"]?.string
  }
}

/// A memory of a process that can be killed.
final class MortalMemory: FleetMemory {
  private let memory: any FleetMemory
  private let isDead = Mutex(false)

  init(_ memory: any FleetMemory) { self.memory = memory }

  func die() { isDead.withLock { $0 = true } }

  private func live() throws {
    if isDead.withLock({ $0 }) { throw FleetMemoryError("the process was killed") }
  }

  func read(_ file: FleetFile) async throws -> [UInt8] { try await memory.read(file) }
  func replace(_ file: FleetFile, with bytes: [UInt8]) async throws {
    try live()
    try await memory.replace(file, with: bytes)
  }
  func append(_ bytes: [UInt8], to file: FleetFile) async throws {
    try live()
    try await memory.append(bytes, to: file)
  }
}

/// A time of day that jumps.
final class WallTime: Sendable {
  private let time: Mutex<Timestamp>

  init(_ time: Timestamp) { self.time = Mutex(time) }

  var now: Timestamp { time.withLock { $0 } }
  func jump(to time: Timestamp) { self.time.withLock { $0 = time } }
}

/// What was logged.
final class LogKeeper: Sendable {
  private let lines = Mutex<[(level: Logger.Level, message: String, metadata: Logger.Metadata)]>([])

  var all: [(level: Logger.Level, message: String, metadata: Logger.Metadata)] { lines.withLock { $0 } }

  var logger: Logger { Logger(label: "test") { _ in Handler(keeper: self) } }

  private struct Handler: LogHandler {
    let keeper: LogKeeper
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      keeper.lines.withLock { $0.append((event.level, "\(event.message)", event.metadata ?? [:])) }
    }
  }
}

import BrokerTestSupport
import FleetSettings
import Glibc
import JSONTree
import LimitClock
import Logging
import MQTTClient
import Synchronization
import Testing

@testable import FleetAgent

/// An agent at a real mosquitto, over TLS with a certificate of its own.
final class RealStage: Sendable {
  let broker: Broker
  let loop: MQTTLoop
  let machine = PlayedMachine()
  let memory: MortalMemory
  let agent: FleetAgent
  let log = LogKeeper()
  private let running: Task<Void, any Error>

  init(
    _ broker: Broker, on loop: MQTTLoop, machine name: String = "kiosk-1", memory: any FleetMemory = VolatileMemory(),
    willDelay: UInt32 = 0, _ change: (inout FleetSettings) -> Void = { _ in }
  ) async throws {
    let credentials = try broker.credentials(name)
    var settings = FleetSettings(
      host: broker.host, machine: name, authorities: credentials.authorities, certificate: credentials.certificate,
      key: credentials.key)
    settings.port = Int(broker.machinesPort)
    settings.fleetSize = 1
    settings.commands.requesters = ["desk": FleetSettings.commandNames]
    change(&settings)
    self.broker = broker
    self.loop = loop
    self.memory = MortalMemory(memory)
    var target = try await FleetAgent.broker(settings, memory: memory)
    target.willDelaySeconds = willDelay
    agent = FleetAgent(
      settings: settings, connection: MosquittoConnection(target, on: loop), machine: machine, memory: self.memory,
      logger: log.logger)
    running = Task { [agent] in try await agent.run() }
  }

  deinit { running.cancel() }

  func end() async throws {
    running.cancel()
    try await running.value
  }

  /// Has the broker see the end of the connection without a word, as that of a process.
  func breakConnection() {
    for descriptor in 3..<Int32(1024) where Self.peerPort(of: descriptor) == broker.machinesPort {
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
  }

  private static func peerPort(of descriptor: Int32) -> UInt16? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
    }
    guard isConnected, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Tells of one modem, and waits for the connection.
  func begin() async throws {
    machine.tell(.present(version: "1"))
    machine.tell(.modem(.played))
    machine.tell(.bearer(.played(.up)))
    try await eventually { await self.agent.bearers.count == 1 }
    try await eventually { await self.agent.link == .connected }
  }
}

/// A client of the back office.
final class Office: Sendable {
  let connection: MosquittoConnection
  private let record = Mutex<[MQTTEvent]>([])
  private let reader = Mutex<Task<Void, Never>?>(nil)

  init(_ broker: Broker, _ name: String, on loop: MQTTLoop, isMachine: Bool = false) async throws {
    let credentials = try broker.credentials(name, file: "office-\(name)")
    connection = MosquittoConnection(
      MQTTBroker(
        host: broker.host, port: Int(isMachine ? broker.machinesPort : broker.officePort), clientID: name,
        authorities: credentials.authorities, certificate: credentials.certificate, key: credentials.key,
        sessionExpirySeconds: 0, fleetSize: 1), on: loop)
    let events = connection.events
    reader.withLock { reader in
      reader = Task { [weak self] in for await event in events { self?.record.withLock { $0.append(event) } } }
    }
    try await eventually { self.isConnected }
    try connection.subscribe(
      [
        "modemd/1/+/reply/\(name)", "modemd/1/+/status", "modemd/1/+/about", "modemd/1/+/modem/#", "modemd/1/+/alarm/+",
        "modemd/1/+/event/+", "modemd/1/+/metrics", "modemd/1/+/audit",
      ], qos: .atLeastOnce)
  }

  deinit { reader.withLock { $0?.cancel() } }

  private var isConnected: Bool {
    record.withLock { $0.contains { if case .connected = $0 { true } else { false } } }
  }

  var events: [MQTTEvent] { record.withLock { $0 } }
  func forget() { record.withLock { $0.removeAll() } }

  /// What came to a topic, the earliest first.
  func messages(_ topic: String) -> [MQTTMessage] {
    events.compactMap { event in
      if case .message(let message) = event, message.topic == topic { message } else { nil }
    }
  }

  func last(_ topic: String) -> JSONValue? { messages(topic).last.flatMap { JSONValue(parsing: $0.payload) } }

  func send(_ command: AgentStage.Command) throws { _ = try connection.publish(command.message) }

  func replies(to command: AgentStage.Command) -> [JSONValue] {
    messages("modemd/1/\(command.machine)/reply/\(command.requester)").filter { $0.correlation == command.correlation }
      .map { JSONValue(parsing: $0.payload) ?? .null }
  }

  /// Sends a command, and waits for its end.
  func ask(_ command: AgentStage.Command, _ location: SourceLocation = #_sourceLocation) async throws -> [JSONValue] {
    let before = replies(to: command).count
    try send(command)
    try await eventually(
      {
        self.replies(to: command).dropFirst(before).contains { ["outcome", "error"].contains($0["event"]?.string) }
      }, location)
    return Array(replies(to: command).dropFirst(before))
  }
}

/// Waits until something holds, at most 30 s.
func eventually(
  _ condition: () async -> Bool, _ location: SourceLocation = #_sourceLocation
) async throws {
  let end = ContinuousClock.now + .seconds(30)
  while await !condition() {
    guard ContinuousClock.now < end else {
      Issue.record("this did not happen within 30 s", sourceLocation: location)
      throw CancellationError()
    }
    try await Task.sleep(for: .milliseconds(2))
  }
}

import ArgumentParser
import BenchmarkFigures
import BrokerTestSupport
import FleetAgent
import Glibc
import LimitClock
import MQTTClient

@main
struct ModemdBenchFleet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modemd-bench-fleet", abstract: "Many agents of a fleet against one broker.",
    discussion: """
      Starts a mosquitto of its own with TLS and a certificate for each machine, and the agents of
      modemd-fleet with simulated modems in this process. Needs mosquitto and openssl, and a limit
      of open files (ulimit -n) of four for each agent.
      """)

  @Option(help: "How many agents.") var agents = 2000
  @Option(help: "Commands, one after the other.") var commands = 1000
  @Flag(help: "Count the bytes of one machine's day instead.") var day = false
  @Option(help: "File to append JSON to.") var json: String?

  private var clock: LimitClock { .machine }

  func validate() throws {
    guard (1...20_000).contains(agents) else { throw ValidationError("--agents: 1 to 20000") }
    guard (1...100_000).contains(commands) else { throw ValidationError("--commands: 1 to 100000") }
  }

  func run() async throws {
    var options = Broker.Options()
    options.logsAll = false
    let broker = try Broker(options)
    let office = try await BenchOffice(broker, on: MQTTLoop())
    if day { try await measureDay(broker, office) } else { try await measureFleet(broker, office) }
  }

  private func measureDay(_ broker: Broker, _ office: BenchOffice) async throws {
    let sink = FigureOutput(jsonPath: json)
    let day = Day(broker: broker, loop: try MQTTLoop(), office: office)
    let sign = try await day.measureSignOfLife()
    let cost = try await day.measure()
    // The default, 600 s: as many as there can be, since other messages replace some.
    let signs: UInt64 = 144
    try sink.write("fleet-day-sign-of-life", Double(sign.bytesWithHeaders), "B")
    try sink.write("fleet-day-sent", Double(cost.traffic.sent + signs * sign.traffic.sent) / 1000, "kB")
    try sink.write("fleet-day-received", Double(cost.traffic.received + signs * sign.traffic.received) / 1000, "kB")
    let all = Double(cost.bytesWithHeaders + signs * sign.bytesWithHeaders) / 1000
    try sink.write("fleet-day-with-headers", all, "kB", most: 1000)
    if all > 1000 { throw ExitCode(1) }
  }

  private func measureFleet(_ broker: Broker, _ office: BenchOffice) async throws {
    let sink = FigureOutput(jsonPath: json)
    let (own, others) = try (ProcessFigures(getpid()), figures(broker))
    var start = clock.now
    let fleet = try await Fleet.start(agents, at: broker, on: try MQTTLoop())
    let made = clock.now
    try await office.wait("all machines") { $0.sessions.count == agents }
    try sink.write("fleet-all-connected", (clock.now - made) / .seconds(1), "s")
    try await quiet(fleet)
    let (ownAfter, othersAfter) = try (ProcessFigures(getpid()), figures(broker))
    try sink.write("fleet-agent-memory", Double(ownAfter.anonymous - own.anonymous) / Double(agents), "kB")
    try sink.write("fleet-broker-memory", Double(othersAfter.resident) / 1000, "MB")
    try sink.write(
      "fleet-broker-memory-each", Double(othersAfter.resident - others.resident) / Double(agents), "kB")
    try sink.write(
      "fleet-broker-processor-connect", (othersAfter.processor - others.processor) / Double(agents) * 1000, "ms")

    try await measureCommands(fleet, office, sink)
    try await measureEvents(fleet, sink)

    start = clock.now
    for machine in fleet.machines { machine.turn(.down) }
    try await office.wait("all bearers' states") { $0.machinesDown == agents }
    try sink.write("fleet-all-bearers-told", (clock.now - start) / .seconds(1), "s")

    try await measureRestart(broker, office, sink)
    try sink.write("fleet-office-lost", Double(office.lost), "messages")
    await fleet.end()
  }

  private func measureCommands(_ fleet: Fleet, _ office: BenchOffice, _ sink: FigureOutput) async throws {
    var times: [Double] = []
    for number in 0..<commands {
      let name = fleet.names[number * 7919 % fleet.names.count]
      let start = clock.now
      try await office.ask(name, "modem.get")
      times.append((clock.now - start) / .milliseconds(1))
    }
    times.sort()
    try sink.write("fleet-command-median", times[times.count / 2], "ms")
    try sink.write("fleet-command-95th", times[times.count * 95 / 100], "ms")
  }

  /// Events of 300 bytes with QoS 1 from all machines, until the broker has acknowledged them.
  private func measureEvents(_ fleet: Fleet, _ sink: FigureOutput) async throws {
    let before = try figures(fleet.broker)
    let payload = [UInt8](repeating: 0x20, count: 300)
    let (rounds, each) = (5, 10)
    let start = clock.now
    for _ in 0..<rounds {
      for (name, connection) in zip(fleet.names, fleet.connections) {
        for _ in 0..<each { _ = try connection.publish(.init("modemd/1/\(name)/event/bench", payload)) }
      }
      try await quiet(fleet)
    }
    let seconds = (clock.now - start) / .seconds(1)
    let count = Double(rounds * each * agents)
    let after = try figures(fleet.broker)
    try sink.write("fleet-events", count / seconds, "1/s")
    try sink.write("fleet-broker-processor-event", (after.processor - before.processor) / count * 1_000_000, "us")
  }

  private func measureRestart(_ broker: Broker, _ office: BenchOffice, _ sink: FigureOutput) async throws {
    let before = office.sessions
    broker.stop()
    try await office.wait("the office's loss") { !$0.isConnected }
    try broker.start()
    let start = clock.now
    let atStart = try figures(broker)
    office.connection.resume()
    try await office.wait("the return of all") { $0.returned(since: before) == agents }
    try sink.write("fleet-all-back", (clock.now - start) / .seconds(1), "s")
    let after = try figures(broker)
    try sink.write(
      "fleet-broker-processor-return", (after.processor - atStart.processor) / Double(agents) * 1000, "ms")
  }

  /// Waits until the broker has acknowledged everything.
  private func quiet(_ fleet: Fleet) async throws {
    let end = clock.now + .seconds(120)
    while fleet.connections.contains(where: { $0.waiting > 0 }) {
      guard clock.now < end else { throw BenchmarkError("the broker does not acknowledge all within 2 minutes") }
      try await clock.pause(for: .milliseconds(2))
    }
  }

  private func figures(_ broker: Broker) throws -> ProcessFigures {
    guard let process = broker.processID else { throw BenchmarkError("the broker does not run") }
    return try ProcessFigures(process)
  }
}

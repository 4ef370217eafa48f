import BrokerTestSupport
import FleetAgent
import LimitClock
import MQTTClient

/// A day of one machine with the default settings, counted by the kernel on the connection.
struct Day {
  /// How much faster the agent's time passes: a day is a minute.
  private static let haste = 1440
  /// Bytes that IPv4 and TCP with time stamps add to a segment.
  private static let header: UInt64 = 52

  /// What passes over the link, with TLS.
  struct Cost {
    var traffic = MQTTTraffic()
    var bytes: UInt64 { traffic.sent + traffic.received }
    var bytesWithHeaders: UInt64 { bytes + (traffic.segmentsSent + traffic.segmentsReceived) * Day.header }
  }

  let broker: Broker
  let loop: MQTTLoop
  let office: BenchOffice

  /// 1,440 minutes with a new signal each, a report of figures each 15, five losses of the bearer,
  /// two absences of five minutes, and 20 commands.
  func measure() async throws -> Cost {
    let machineClock = LimitClock.machine
    let fast = LimitClock(
      now: { LimitClock.Instant(machineClock.now.sinceStart * Self.haste) },
      sleep: { try await machineClock.pause(for: $0 / Self.haste) })
    let settings = Fleet.settings("day", try broker.credentials("day"), at: broker, fleetSize: 1)
    let memory = VolatileMemory()
    let connection = MosquittoConnection(try await FleetAgent.broker(settings, memory: memory), on: loop)
    let machine = SimulatedMachine(0)
    var clocks = FleetAgent.Clocks()
    clocks.waits = fast
    let agent = FleetAgent(
      settings: settings, connection: connection, machine: machine, memory: memory, clocks: clocks, logger: Fleet.quiet)
    let run = Task { try await agent.run() }
    try await office.wait("the machine") { $0.sessions["day"] != nil }
    let begin = fast.now
    for minute in 0..<1440 {
      machine.minute(-70 - minute % 7)
      if minute % 288 == 100 { machine.turn(.down) }
      if minute % 288 == 102 { machine.turn(.up) }
      // Away for five minutes, twice.
      if minute % 720 == 300 { connection.pause() }
      if minute % 720 == 305 { connection.resume() }
      if minute % 72 == 50 { try await office.ask("day", "modem.get") }
      try await fast.sleep(until: begin + .seconds(Int64(minute + 1) * 60))
    }
    try await office.wait("the last acknowledgement") { _ in connection.waiting == 0 }
    let cost = Cost(traffic: connection.traffic)
    run.cancel()
    _ = await run.result
    return cost
  }

  /// What one sign of life costs, by those of a connection that says nothing else.
  func measureSignOfLife() async throws -> Cost {
    let files = try broker.credentials("still")
    let connection = MosquittoConnection(
      MQTTBroker(
        host: broker.host, port: Int(broker.machinesPort), clientID: "still", authorities: files.authorities,
        certificate: files.certificate, key: files.key, keepAliveSeconds: 5, fleetSize: 1), on: loop)
    for await event in connection.events { if case .connected = event { break } }
    // The first one settles what the handshake still had under way.
    let settled = try await next(connection.traffic, of: connection)
    let after = try await next(settled, of: connection)
    await connection.close()
    return Cost(
      traffic: MQTTTraffic(
        sent: after.sent - settled.sent, received: after.received - settled.received,
        segmentsSent: after.segmentsSent - settled.segmentsSent,
        segmentsReceived: after.segmentsReceived - settled.segmentsReceived))
  }

  /// The traffic after the next sign of life and its answer.
  private func next(_ before: MQTTTraffic, of connection: MosquittoConnection) async throws -> MQTTTraffic {
    try await office.wait("a sign of life") { _ in
      connection.traffic.sent > before.sent && connection.traffic.received > before.received
    }
    return connection.traffic
  }
}

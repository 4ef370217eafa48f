import BrokerTestSupport
import DeviceAPI
import FleetSettings
import JSONTree
import MQTTClient
import ModemAPI
import Testing

@testable import FleetAgent

/// Against Debian's mosquitto, with certificates and the access rules of Docs/fleet.md.
@Suite(.serialized, .timeLimit(.minutes(4))) struct FleetBrokerTests {
  typealias Command = AgentStage.Command

  @Test func allCommandsOverTheBroker() async throws {
    let (broker, loop) = (try Broker(), try MQTTLoop())
    let stage = try await RealStage(broker, on: loop) { $0.commands.openHosts = ["check.operator.example"] }
    stage.machine.set(report: Array(repeating: UInt8(ascii: "r"), count: 100_000))
    stage.machine.set(figures: [.init(name: "org.modemd.Modems", value: .int(1))])
    stage.machine.answer { command, progress in
      switch command {
      case .listModems: return .modems([.played])
      case .getModem: return .modem(.played)
      case .getBearer, .connect, .disconnect: return .bearer(.played(.up))
      case .prepare:
        return .prepared(.init(modem: ModemInterface.Modem.played.id, resolved: [], unresolved: [], milliseconds: 1))
      case .verify:
        await progress(.step(.init(index: 1, name: "createCheck", lane: .host, start: 0, milliseconds: 1)))
        return .verified(.init(result: .verified, text: "It is the SIM's number.", milliseconds: 5))
      case .open: return .opened(.init(result: .answer, answer: .init(status: 200), milliseconds: 5))
      case .reload, .figures, .diagnosis: return .reloaded
      }
    }
    try await stage.begin()
    let desk = try await Office(broker, "desk", on: loop)
    for name in FleetSettings.commandNames.sorted() {
      let payload =
        switch name {
        case "verify.number": "{\"number\":\"+447700900123\",\"progress\":true}"
        case "check.open": "{\"url\":\"https://check.operator.example/\"}"
        default: "{}"
        }
      let replies = try await desk.ask(Command(name, payload))
      #expect(replies.first?["event"]?.string == "accepted", "\(name)")
      #expect(replies.last?["event"]?.string == "outcome", "\(name): \(replies)")
      #expect(replies.map { $0["seq"]?.integer } == Array(0..<replies.count), "\(name)")
    }
    try await eventually { desk.messages("modemd/1/kiosk-1/audit").count == FleetSettings.commandNames.count }
    try await eventually { desk.last("modemd/1/kiosk-1/event/verify")?["result"]?.string == "verified" }
    let reply = try #require(desk.messages("modemd/1/kiosk-1/reply/desk").first)
    #expect(reply.contentType == "application/json")
    try await stage.end()
    try await eventually { desk.last("modemd/1/kiosk-1/status")?["state"]?.string == "offline" }
  }

  @Test func whoComesLateSeesTheState() async throws {
    let (broker, loop) = (try Broker(), try MQTTLoop())
    let stage = try await RealStage(broker, on: loop)
    try await stage.begin()
    let name = await stage.agent.discretion.name(ModemInterface.Modem.played.id)
    try await eventually { await stage.agent.retainedTokens.isEmpty }
    let desk = try await Office(broker, "desk", on: loop)
    for topic in ["status", "about", "modem/\(name)/state", "modem/\(name)/bearer"] {
      try await eventually { desk.last("modemd/1/kiosk-1/\(topic)")?["n"] == .int(1) }
      #expect(desk.messages("modemd/1/kiosk-1/\(topic)").first?.isRetained == true)
    }
  }

  @Test(arguments: [false, true])
  func aBrokerThatRestartsIsToldAllAnew(isSudden: Bool) async throws {
    let (broker, loop) = (try Broker(), try MQTTLoop())
    let stage = try await RealStage(broker, on: loop)
    try await stage.begin()
    let name = await stage.agent.discretion.name(ModemInterface.Modem.played.id)
    if isSudden { broker.kill() } else { broker.stop() }
    try await eventually { await stage.agent.link != .connected }
    stage.machine.tell(.bearer(.played(.down, since: "2026-11-26T12:00:00.000Z")))
    try await eventually { await stage.agent.events.items.count == 1 }
    try broker.start()
    let desk = try await Office(broker, "desk", on: loop)
    try await eventually { desk.last("modemd/1/kiosk-1/status")?["state"]?.string == "online" }
    try await eventually { desk.last("modemd/1/kiosk-1/modem/\(name)/bearer")?["state"]?.string == "down" }
    #expect(desk.last("modemd/1/kiosk-1/modem/\(name)/bearer")?["n"] == .int(2))
    try await eventually { await stage.agent.events.items.isEmpty }
    #expect(try await desk.ask(Command("service.reload")).last?["event"]?.string == "outcome")
  }

  @Test func aMachineThatDiesIsSaidToBeLostByItsWill() async throws {
    let (broker, loop) = (try Broker(), try MQTTLoop())
    let desk = try await Office(broker, "desk", on: loop)
    let stage = try await RealStage(broker, on: loop)
    try await stage.begin()
    try await eventually { desk.last("modemd/1/kiosk-1/status")?["state"]?.string == "online" }
    // The socket's end without a word is all that a broker sees of a process that was killed.
    stage.breakConnection()
    let said = { desk.messages("modemd/1/kiosk-1/status").compactMap { JSONValue(parsing: $0.payload) } }
    try await eventually { said().contains { $0["state"]?.string == "lost" && $0["n"] == .int(1) } }
    try await eventually { said().last?["state"]?.string == "online" && said().last?["n"] == .int(2) }
  }

  @Test func whoMayNotIsHeldBackByBrokerOrMachine() async throws {
    let (broker, loop) = (try Broker(), try MQTTLoop())
    let stage = try await RealStage(broker, on: loop)
    try await stage.begin()
    let (desk, field) = (try await Office(broker, "desk", on: loop), try await Office(broker, "field", on: loop))
    // In its own name: the machine's settings do not have it.
    let own = Command("service.reload") { $0.requester = "field" }
    let replies = try await field.ask(own)
    #expect(replies.last?["parameters"]?["reason"]?.string == "notAllowed")
    // In another's name: the broker refuses.
    try field.send(Command("service.reload"))
    try await eventually {
      field.events.contains {
        if case .unacknowledged(_, let reason) = $0 { reason.contains("authorized") } else { false }
      }
    }
    // Another machine cannot command this one, nor speak for it.
    let other = try await Office(broker, "kiosk-2", on: loop, isMachine: true)
    for topic in [
      "modemd/1/kiosk-1/command/desk/service.reload", "modemd/1/kiosk-1/status",
      "modemd/1/kiosk-1/command/kiosk-2/service.reload",
    ] {
      _ = try other.connection.publish(
        MQTTMessage(topic, Array("{}".utf8), correlation: Array(0..<16), expirySeconds: 30))
    }
    try await eventually {
      other.events.count { if case .unacknowledged = $0 { true } else { false } } == 3
    }
    #expect(stage.machine.asked.isEmpty)
    // What one requester is told, the other does not hear.
    _ = try await desk.ask(Command("service.reload"))
    #expect(field.messages("modemd/1/kiosk-1/reply/desk").isEmpty)
  }

  @Test func retainedDoubledAndExpiredCommandsAreNotCarriedOut() async throws {
    let (broker, loop) = (try Broker(), try MQTTLoop())
    let desk = try await Office(broker, "desk", on: loop)
    // Kept by the broker until a machine subscribes.
    let kept = Command("service.reload") { $0.isRetained = true }
    try desk.send(kept)
    let memory = VolatileMemory()
    do {
      let stage = try await RealStage(broker, on: loop, memory: memory)
      try await stage.begin()
      try await eventually { desk.replies(to: kept).last?["parameters"]?["reason"]?.string == "retained" }
      let twice = Command("service.reload")
      try desk.send(twice)
      try desk.send(twice)
      try await eventually { desk.replies(to: twice).count { $0["event"]?.string == "outcome" } >= 1 }
      try await eventually { await stage.agent.status().commands.repeated == 1 }
      #expect(stage.machine.asked.count == 1)
      try await stage.end()
    }
    // While the machine is away, one expires and one does not.
    let (late, intime) = (Command("service.reload") { $0.expiry = 1 }, Command("service.reload") { $0.expiry = 200 })
    try desk.send(late)
    try desk.send(intime)
    try await eventually { desk.connection.waiting == 0 }
    try await Task.sleep(for: .seconds(2))
    let stage = try await RealStage(broker, on: loop, memory: memory)
    try await stage.begin()
    try await eventually { desk.replies(to: intime).last?["event"]?.string == "outcome" }
    #expect(desk.replies(to: late).isEmpty)
    #expect(stage.machine.asked.count == 1)
  }

  @Test func theCertificatesEndIsKnown() async throws {
    let (broker, loop) = (try Broker(), try MQTTLoop())
    let stage = try await RealStage(broker, on: loop)
    try await stage.begin()
    let end = try #require(await stage.agent.status().connection.certificateExpires)
    #expect(end > "2026" && end.hasSuffix("Z"))
    let desk = try await Office(broker, "desk", on: loop)
    try await eventually { desk.last("modemd/1/kiosk-1/about")?["certificateExpires"]?.string == end }
  }
}

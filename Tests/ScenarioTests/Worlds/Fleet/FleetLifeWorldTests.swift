import BrokerTestSupport
import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// What ends and comes back around a machine in a fleet.
@Suite(
  "A machine's life in a fleet", .serialized, .timeLimit(.minutes(4)),
  .enabled(if: Worlds.areAllowed && FleetWorld.isReady, "it needs a world, and mosquitto with its clients"))
struct FleetLifeWorldTests {
  @Test func `a lost bearer, a restarted modemd and a restarted broker show in what the fleet sees`() async throws {
    try await FleetWorld.run { fleet in
      let agent = try await fleet.start()
      let up = try await fleet.ask("bearer.connect")
      let name = try #require(up.body?["outcome"]?["bearer"]?["modem"]?.string, "\(up.text)")
      let topic = "modem/\(name)/bearer"
      #expect(try await fleet.world.eventually { fleet.last(topic)?["state"] == .string("up") })
      let seen = fleet.messages("event/bearer").count
      _ = try await fleet.world.perform("drop-bearer 36")
      // It was asked for, so that it comes back by itself; both are told.
      #expect(
        try await fleet.world.eventually {
          let words = fleet.messages("event/bearer").dropFirst(seen).compactMap { $0.body?["bearer"]?.string }
          return words.contains("down") && words.last == "up"
        }, "\(fleet.messages("event/bearer").map(\.text))")
      #expect(fleet.messages("event/bearer").contains { $0.body?["cause"]?["code"]?.integer == 36 })
      #expect(try await fleet.world.eventually { fleet.last(topic)?["state"] == .string("up") })

      await fleet.world.end(.service)
      #expect(try await fleet.world.eventually { fleet.last("status")?["modemd"] == .string("absent") })
      let gone = try await fleet.ask("modem.list")
      #expect(gone.body?["error"] == .string("org.modemd.Fleet.Absent"), "\(gone.text)")
      try await fleet.world.start(.service)
      #expect(try await fleet.world.eventually { fleet.last("status")?["modemd"] == .string("present") })
      #expect(try await fleet.ask("modem.list").body?["event"] == .string("outcome"))

      let births = fleet.messages("status").count
      fleet.broker.stop()
      try fleet.broker.start()
      #expect(
        try await fleet.world.eventually {
          fleet.messages("status").dropFirst(births).last?.body?["state"] == .string("online")
        }, "\(agent.error())")
      #expect(try await fleet.ask("modem.list").body?["event"] == .string("outcome"))
      await fleet.stop(agent)
    }
  }

  @Test func `a locked SIM is an alarm, which goes when it holds no more`() async throws {
    try await FleetWorld.run(#", "sim": { "state": "pinRequired" }"#) { fleet in
      let agent = try await fleet.start()
      #expect(
        try await fleet.world.eventually { fleet.messages("alarm/").contains { $0.topic.contains("/simLocked") } },
        "\(fleet.messages("alarm/").map(\.text))")
      let unlocked = try await fleet.world.run(["sh", "-c", "echo 1234 | modemctl unlock"])
      #expect(unlocked.end == .exited(0), "\(unlocked.error)")
      #expect(
        try await fleet.world.eventually {
          fleet.messages("alarm/").last { $0.topic.contains("/simLocked") }?.text.isEmpty == true
        }, "\(fleet.messages("alarm/").map(\.text))")
      await fleet.stop(agent)
    }
  }

  @Test func `settings are read anew, and a bad file changes nothing`() async throws {
    try await FleetWorld.run { fleet in
      try fleet.write(requesters: #"{ "desk": ["modem.list"] }"#)
      let agent = try await fleet.start()
      let refused = try await fleet.ask("bearer.get")
      #expect(refused.body?["parameters"]?["reason"] == .string("notAllowed"), "\(refused.text)")
      try fleet.write(requesters: #"{ "desk": ["modem.lst"] }"#)
      agent.process.send(SIGHUP)
      #expect(try await fleet.world.eventually { agent.error().contains("the reload changed nothing:") })
      #expect(agent.error().contains("did you mean modem.list?"), "\(agent.error())")
      #expect(try await fleet.ask("modem.list").body?["event"] == .string("outcome"))
      try fleet.write(requesters: #"{ "desk": ["modem.list", "bearer.get"] }"#)
      let births = fleet.messages("status").count
      agent.process.send(SIGHUP)
      #expect(
        try await fleet.world.eventually {
          fleet.messages("status").dropFirst(births).last?.body?["state"] == .string("online")
        }, "\(agent.error())")
      #expect(try await fleet.ask("bearer.get").body?["event"] == .string("outcome"))
      #expect(agent.process.end == nil)
      await fleet.stop(agent)
    }
  }

  @Test func `a machine that dies is told as lost by the broker, and is back with all it has`() async throws {
    try await FleetWorld.run { fleet in
      let agent = try await fleet.start()
      #expect(try await fleet.world.eventually { !fleet.messages("modem/").isEmpty })
      let session = fleet.last("status")?["n"]?.integer ?? 0
      agent.process.send(SIGKILL)
      _ = await agent.process.waitForEnd()
      // The broker waits a minute for it.
      let deadline = ContinuousClock.now + .seconds(90)
      while fleet.last("status")?["state"] != .string("lost"), ContinuousClock.now < deadline {
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(fleet.last("status")?["state"] == .string("lost"), "\(fleet.messages("status").map(\.text))")
      #expect(fleet.last("status")?["n"]?.integer == session)
      let again = try await fleet.start()
      #expect((fleet.last("status")?["n"]?.integer ?? 0) > session)
      await fleet.stop(again)
    }
  }
}

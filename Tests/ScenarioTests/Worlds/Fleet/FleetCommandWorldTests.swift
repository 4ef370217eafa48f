import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// Every command over its whole way: an office client, mosquitto, modemd-fleet, modemd, modemd-port
/// and the simulated modem.
@Suite(
  "A fleet's commands in a world", .serialized, .timeLimit(.minutes(4)),
  .enabled(if: Worlds.areAllowed && FleetWorld.isReady, "it needs a world, and mosquitto with its clients"))
struct FleetCommandWorldTests {
  @Test func `each command does over the broker what modemctl does on the machine`() async throws {
    try await FleetWorld.run { fleet in
      let agent = try await fleet.start()
      let list = try await fleet.ask("modem.list")
      let modem = try #require(list.body?["outcome"]?["modems"]?.items.first, "\(list.text)")
      let name = try #require(modem["modem"]?.string, "\(list.text)")
      // modemd's own id would tell the IMEI to whoever tries all.
      #expect(!name.hasPrefix("modem-") && modem["sim"]?["state"] == .string("ready"), "\(list.text)")
      let payload = #"{ "modem": "\#(name)" }"#
      let one = try await fleet.ask("modem.get", payload)
      #expect(one.body?["outcome"]?["modem"]?["modem"]?.string == name, "\(one.text)")

      let up = try await fleet.ask("bearer.connect", payload)
      #expect(up.body?["outcome"]?["bearer"]?["state"] == .string("up"), "\(up.text)")
      let bearer = try await fleet.ask("bearer.get", payload)
      #expect(bearer.body?["outcome"]?["bearer"]?["state"] == .string("up"), "\(bearer.text)")
      #expect(try await fleet.world.eventually { fleet.last("modem/\(name)/bearer")?["state"] == .string("up") })
      let prepared = try await fleet.ask("check.prepare", payload)
      #expect(prepared.body?["event"] == .string("outcome"), "\(prepared.text)")

      let verified = try await fleet.ask("verify.number", #"{ "number": "\#(FleetWorld.own)" }"#)
      #expect(verified.body?["outcome"]?["result"] == .string("verified"), "\(verified.text)")
      let other = try await fleet.ask("verify.number", #"{ "number": "\#(FleetWorld.neighbour)" }"#)
      #expect(other.body?["outcome"]?["result"] == .string("notVerified"), "\(other.text)")
      let opened = try await fleet.ask(
        "check.open", #"{ "url": "https://check.aggregator.example/checks/4915112345678", "progress": true }"#)
      #expect(opened.body?["outcome"]?["result"] == .string("answer"), "\(opened.text)")
      let hops = fleet.replies(opened.correlation).filter { $0.body?["event"] == .string("hop") }
      #expect(hops.count >= 2, "\(fleet.replies(opened.correlation).map(\.text))")

      let report = try await fleet.ask("diagnostics.get")
      #expect(report.body?["event"] == .string("outcome"), "\(report.text)")
      let parts = fleet.replies(report.correlation).filter { $0.body?["event"] == .string("part") }
      #expect(parts.count == report.body?["outcome"]?["parts"]?.integer && !parts.isEmpty, "\(report.text)")
      #expect(parts.allSatisfy { $0.text.utf8.count <= 16 * 1024 })

      let down = try await fleet.ask("bearer.disconnect", payload)
      #expect(down.body?["outcome"]?["bearer"]?["state"] == .string("down"), "\(down.text)")
      // Each reply stream begins with `accepted`, and counts.
      for message in [list, up, verified, opened, report, down] {
        let events = fleet.replies(message.correlation).compactMap { $0.body?["event"]?.string }
        #expect(events.first == "accepted" && events.count { $0 == "outcome" || $0 == "error" } == 1, "\(events)")
        let numbers = fleet.replies(message.correlation).compactMap { $0.body?["seq"]?.integer }
        #expect(numbers == Array(0..<numbers.count), "\(numbers)")
      }
      // Each was audited.
      #expect(
        try await fleet.world.eventually {
          let names = fleet.messages("audit").compactMap { $0.body?["command"]?.string }
          return Set(names).isSuperset(of: ["modem.list", "bearer.connect", "verify.number", "check.open"])
        })
      #expect(agent.error().contains("desk had the fleet's command verify.number carried out"))
      #expect(fleet.world.leaks.packets == 0)
      await fleet.stop(agent)
      #expect(try await fleet.world.eventually { fleet.last("status")?["state"] == .string("offline") })
    }
  }

  @Test func `figures and a reload come over the broker, too`() async throws {
    try await FleetWorld.run { fleet in
      let agent = try await fleet.start()
      let figures = try await fleet.ask("metrics.get")
      #expect(figures.body?["event"] == .string("outcome"), "\(figures.text)")
      #expect(
        fleet.replies(figures.correlation).contains { $0.text.contains("org.modemd.FleetConnects") },
        "\(fleet.replies(figures.correlation).map(\.text))")
      let reload = try await fleet.ask("service.reload")
      #expect(reload.body?["event"] == .string("outcome"), "\(reload.text)")
      await fleet.stop(agent)
    }
  }

  @Test func `what this machine does not allow is refused, audited, and told by modemctl`() async throws {
    try await FleetWorld.run { fleet in
      try fleet.write(requesters: #"{ "desk": ["modem.list", "check.open"], "field": ["bearer.get"] }"#)
      let agent = try await fleet.start()
      for (command, payload, reason) in [
        ("bearer.disconnect", "{}", "notAllowed"), ("sim.unlock", "{}", "unknownCommand"),
        ("modem.list", #"{ "reveal": true }"#, "malformed"),
        ("check.open", #"{ "url": "https://other.example/" }"#, "notAllowed"),
        ("check.open", #"{ "url": "http://check.aggregator.example/" }"#, "malformed"),
      ] {
        let answer = try await fleet.ask(command, payload)
        #expect(answer.body?["error"] == .string("org.modemd.Fleet.Refused"), "\(answer.text)")
        #expect(answer.body?["parameters"]?["reason"] == .string(reason), "\(command): \(answer.text)")
      }
      // The same correlation data is not carried out twice.
      let first = try await fleet.ask("modem.list")
      _ = try await fleet.send("modem.list", correlation: first.correlation)
      #expect(
        try await fleet.world.eventually {
          fleet.replies(first.correlation).count { $0.body?["event"] == .string("outcome") } == 2
        })
      // Nobody gets a command to a machine under another name than the certificate's, and another
      // machine's topics are not this machine's business.
      let forged = try await fleet.send("modem.list", machine: "kiosk-0043")
      #expect(fleet.replies(forged).isEmpty)
      let status = try await fleet.world.run(["modemctl", "fleet", "status", "--json", "--control", fleet.controlPath])
      #expect(status.end == .exited(0), "\(status.error)")
      let tree = JSONValue(parsing: Array(status.output.utf8))
      #expect(tree?["commands"]?["refused"]?.integer == 5 && tree?["commands"]?["repeated"]?.integer == 1)
      let refusals = tree?["refusals"]?.items.compactMap { $0["reason"]?.string } ?? []
      #expect(refusals == ["malformed", "notAllowed", "malformed", "unknownCommand", "notAllowed"], "\(status.output)")
      #expect(tree?["connection"]?["state"] == .string("connected") && tree?["machine"] == .string(FleetWorld.machine))
      await fleet.stop(agent)
    }
  }
}

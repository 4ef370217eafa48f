import Glibc
import ModemAPI
import ModemAPIClient
import Testing
import Varlink

@testable import ScenarioRunner

/// modemd's figures in a world: what happens is counted, and whoever may not read them does not.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct MetricsWorldTests {
  /// Figures that have this name and all of these labels, by their last word.
  private static func value(_ name: String, _ labels: [String] = [], in text: String) -> Double? {
    let line = text.split(separator: "\n").first { line in
      (line.hasPrefix("\(name){") || line.hasPrefix("\(name) ")) && labels.allSatisfy { line.contains($0) }
    }
    return line?.split(separator: " ").last.flatMap { Double($0) }
  }

  /// The figures as soon as one of them has a value, or after the time limit.
  private static func figures(
    of world: World, once name: String, _ labels: [String] = [], is expected: Double
  ) async throws -> String {
    _ = try await world.eventually { value(name, labels, in: try await world.figures()) == expected }
    return try await world.figures()
  }

  private static func open(_ url: String, in world: World) async throws -> CheckInterface.Failure.Cause? {
    var outcome: CheckInterface.Outcome?
    for try await reply in try await world.client().stream(
      CheckInterface.Open.self, .init(url: url, timeoutMilliseconds: 20_000))
    {
      outcome = reply.outcome ?? outcome
    }
    return outcome?.failure?.cause
  }

  @Test func `a bearer that is dropped, a name that is not there and a chain's hops are counted`() async throws {
    try await Worlds.with { world in
      _ = try await world.connect()
      let walk = try await world.walk("/checks/4915112345678")
      #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
      let text = try await world.figures()
      let hops =
        (Self.value("modemd_hops_total", [#"scheme="https""#], in: text) ?? 0)
        + (Self.value("modemd_hops_total", [#"scheme="http""#], in: text) ?? 0)
      #expect(Int(hops) == walk.hops.count)
      #expect(Self.value("modemd_checks_total", [#"result="answer""#, #"cause="""#], in: text) == 1)
      #expect(Self.value("modemd_check_duration_seconds_count", [#"result="answer""#], in: text) == 1)
      #expect(Self.value("modemd_bearer_up", in: text) == 1)
      #expect(Self.value("modemd_bearer_attempts_total", [#"result="up""#], in: text) == 1)
      #expect(Self.value("modemd_sim_state", [#"state="ready""#], in: text) == 1)
      #expect(Self.value("modemd_registration_state", [#"state="home""#], in: text) == 1)
      #expect(Self.value("modemd_port_starts_total", in: text) == 1)
      for phase in ["dns", "connect", "tls", "firstByte"] {
        #expect(Self.value("modemd_check_phase_seconds_count", [#"phase="\#(phase)""#], in: text) ?? 0 > 0, "\(phase)")
      }
      let isMoved = try await world.eventually {
        Self.value("modemd_bearer_receive_bytes_total", [#"purpose="chains""#], in: try await world.figures()) ?? 0
          > 1000
      }
      #expect(isMoved)

      #expect(try await Self.open("https://nobody.example/", in: world) == .dnsFailed)
      let failed = try await world.figures()
      #expect(Self.value("modemd_dns_failures_total", [#"lane="bearer""#], in: failed) == 1)
      #expect(Self.value("modemd_checks_total", [#"cause="dnsFailed""#], in: failed) == 1)

      _ = try await world.perform("drop-bearer 36")
      let dropped = try await Self.figures(of: world, once: "modemd_bearer_downs_total", [#"cause="36""#], is: 1)
      #expect(Self.value("modemd_bearer_downs_total", [#"cause="36""#], in: dropped) == 1, "\(dropped)")
      #expect(Self.value("modemd_bearer_up_seconds_total", in: dropped) ?? 0 > 0)
      // It is kept, and comes back by itself.
      let back = try await Self.figures(of: world, once: "modemd_bearer_ups_total", is: 2)
      #expect(Self.value("modemd_bearer_ups_total", in: back) == 2, "\(back)")
      #expect(!back.contains("nobody.example") && !back.contains(world.scenario.chain.aggregator.name))
      #expect(Self.value("modemd_metric_series_dropped_total", in: back) == 0)
    }
  }

  @Test func `a port that is killed ends the bearer, and its next start is counted`() async throws {
    try await Worlds.with { world in
      _ = try await world.connect()
      #expect(try await world.eventually { Self.value("modemd_bearer_ups_total", in: try await world.figures()) == 1 })
      await world.end(.port)
      let down = try await Self.figures(of: world, once: "modemd_bearer_downs_total", [#"cause="portStopped""#], is: 1)
      #expect(Self.value("modemd_bearer_downs_total", [#"cause="portStopped""#], in: down) == 1, "\(down)")
      #expect(Self.value("modemd_modem_fault", in: down) == 1)
      try await world.start(.port)
      #expect(
        try await world.eventually { Self.value("modemd_port_starts_total", in: try await world.figures()) == 2 })
    }
  }

  @Test func `modemctl prints the figures for root, and a member of the callers' group gets none`() async throws {
    try await Worlds.with(#"{ "settings": { "access": { "groups": ["daemon"] } } }"#) { world in
      let text = try await world.run(["modemctl", "metrics"])
      #expect(text.end == .exited(0) && text.output.hasSuffix("# EOF\n"))
      let old = try await world.run(["modemctl", "metrics", "--prometheus"])
      #expect(old.end == .exited(0) && old.output.contains("# TYPE modemd_port_starts_total counter\n"))
      let list = try await world.run(["modemctl", "metrics", "--json"])
      #expect(list.end == .exited(0) && list.output.contains(#""name":"org.modemd.SimState""#))
      for socket in [world.folder.metrics, world.folder.metricsHTTP] {
        let stat = try await world.run(["stat", "-c", "%a", socket])
        #expect(stat.output == "660\n")
        // Even where a mode lets everybody in, the kernel says who it is.
        chmod(socket, 0o666)
      }
      world.admitMembers()
      let answer = try await LocalUser.first.call(
        "io.systemd.Metrics.List", in: world, at: world.folder.metrics)
      #expect(answer.error == "org.varlink.service.PermissionDenied", "\(answer.text)")
    }
  }

  @Test func `a caller without the right gets no reload; root does, and a wrong file is said in the answer`()
    async throws
  {
    try await Worlds.with(#"{ "settings": { "access": { "groups": ["daemon"] } } }"#) { world in
      world.admitMembers()
      let foreign = try await LocalUser.first.call("org.modemd.Service.Reload", in: world)
      #expect(foreign.error == "org.varlink.service.PermissionDenied", "\(foreign.text)")
      let reply = try await world.client().call(ServiceInterface.Reload.self, .init())
      #expect(reply.summary.contains("provider"))
      try world.folder.write(#"{ "access": { "group": [] } }"#, to: "modemd.json")
      let error = await #expect(throws: VarlinkError.self) {
        _ = try await world.client().call(ServiceInterface.Reload.self, .init())
      }
      let message = try #require(error?.parameters(as: ServiceInterface.ReloadFailed.self)?.message)
      #expect(message.contains("modemd.json") && message.contains("group"), "\(message)")
      let text = try await world.figures()
      #expect(Self.value("modemd_reloads_total", [#"result="done""#], in: text) == 1)
      #expect(Self.value("modemd_reloads_total", [#"result="failed""#], in: text) == 1)
      // The old settings go on.
      world.admitMembers()
      #expect(try await LocalUser.first.call("org.modemd.Modem.List", in: world).isAnswered)
    }
  }

  @Test func `only the groups that are named learn who the SIM is`() async throws {
    let settings = #"{ "settings": { "access": { "groups": ["daemon"], "identityGroups": ["sys"] } } }"#
    try await Worlds.with(settings) { world in
      world.admitMembers()
      let modem = try await world.client().call(ModemInterface.Get.self, .init()).modem
      let secrets = [modem.sim.imsi, modem.sim.iccid, modem.imei, modem.sim.numbers.first?.number].compactMap { $0 }
      #expect(secrets.count >= 3)
      for method in ["List", "Get"] {
        let hidden = try await LocalUser.first.call("org.modemd.Modem.\(method)", in: world)
        let shown = try await LocalUser.trusted.call("org.modemd.Modem.\(method)", in: world)
        #expect(hidden.isAnswered && shown.isAnswered)
        for secret in secrets { #expect(!hidden.text.contains(secret) && shown.text.contains(secret)) }
      }
    }
  }
}

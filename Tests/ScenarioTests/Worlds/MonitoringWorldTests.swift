import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// Docs/monitoring.md with a real Prometheus: the files of Examples/monitoring, a world's figures
/// through systemd's proxy on loopback, and through node_exporter's textfile collector.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: MonitoringPrograms.areHere, MonitoringPrograms.reason))
struct MonitoringWorldTests {
  private static let examples = "\(Worlds.repository)/Examples/monitoring"
  /// Panels in which nothing shows in a world where nothing of that kind happens.
  private static let quiet: Set<String> = [
    "modemd_checks_refused_total", "modemd_tls_failures_total", "modemd_port_request_timeouts_total",
  ]

  /// Prometheus and what it reads from.
  private struct Monitored {
    let world: World
    let exporter: RunningCommand

    /// - Parameter path: below /api/v1, with its query.
    func ask(_ path: String, _ expression: String? = nil) async throws -> JSONValue? {
      var command = ["curl", "-s", "-m", "10", "http://127.0.0.1:9090/api/v1/\(path)"]
      if let expression { command += ["--data-urlencode", "query=\(expression)", "-G"] }
      let answer = try await world.run(command)
      return JSONValue(parsing: Array(answer.output.utf8))
    }

    /// The samples of an expression; nil if Prometheus refuses it.
    func samples(_ expression: String) async throws -> [JSONValue]? {
      guard let answer = try await ask("query", expression), answer["status"]?.string == "success",
        case .array(let result)? = answer["data"]?["result"]
      else { return nil }
      return result
    }

    func firing() async throws -> Set<String> {
      let alerts = try await samples(#"ALERTS{alertstate="firing"}"#) ?? []
      return Set(alerts.compactMap { $0["metric"]?["alertname"]?.string })
    }
  }

  private static func start(_ world: World) async throws -> Monitored {
    let folder = world.folder
    for name in ["rules", "textfiles", "prometheus"] { mkdir(folder.file(name), 0o755) }
    let rules = try #require(Worlds.contents(of: "\(examples)/modemd-alerts.yml"))
    // An alert waits for minutes; a test does not.
    try folder.write(
      rules.replacing(#/(?m)^        for: \d+m$/#, with: "        for: 1s"), to: "rules/modemd-alerts.yml")
    let settings = try #require(Worlds.contents(of: "\(examples)/prometheus.yml"))
    try folder.write(
      settings.replacing("30s", with: "1s").replacing("/etc/prometheus/rules", with: folder.file("rules"))
        .replacing("localhost:9100", with: "127.0.0.1:9100"), to: "prometheus.yml")
    _ = try await world.begin([
      "/usr/bin/systemd-socket-activate", "-l", "127.0.0.1:9877", MonitoringPrograms.proxy, folder.metricsHTTP,
    ])
    let exporter = try await world.begin([
      "/usr/bin/prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
      "--collector.textfile.directory=\(folder.file("textfiles"))", "--web.listen-address=127.0.0.1:9100",
    ])
    _ = try await world.begin([
      "/usr/bin/prometheus", "--config.file=\(folder.file("prometheus.yml"))",
      "--storage.tsdb.path=\(folder.file("prometheus"))", "--web.listen-address=127.0.0.1:9090",
    ])
    let monitored = Monitored(world: world, exporter: exporter)
    let isUp = try await world.eventually { try await monitored.samples(#"up{job="modemd"} == 1"#)?.count == 1 }
    #expect(isUp)
    return monitored
  }

  /// Each expression of the dashboard, as Grafana would ask it.
  private static func expressions() throws -> [String] {
    let text = try #require(Worlds.contents(of: "\(examples)/grafana-dashboard.json"))
    guard case .array(let panels)? = JSONValue(parsing: Array(text.utf8))?["panels"] else { return [] }
    return panels.flatMap { panel -> [String] in
      guard case .array(let targets)? = panel["targets"] else { return [] }
      return targets.compactMap { $0["expr"]?.string }.map {
        $0.replacing("$__rate_interval", with: "30s").replacing("$instance", with: ".*").replacing("$modem", with: ".*")
      }
    }
  }

  private static func scenario() throws -> String {
    let text = try #require(Worlds.contents(of: "\(Worlds.repository)/Scenarios/demo/scenario.json"))
    guard case .object(var members)? = JSONValue(parsing: Array(text.utf8)) else { return "{}" }
    members["settings"] = JSONValue(
      parsing: Array(#"{ "usage": { "budgets": { "*": { "dayBytes": 100000000 } } } }"#.utf8))
    return JSONValue.object(members).text
  }

  @Test func `every panel has data, every rule is evaluated, and a bearer that is lost raises its alert`() async throws
  {
    try await Worlds.with(try Self.scenario()) { world in
      _ = try await world.connect()
      let monitored = try await Self.start(world)
      #expect(try await monitored.firing() == [])

      for number in ["+4915112345678", "+4915155555502"] {
        _ = try await world.run(["modemctl", "verify", number])
      }
      #expect(try await world.walk("/checks/4915112345678").outcome?.answer?.status == 200)
      _ = try await world.run(["modemctl", "open", "https://nobody.invalid/"])
      _ = try await world.perform("drop-bearer 36")
      let isTold = try await world.eventually { try await monitored.firing().contains("ModemdBearerLost") }
      #expect(isTold)
      let lost = try await monitored.samples(#"ALERTS{alertname="ModemdBearerLost",alertstate="firing"}"#)
      #expect(lost?.first?["metric"]?["cause"]?.string == "36")

      // Once more, for the expressions that compare two samples of a series.
      for number in ["+4915112345678", "+4915155555502"] {
        _ = try await world.run(["modemctl", "verify", number])
      }
      let expressions = try Self.expressions()
      #expect(expressions.count > 25)
      for expression in expressions {
        let isQuiet = Self.quiet.contains { expression.contains($0) }
        var found: [JSONValue]?
        let isAnswered = try await world.eventually {
          found = try await monitored.samples(expression)
          return isQuiet ? found != nil : found?.isEmpty == false
        }
        #expect(isAnswered, "\(expression): \(found == nil ? "refused" : "no data")")
      }

      guard case .array(let groups)? = try await monitored.ask("rules")?["data"]?["groups"],
        case .array(let rules)? = groups.first?["rules"]
      else { return #expect(Bool(false), "no rules") }
      #expect(rules.count > 15)
      for rule in rules { #expect(rule["health"]?.string == "ok", "\(rule)") }
      #expect(try await monitored.firing() == ["ModemdBearerLost"])

      // modemd ends.
      await world.end(.service)
      let isMissed = try await world.eventually { try await monitored.firing().contains("ModemdDown") }
      #expect(isMissed)
    }
  }

  @Test func `node_exporter passes the figures on, beside its own and without a complaint`() async throws {
    try await Worlds.with { world in
      _ = try await world.connect()
      let monitored = try await Self.start(world)
      let unit = try #require(Worlds.contents(of: "\(Worlds.repository)/systemd/examples/modemd-textfile.service"))
      // The unit's own command, in which systemd's quoting is the shell's.
      let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") }).dropFirst(10)
      let run = try await world.run([
        "env", "TEXTFILES=\(world.folder.file("textfiles"))", "sh", "-c", String(line),
      ])
      #expect(run.end == .exited(0), "\(run.error)")
      let isPassedOn = try await world.eventually {
        try await monitored.samples(#"modemd_bearer_up{job="node"} == 1"#)?.count == 1
      }
      #expect(isPassedOn)
      #expect(try await monitored.samples(#"node_textfile_scrape_error == 0"#)?.count == 1)
      #expect(try await monitored.samples(#"node_textfile_mtime_seconds{file=~".*modemd.prom"}"#)?.count == 1)
      // Its own figures of its process are there, and modemd's are not among them.
      #expect(try await monitored.samples(#"process_start_time_seconds{job="node"}"#)?.count == 1)
      #expect(!monitored.exporter.error().contains("error gathering metrics"))
    }
  }
}

/// What these tests need of this machine.
private enum MonitoringPrograms {
  static let proxy = "/lib/systemd/systemd-socket-proxyd"
  static let paths: [String] = [
    "/usr/bin/prometheus", "/usr/bin/prometheus-node-exporter", "/usr/bin/systemd-socket-activate", proxy,
  ]
  static let areHere = Worlds.areAllowed && paths.allSatisfy { path in access(path, X_OK) == 0 }
  static let reason: Comment =
    "needs root, /dev/net/tun, and prometheus, its node exporter and systemd: scripts/install-dependencies test"
}

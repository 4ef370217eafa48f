import JSONTree
import Testing

/// The files for Prometheus and Grafana. A test with a world has them read by a real Prometheus.
@Suite("Examples/monitoring", .timeLimit(.minutes(1)))
struct MonitoringTests {
  private static let folder = "\(Tool.repository)/Examples/monitoring"
  private static let hasPrometheus = Tool.exists("promtool")
  private static let reason: Comment = "needs promtool of Debian's prometheus: scripts/install-dependencies test"

  @Test("promtool takes the configuration and the rules", .enabled(if: hasPrometheus, reason))
  func syntax() async throws {
    for arguments in [
      ["check", "config", "--syntax-only", "\(Self.folder)/prometheus.yml"],
      ["check", "rules", "\(Self.folder)/modemd-alerts.yml"],
    ] {
      let result = try await Tool.run("promtool", arguments)
      #expect(result.status == 0, "\(result.output)\(result.error)")
    }
  }

  @Test("The rules pass their own tests, and fail them when one is spoilt", .enabled(if: hasPrometheus, reason))
  func rules() async throws {
    let result = try await Tool.run("promtool", ["test", "rules", "\(Self.folder)/modemd-alerts-test.yml"])
    #expect(result.status == 0, "\(result.output)\(result.error)")
    let rules = try #require(File.read("\(Self.folder)/modemd-alerts.yml"))
    let tests = try #require(File.read("\(Self.folder)/modemd-alerts-test.yml"))
    try await Scratch.with { scratch in
      for (old, new) in [("modemd_modem_fault == 1", "modemd_modem_fault == 2"), ("silent == 1", "silent == 0")] {
        let spoilt = rules.replacing(old, with: new)
        try #require(spoilt != rules)
        File.write(spoilt, to: "\(scratch.path)/modemd-alerts.yml")
        File.write(tests, to: "\(scratch.path)/modemd-alerts-test.yml")
        let result = try await Tool.run("promtool", ["test", "rules", "\(scratch.path)/modemd-alerts-test.yml"])
        #expect(result.status != 0, "\(new)")
      }
    }
  }

  @Test("Each alert has a test and a row in Docs/monitoring.md, and there is no other")
  func alerts() throws {
    let rules = try #require(File.read("\(Self.folder)/modemd-alerts.yml"))
    let tests = try #require(File.read("\(Self.folder)/modemd-alerts-test.yml"))
    let page = try #require(File.read("\(Tool.repository)/Docs/monitoring.md"))
    let names = rules.matches(of: #/alert: (?<name>Modemd\w+)/#).map { String($0.output.name) }
    #expect(names.count > 15 && Set(names).count == names.count)
    let rows = page.matches(of: #/(?m)^\| `(?<name>Modemd\w+)` \|/#).map { String($0.output.name) }
    #expect(rows == names)
    for name in names { #expect(tests.contains(name), "\(name)") }
  }

  @Test("Rules and dashboard ask only for figures of Docs/metrics.md")
  func names() throws {
    let page = try #require(File.read("\(Tool.repository)/Docs/metrics.md"))
    let known = Set(page.matches(of: #/(?m)^\| `(?<name>(modemd|process)_\w+)` \|/#).map { String($0.output.name) })
    #expect(known.count > 30)
    for file in ["modemd-alerts.yml", "grafana-dashboard.json"] {
      let text = try #require(File.read("\(Self.folder)/\(file)"))
      let asked = Set(text.matches(of: #/\b(modemd|process)_[a-z_]+/#).map { String($0.output.0) })
      #expect(asked.count > 15)
      for name in asked where !known.contains(name) {
        let family = name.replacing(#/_(bucket|count|sum)$/#, with: "")
        #expect(known.contains(family) && family != name, "\(file): \(name)")
      }
    }
  }

  @Test("The dashboard's panels lie beside one another and leave the source of data to the reader")
  func dashboard() throws {
    let text = try #require(File.read("\(Self.folder)/grafana-dashboard.json"))
    let dashboard = try #require(JSONValue(parsing: Array(text.utf8)))
    guard case .array(let panels)? = dashboard["panels"] else { throw DashboardFlaw() }
    #expect(panels.count > 20)
    var ids: Set<Int> = []
    var taken: Set<Int> = []
    for panel in panels {
      let title = panel["title"]?.string ?? ""
      guard let id = panel["id"]?.integer, let place = panel["gridPos"], let x = place["x"]?.integer,
        let y = place["y"]?.integer, let width = place["w"]?.integer, let height = place["h"]?.integer
      else { throw DashboardFlaw() }
      let isNew = ids.insert(id).inserted
      #expect(isNew, "\(title)")
      #expect(x + width <= 24)
      for row in y..<y + height {
        for column in x..<x + width {
          let isFree = taken.insert(row * 24 + column).inserted
          #expect(isFree, "\(title) covers another")
        }
      }
      guard case .array(let targets)? = panel["targets"] else { continue }
      #expect(!title.isEmpty && panel["description"]?.string?.hasSuffix(".") == true, "\(title)")
      for target in targets { #expect(target["datasource"]?["uid"]?.string == "${datasource}", "\(title)") }
    }
  }

  private struct DashboardFlaw: Error {}
}

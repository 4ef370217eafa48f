import ModemModel
import OutsideNumber
import ScenarioRunner

/// What a soak found.
package struct SoakReport: Sendable {
  /// What the daemons use at one moment.
  package struct Sample: Sendable {
    package let after: Duration
    /// Whether everything that was begun has finished.
    package let isQuiet: Bool
    /// RssAnon of /proc/PID/status, by daemon.
    package var kilobytes: [String: Int] = [:]
    package var threads: [String: Int] = [:]
  }

  /// By how much the memory of a daemon may have grown since the first sample: allocator's slack,
  /// not a leak of one object a cycle, which after 10,000 cycles would be more for anything above
  /// 400 bytes.
  package static let memoryBound = 4096

  package let plan: SoakPlan
  package let kind: ModemProtocol
  package var cycles = 0
  package var queries = 0
  package var faults = 0
  /// Calls that failed and were repeated, by name.
  package var failures: [String: Int] = [:]
  package var before = Remains()
  package var after = Remains()
  /// What is held at the end and was not before, or the reverse.
  package var differences: [String] = []
  package var samples: [Sample] = []
  /// Packets that left by the other uplink.
  package var leaks = 0
  package var duration = Duration.zero

  init(plan: SoakPlan, kind: ModemProtocol) {
    self.plan = plan
    self.kind = kind
  }

  /// The problems, in words; empty without any.
  package var problems: [String] {
    var problems = differences
    if leaks > 0 { problems.append("\(leaks) packets left by the other uplink") }
    if let first = quiet.first, let last = quiet.last {
      for name in first.kilobytes.keys.sorted() {
        let growth = (last.kilobytes[name] ?? 0) - (first.kilobytes[name] ?? 0)
        if growth > Self.memoryBound {
          problems.append("\(name) grew by \(growth) kB, at most \(Self.memoryBound) kB were expected")
        }
      }
    }
    return problems
  }

  private var quiet: [Sample] { samples.filter(\.isQuiet) }

  /// The report as lines of Markdown.
  package var text: String {
    let name = kind == .mbim ? "MBIM" : "QMI"
    var lines = [
      "**\(name)**: \(cycles) times up and down, \(queries) queries, \(faults) faults (seed \(plan.seed)), in \(duration.words); calls "
        + "made again because of a fault: "
        + (failures.isEmpty
          ? "none" : failures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")) + ".",
      "", "| | after \(plan.warmUp) | at the end |", "| --- | --- | --- |",
    ]
    for daemon in World.Daemon.allCases.map(\.rawValue) {
      lines.append("| open files of \(daemon) | \(before.fileCount(of: daemon)) | \(after.fileCount(of: daemon)) |")
      lines.append("| memory of \(daemon) | \(kilobytes(quiet.first, daemon)) | \(kilobytes(quiet.last, daemon)) |")
      lines.append(
        "| threads of \(daemon) | \(quiet.first?.threads[daemon] ?? 0) | \(quiet.last?.threads[daemon] ?? 0) |")
    }
    lines += [
      "| addresses, routes, rules | \(before.network) | \(after.network) |",
      "| QMI client ids (service:count) | \(before.clientIDs.words) | \(after.clientIDs.words) |",
      "| sessions in the modem | \(before.sessions) | \(after.sessions) |",
      "| packets by the other uplink | 0 | \(leaks) |", "",
    ]
    lines += problems.isEmpty ? [] : problems.map { "- WRONG: \($0)" } + [""]
    return lines.joined(separator: "\n")
  }

  private func kilobytes(_ sample: Sample?, _ daemon: String) -> String { "\(sample?.kilobytes[daemon] ?? 0) kB" }
}

extension Remains {
  /// How many addresses, routes and rules there are.
  var network: String { "\(addresses.count), \(routes.count), \(rules.count)" }
}

import ModemModel
import OutsideNumber
import ScenarioRunner

/// What a soak of flows found.
package struct FlowSoakReport: Sendable {
  /// What is held at one moment, with nothing under way.
  package struct Picture: Sendable {
    package let after: Duration
    package let remains: Remains
    /// What the kernel has, by name.
    package let kernel: [String: Int]
    /// Memory and threads of the daemons, by daemon and name.
    package let processes: [String: [String: Int]]
  }

  /// By how many kB a daemon's memory may have grown since the first picture: the slack of the
  /// allocator, which at the full number of calls is less than 25 bytes for each. The first picture
  /// of a short soak comes before everything has been made once.
  package var memoryBound: Int { plan.total >= 50_000 ? 4096 : 16_384 }
  /// How many threads more a daemon may have.
  private static let threadBound = 4
  /// A fault may keep some calls from their verdict, not most of them.
  private static let leastRight = 0.5

  package let plan: FlowSoakPlan
  package var before = Picture(after: .zero, remains: Remains(), kernel: [:], processes: [:])
  package var after = Picture(after: .zero, remains: Remains(), kernel: [:], processes: [:])
  var ends: [FlowKind: [FlowEnd: Int]] = [:]
  package var faults: [String: Int] = [:]
  package var differences: [String] = []
  /// Packets that left by the other uplink, but for resets.
  package var leaks = 0
  /// Resets of TCP that did: the kernel's own, without data, for the sockets of a bearer whose
  /// rules another program had removed.
  package var resets = 0
  /// What they were.
  package var leakWords = ""
  package var duration = Duration.zero

  init(plan: FlowSoakPlan) { self.plan = plan }

  /// How many calls there were.
  package var calls: Int { ends.values.reduce(0) { $0 + $1.values.reduce(0, +) } }
  /// How many faults.
  package var faultCount: Int { faults.values.reduce(0, +) }
  /// How many verdicts were not true.
  package var wrongs: Int { FlowKind.allCases.reduce(0) { $0 + count(of: $1).wrong } }

  private func count(of kind: FlowKind) -> (right: Int, none: Int, wrong: Int) {
    var count = (right: 0, none: 0, wrong: 0)
    for (end, number) in ends[kind] ?? [:] {
      switch end {
      case .right: count.right += number
      case .none: count.none += number
      case .wrong: count.wrong += number
      }
    }
    return count
  }

  /// The problems, in words; empty without any.
  package var problems: [String] {
    var problems = differences
    if leaks > 0 { problems.append("\(leaks) packets left by the other uplink: \(leakWords)") }
    for kind in FlowKind.allCases {
      let count = count(of: kind)
      let wrongs = (ends[kind] ?? [:]).filter { if case .wrong = $0.key { true } else { false } }
      for (end, number) in wrongs {
        problems.append("\(kind.rawValue): the wrong verdict \(end.word), \(number) times")
      }
      if Double(count.right) < Double(count.right + count.none + count.wrong) * Self.leastRight {
        problems.append("\(kind.rawValue): only \(count.right) calls of \(count.right + count.none) had a verdict")
      }
    }
    for (daemon, names) in before.processes.sorted(by: { $0.key < $1.key }) {
      let growth = (after.processes[daemon]?["memory"] ?? 0) - (names["memory"] ?? 0)
      if growth > memoryBound {
        problems.append("\(daemon) grew by \(growth) kB, at most \(memoryBound) kB were expected")
      }
      let threads = (after.processes[daemon]?["threads"] ?? 0) - (names["threads"] ?? 0)
      // The pool that runs tasks has more or fewer as it sees fit.
      if threads > Self.threadBound { problems.append("\(daemon) has \(threads) more threads") }
    }
    for (name, number) in before.kernel.sorted(by: { $0.key < $1.key }) {
      let more = (after.kernel[name] ?? 0) - number
      if more > 0 { problems.append("\(more) more \(name) in the kernel") }
    }
    return problems
  }

  /// The report as lines of Markdown.
  package var text: String {
    var lines = [
      "**Flows**: \(calls) calls, \(faultCount) faults (seed \(plan.seed)), in \(duration.words).", "",
      "| kind | right verdicts | without a verdict | wrong verdicts | why there was none |",
      "| --- | --- | --- | --- | --- |",
    ]
    for kind in FlowKind.allCases {
      let count = count(of: kind)
      let reasons = (ends[kind] ?? [:]).filter { if case .none = $0.key { true } else { false } }
        .sorted { ($1.value, $0.key.word) < ($0.value, $1.key.word) }
        .map { "\($0.key.word) \($0.value)" }.joined(separator: ", ")
      lines.append("| \(kind.rawValue) | \(count.right) | \(count.none) | \(count.wrong) | \(reasons) |")
    }
    lines += ["", "| | after a tenth | at the end |", "| --- | --- | --- |"]
    for (daemon, names) in before.processes.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "| open files of \(daemon) | \(before.remains.fileCount(of: daemon)) | \(after.remains.fileCount(of: daemon)) |"
      )
      for (name, number) in names.sorted(by: { $0.key < $1.key }) {
        let unit = name == "threads" ? "" : " kB"
        lines.append("| \(name) of \(daemon) | \(number)\(unit) | \(after.processes[daemon]?[name] ?? 0)\(unit) |")
      }
    }
    for (name, number) in before.kernel.sorted(by: { $0.key < $1.key }) {
      lines.append("| \(name) | \(number) | \(after.kernel[name] ?? 0) |")
    }
    lines += [
      "| addresses, routes, rules of the bearer | \(before.remains.network) | \(after.remains.network) |",
      "| sessions in the modem | \(before.remains.sessions) | \(after.remains.sessions) |",
    ]
    lines.append("| packets by the other uplink | 0 | \(leaks), and \(resets) resets |")
    lines.append("")
    lines.append(
      "Faults: " + faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") + ".")
    lines.append("")
    lines += problems.isEmpty ? [] : problems.map { "- WRONG: \($0)" } + [""]
    return lines.joined(separator: "\n")
  }

  /// The same as a JSON object.
  package var json: String {
    func object(_ members: [String: Int]) -> String {
      "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }
    func text(_ picture: Picture) -> String {
      let processes = picture.processes.sorted { $0.key < $1.key }.map { daemon, names in
        var names = names
        names["files"] = picture.remains.fileCount(of: daemon)
        return "\"\(daemon)\":\(object(names))"
      }
      return "{\(processes.joined(separator: ",")),\"kernel\":\(object(picture.kernel))}"
    }
    let kinds = FlowKind.allCases.map { kind in
      let count = count(of: kind)
      return "\"\(kind.rawValue)\":" + object(["right": count.right, "none": count.none, "wrong": count.wrong])
    }
    return
      "{\"seed\":\(plan.seed),\"calls\":\(calls),\"seconds\":\(duration.components.seconds),\"faults\":\(object(faults)),"
      + "\"kinds\":{\(kinds.joined(separator: ","))},\"before\":\(text(before)),\"after\":\(text(after)),"
      + "\"problems\":\(problems.count),\"leaks\":\(leaks)}"
  }
}

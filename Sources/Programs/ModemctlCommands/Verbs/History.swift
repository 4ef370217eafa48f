import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl history`
struct History: Verb {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "The last checks: how they ended, why, and how long they took.",
    discussion:
      "Root sees everybody's checks, other users their own. modemd keeps them in memory until it ends, usually the last 100."
  )

  @Option(help: ArgumentHelp("Show this many at most, 1 to 10000.", valueName: "count"))
  var limit: Int?

  @Option(help: ArgumentHelp("Show only the checks of this trace, by its id.", valueName: "id"))
  var trace: String?

  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    let reply = try await session.call(CheckInterface.History.self, .init(limit: limit, trace: trace), within: .answer)
    try session.show(reply) {
      if !reply.checks.isEmpty { return Self.table(reply.checks, session.paint) }
      return trace == nil ? "no check since modemd started\n" : "no check of this trace is remembered\n"
    }
    return .done
  }

  private static func table(_ checks: [CheckInterface.PastCheck], _ paint: Paint) -> String {
    // A check's user only matters if there are several users.
    let showsUser = Set(checks.map(\.user)).count > 1
    let columns: [TableLayout.Column] = [
      .init("NUMBER", isNumber: true), .init("BEGAN"), .init("HOST"), .init("HOPS", isNumber: true),
      .init("ms", isNumber: true), .init("WAITED ms", isNumber: true), .init("MODEM"),
    ]
    let rows = checks.map { check in
      [
        Cell(String(check.number)), Cell(ShownTime.text(check.began)), Cell(check.host), Cell(String(check.hops)),
        Cell(ShownTime.milliseconds(check.milliseconds)), Cell(ShownTime.milliseconds(check.waitedMilliseconds)),
        Cell(check.modem),
      ] + (showsUser ? [Cell(String(check.user))] : []) + [end(check)]
    }
    return TableLayout.render(
      columns + (showsUser ? [.init("USER", isNumber: true)] : []) + [.init("END")], rows, paint)
  }

  private static func end(_ check: CheckInterface.PastCheck) -> Cell {
    switch check.result {
    case .answer:
      return Cell("answer \(check.status.map(String.init) ?? "-")", (check.status ?? 0) < 400 ? .good : .bad)
    case .redirectReached: return Cell("redirect URI reached", .good)
    case .failed:
      let place = check.failure?.hop.map { " at hop \($0)" } ?? ""
      return Cell((check.failure?.cause.rawValue ?? "failed") + place, .bad)
    case .other(let word): return Cell(word, .attention)
    }
  }
}

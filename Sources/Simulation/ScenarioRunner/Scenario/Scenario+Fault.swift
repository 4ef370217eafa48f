import OperatorSimulator
import ModemSimulator

extension SimulatedFault {
  /// The members of a fault in a scenario's file.
  static let members = [
    "operation", "action", "cause", "status", "milliseconds", "of", "event", "count", "elsewhere", "times", "skip",
  ]

  private enum Word: String, CaseIterable {
    case refuse, fail, answer, delay, swallow, lose, double, overtake, mismatch, cut, noise, storm, hangUp, hangUpAfter
    case restart, replug
  }

  /// Reads a fault as `Docs/scenarios.md` describes it.
  init(_ fields: ScenarioFields) throws {
    guard let operation = try fields.word("operation", ModemOperation.self) else {
      throw fields.missing("operation", "a command of the modem")
    }
    let action: Action
    switch try fields.word("action", Word.self) {
    case .refuse: action = .refuse(cause: try fields.number("cause", 1...255) ?? 33)
    case .fail: action = .fail
    case .answer: action = .answer(status: UInt32(try fields.number("status", 1...0xffff) ?? 2))
    case .delay: action = .delay(try fields.milliseconds(otherwise: 1000))
    case .swallow: action = .swallow
    case .lose: action = .lose
    case .double: action = .double
    case .overtake: action = .overtake(atMost: try fields.milliseconds(otherwise: 200))
    case .mismatch: action = .mismatch(try fields.word("of", Mismatch.self) ?? .transaction)
    case .cut: action = .cut
    case .noise: action = .noise
    case .storm:
      action = .storm(
        try fields.word("event", Storm.self) ?? .signal, count: try fields.number("count", 1...100_000) ?? 10_000)
    case .hangUp: action = .hangUp
    case .hangUpAfter: action = .hangUpAfter
    case .restart: action = .restart
    case .replug:
      action = .replug(
        after: try fields.milliseconds(otherwise: 500), elsewhere: try fields.flag("elsewhere") ?? false)
    case nil: throw fields.missing("action", "one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self.init(
      on: operation, action, times: try fields.number("times", 1...1_000_000),
      skip: try fields.number("skip", 0...1_000_000) ?? 0)
  }
}

extension ScenarioFields {
  fileprivate func milliseconds(otherwise: Int) throws -> Duration {
    .milliseconds(try number("milliseconds", 0...600_000) ?? otherwise)
  }
}

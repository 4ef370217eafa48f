import JSONTree
import MetricsAPI
import ModemAPI

/// Which budgets are nearly used, with a sentence for each. Names are levels of topics.
enum BudgetWatch {
  /// Budgets that are told of.
  private static let most = 16

  /// Budgets of the agent's own user.
  static func texts(_ budgets: [UsageInterface.Budget]) -> [String: String] {
    texts(budgets.map { ($0.name, Double($0.used), Double($0.limit), $0.unit.rawValue) })
  }

  /// Those of all users: `BudgetUsedBytes` and its like have one value for each entry of the
  /// settings.
  static func texts(_ figures: [MetricsInterface.List.Reply]) -> [String: String] {
    var budgets: [(name: String, used: Double, limit: Double, unit: String)] = []
    for unit in ["Bytes", "Connections"] {
      let (used, limits) = (values("BudgetUsed\(unit)", figures), values("BudgetLimit\(unit)", figures))
      for (name, limit) in limits {
        if let used = used[name] { budgets.append((name, used, limit, unit.lowercased())) }
      }
    }
    return texts(budgets)
  }

  private static func values(_ name: String, _ figures: [MetricsInterface.List.Reply]) -> [String: Double] {
    var values: [String: Double] = [:]
    for figure in figures where figure.name == "org.modemd.\(name)" {
      guard let entry = figure.fields?["entry"], let kind = figure.fields?["kind"] else { continue }
      switch figure.value {
      case .int(let number): values["\(entry).\(kind)"] = Double(number)
      case .double(let number): values["\(entry).\(kind)"] = number
      default: continue
      }
    }
    return values
  }

  /// From four fifths on.
  private static func texts(
    _ budgets: [(name: String, used: Double, limit: Double, unit: String)]
  ) -> [String: String] {
    let near = budgets.filter { $0.limit > 0 && $0.used >= $0.limit * 0.8 }.sorted { $0.name < $1.name }
    return Dictionary(
      near.prefix(most).map { budget in
        (level(budget.name), budget.used >= budget.limit ? "it is used up" : "80 % of it are used")
      }, uniquingKeysWith: { first, _ in first })
  }

  /// A name without the characters that separate levels or stand for them (MQTT 5, 4.7.1).
  private static func level(_ name: String) -> String {
    String(name.map { "/+#".contains($0) || !$0.isASCII || $0.isWhitespace ? "_" : $0 }.prefix(64))
  }
}

import ModemService

/// An entry of the budgets in the settings, and how far it is used.
package struct BudgetFigure: Hashable, Sendable {
  /// The entry's key: `*`, or `@` and a group, or a user of the system; nil for the entries of all
  /// other users together, since those are people.
  package let entry: String?
  package let kind: BudgetKind
  /// Of several entries, the smallest.
  package let limit: Int
  /// What the user has used who has used most of it.
  package let used: Int
}

extension TrafficLedger {
  /// Users from here on are people (login.defs(5), UID_MIN).
  private static let firstPerson: UInt32 = 1000
  /// How many entries are told of, so that figures stay few.
  private static let figureEntries = 32

  /// What was moved since the process started, by modem and purpose, whoever's it was.
  package var totals: [(modem: String, purpose: TrafficPurpose, counts: TrafficCounts)] {
    change { $0.totals.counts }.map { ($0.key.modem, $0.key.purpose, $0.value) }
      .sorted { ($0.modem, $0.purpose.rawValue) < ($1.modem, $1.purpose.rawValue) }
  }

  /// The budgets of the settings, ordered by their keys.
  package var budgetFigures: [BudgetFigure] {
    let (policy, meters) = change { state in
      roll(&state)
      return (state.policy, Array(state.meters.values))
    }
    let budgets = policy.budgets
    let prefix = "usage.budgets."
    let named =
      ([budgets.general].compactMap(\.self) + budgets.groups.values
      + budgets.users.filter { $0.key < Self.firstPerson }.values)
      .map { (name: String?($0.key.hasPrefix(prefix) ? String($0.key.dropFirst(prefix.count)) : $0.key), entry: $0) }
      .sorted { ($0.name ?? "") < ($1.name ?? "") }.prefix(Self.figureEntries)
    let people = budgets.users.filter { $0.key >= Self.firstPerson }.values.map { (name: String?.none, entry: $0) }
    var figures: [BudgetFigure] = []
    for kind in BudgetKind.allCases {
      var ofPeople: BudgetFigure?
      for (name, entry) in Array(named) + people {
        guard let limit = entry.value[kind] else { continue }
        let key = "\(entry.key).\(kind)"
        let used = meters.filter { $0.limits[kind]?.key == key }.map { $0.amount(of: kind) }.max() ?? 0
        guard name == nil else {
          figures.append(BudgetFigure(entry: name, kind: kind, limit: limit, used: used))
          continue
        }
        ofPeople = BudgetFigure(
          entry: nil, kind: kind, limit: min(limit, ofPeople?.limit ?? .max), used: max(used, ofPeople?.used ?? 0))
      }
      if let ofPeople { figures.append(ofPeople) }
    }
    return figures.sorted { ($0.entry ?? "", $0.kind.rawValue) < ($1.entry ?? "", $1.kind.rawValue) }
  }
}

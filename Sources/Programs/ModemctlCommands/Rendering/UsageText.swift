import ModemAPI
import ModemModel
import ModemctlCore

/// Usage for people: a table, a plot over days, and budgets.
struct UsageText {
  private struct Key: Hashable {
    let modem: String
    let user: Int?
    let purpose: String
  }

  private struct Sums {
    var bearer = 0
    var sent = 0
    var received = 0
    var roaming = 0
    var connections = 0
  }

  private let reply: UsageInterface.Get.Reply
  private let drawing: UsageDrawing
  private let paint: Paint

  init(_ reply: UsageInterface.Get.Reply, _ drawing: UsageDrawing, _ paint: Paint) {
    self.reply = reply
    self.drawing = drawing
    self.paint = paint
  }

  var text: String {
    let parts = [table, days, budgets].compactMap(\.self)
    return parts.isEmpty ? "nothing went over a bearer this month\n" : parts.joined(separator: "\n")
  }

  /// A line for each modem, user and purpose. The modem and the user only matter if there are
  /// several.
  private var table: String? {
    var sums: [Key: Sums] = [:]
    for row in reply.bearer { sums[Self.key(row), default: Sums()].bearer += Self.bytes(row) }
    for row in reply.month {
      sums[Self.key(row), default: Sums()].sent += row.sent
      sums[Self.key(row), default: Sums()].received += row.received
      sums[Self.key(row), default: Sums()].roaming += row.roaming
      sums[Self.key(row), default: Sums()].connections += row.connections
    }
    guard !sums.isEmpty else { return nil }
    let showsModem = Set(sums.keys.map(\.modem)).count > 1
    let showsUser = Set(sums.keys.map(\.user)).count > 1
    let columns: [TableLayout.Column] =
      (showsModem ? [.init("MODEM")] : []) + (showsUser ? [.init("USER")] : []) + [
        .init("PURPOSE"), .init("THIS BEARER", isNumber: true), .init("THIS MONTH", isNumber: true),
        .init("SENT", isNumber: true), .init("RECEIVED", isNumber: true), .init("ROAMING", isNumber: true),
        .init("CONNECTIONS", isNumber: true),
      ]
    let sorted = sums.sorted { one, other in
      (one.key.modem, one.key.user ?? -1, one.key.purpose) < (other.key.modem, other.key.user ?? -1, other.key.purpose)
    }
    let total = sums.values.reduce(into: Sums()) { total, one in
      total.bearer += one.bearer
      total.sent += one.sent
      total.received += one.received
      total.roaming += one.roaming
      total.connections += one.connections
    }
    var rows = sorted.map { key, sums in
      (showsModem ? [Cell(key.modem)] : []) + (showsUser ? [Cell(Self.user(key.user))] : [])
        + Self.cells(key.purpose, sums)
    }
    if rows.count > 1 {
      rows.append(
        (showsModem ? [Cell("all")] : []) + (showsUser ? [Cell(showsModem ? "" : "all")] : [])
          + Self.cells(showsModem || showsUser ? "" : "all", total))
    }
    return TableLayout.render(columns, rows, paint)
  }

  private static func cells(_ purpose: String, _ sums: Sums) -> [Cell] {
    [Cell(purpose)]
      + [sums.bearer, sums.sent + sums.received, sums.sent, sums.received, sums.roaming].map {
        Cell(ShownBytes.text($0))
      }
      + [Cell(String(sums.connections))]
  }

  /// A bar for each day, also for those between on which nothing was used.
  private var days: String? {
    guard let first = reply.days.first, let last = reply.days.last else { return nil }
    let used = Dictionary(reply.days.map { ($0.day, $0.usage.reduce(0) { $0 + Self.bytes($1) }) }) { one, _ in one }
    var values: [(label: String, bytes: Int)] = []
    var day = first.day
    while values.count < 400 {
      values.append((day, used[day] ?? 0))
      guard day > last.day, let before = Self.day(before: day) else { break }
      day = before
    }
    return paint("Days", .bold) + "\n" + drawing.lines(values).map { "  \($0)\n" }.joined()
  }

  private static func day(before day: String) -> String? {
    Timestamp(rfc3339: "\(day)T12:00:00Z").map { String($0.later(by: .seconds(-86_400)).description.prefix(10)) }
  }

  private var budgets: String? {
    guard !reply.budgets.isEmpty else { return nil }
    let columns: [TableLayout.Column] = [
      .init("BUDGET"), .init("USER"), .init("LEFT", isNumber: true), .init("USED", isNumber: true),
      .init("OF", isNumber: true), .init("STARTS ANEW"),
    ]
    let rows = reply.budgets.map { budget in
      let left = max(budget.limit - budget.used, 0)
      let colour: Paint.Colour =
        left == 0 ? .bad : budget.used >= budget.limit - budget.limit / 5 ? .attention : .plain
      return [
        Cell(budget.name), Cell(Self.user(budget.user)), Cell(Self.amount(left, budget.unit), colour),
        Cell(Self.amount(budget.used, budget.unit)), Cell(Self.amount(budget.limit, budget.unit)),
        Cell(budget.resets.map { ShownTime.text($0) }),
      ]
    }
    return TableLayout.render(columns, rows, paint)
  }

  private static func amount(_ number: Int, _ unit: UsageInterface.Budget.Unit) -> String {
    unit == .bytes ? ShownBytes.text(number) : String(number)
  }

  private static func user(_ id: Int?) -> String { id.map { UserNames.name(of: $0) } ?? "(modemd)" }

  private static func key(_ row: UsageInterface.Usage) -> Key {
    Key(modem: row.modem, user: row.user, purpose: row.purpose.rawValue)
  }

  static func bytes(_ row: UsageInterface.Usage) -> Int { row.sent + row.received }

  /// One line for a modem: what its bearer carried, and what the month has; nil for nothing.
  static func line(_ reply: UsageInterface.Get.Reply) -> String? {
    guard !reply.month.isEmpty || !reply.bearer.isEmpty else { return nil }
    let bearer = reply.bearer.reduce(0) { $0 + bytes($1) }
    let month = reply.month.reduce(0) { $0 + bytes($1) }
    return "\(ShownBytes.text(bearer)) over this bearer, \(ShownBytes.text(month)) this month"
  }
}

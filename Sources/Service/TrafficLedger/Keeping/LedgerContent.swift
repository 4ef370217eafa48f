import FoundationEssentials
import ModemModel

/// All that outlives a restart.
struct LedgerContent: Hashable, Sendable {
  /// The day that `users` are about; nil before the first.
  var day: CivilDay?
  /// What counts against budgets, by user id.
  var users: [UInt32: BudgetCounts] = [:]
  var book = UsageBook()

  mutating func beginDay(_ day: CivilDay, isNewMonth: Bool) {
    self.day = day
    for user in users.keys { users[user]?.beginDay(ofNewMonth: isNewMonth) }
    users = users.filter { !$0.value.isZero }
  }
}

extension LedgerContent {
  /// What the journal adds to a content.
  struct Replay {
    var content: LedgerContent
    private var leases: [UInt32: (bytes: Int, isRoaming: Bool)] = [:]

    init(_ content: LedgerContent) { self.content = content }

    mutating func apply(_ record: LedgerRecord) {
      switch record {
      case .row(let day, let key, let counts):
        content.book.add(counts, for: key, on: day)
        if let user = key.user { content.users[user, default: BudgetCounts()].add(counts, for: key.purpose) }
      case .lease(let user, let bytes, let isRoaming): leases[user] = (bytes, isRoaming)
      case .bearer(let modem, let since): _ = content.book.begin(bearerOf: modem, since: since)
      case .begin(let isStart):
        if isStart { chargeLeases() }
        leases = [:]
      case .day(let day, let isNewMonth): content.beginDay(day, isNewMonth: isNewMonth)
      }
    }

    /// The content, in which what may have been moved without having been counted counts as used.
    var ended: LedgerContent {
      var copy = self
      copy.chargeLeases()
      return copy.content
    }

    private mutating func chargeLeases() {
      for (user, lease) in leases where lease.bytes > 0 && user != TrafficLedger.itself {
        content.users[user, default: BudgetCounts()].add(lease: lease.bytes, isRoaming: lease.isRoaming)
      }
    }
  }
}

/// A content as a file has it.
struct LedgerDocument: Codable {
  struct Row: Codable {
    var modem: String
    var user: UInt32?
    var purpose: String
    var counts: TrafficCounts
  }
  struct Day: Codable {
    var day: String
    var rows: [Row]
  }
  struct Bearer: Codable {
    var modem: String
    var since: Int64
    var rows: [Row]
  }
  struct User: Codable {
    var user: UInt32
    var counts: BudgetCounts
  }

  /// The first journal that goes on from here.
  var generation: Int
  var day: String?
  var users: [User]
  var days: [Day]
  var bearers: [Bearer]

  init(_ content: LedgerContent, generation: Int) {
    self.generation = generation
    day = content.day?.description
    users = content.users.map { User(user: $0.key, counts: $0.value) }
    days = content.book.days.map { Day(day: $0.key.description, rows: Self.rows($0.value)) }
    bearers = content.book.bearers.map {
      Bearer(modem: $0.key, since: $0.value.since.milliseconds, rows: Self.rows($0.value.rows))
    }
  }

  private static func rows(_ rows: UsageBook.Rows) -> [Row] {
    rows.map { Row(modem: $0.key.modem, user: $0.key.user, purpose: $0.key.purpose.rawValue, counts: $0.value) }
  }

  private static func rows(_ rows: [Row]) -> UsageBook.Rows {
    rows.reduce(into: [:]) { all, row in
      // A later version's purposes are not counted here.
      guard let purpose = TrafficPurpose(rawValue: row.purpose) else { return }
      all[TrafficKey(modem: row.modem, user: row.user, purpose: purpose), default: TrafficCounts()] += row.counts
    }
  }

  var content: LedgerContent {
    var content = LedgerContent(day: day.flatMap { CivilDay($0) })
    for user in users { content.users[user.user] = user.counts }
    let days = days.compactMap { one in CivilDay(one.day).map { ($0, Self.rows(one.rows)) } }
    let bearers = bearers.map {
      ($0.modem, UsageBook.BearerRows(since: Timestamp(milliseconds: $0.since), rows: Self.rows($0.rows)))
    }
    content.book.restore(
      days: Dictionary(days) { first, _ in first }, bearers: Dictionary(bearers) { first, _ in first })
    return content
  }

  /// The file: a line with a check against damage, and JSON.
  var file: [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(self) else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    return Array("\(Self.head)\(LedgerRecord.check(text))\n\(text)\n".utf8)
  }

  private static let head = "modemd usage 1 "

  /// Reads a file; nil for a damaged one, and for one of a later version.
  init?(file bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 3, lines[0] == Self.head + LedgerRecord.check(lines[1]), lines[2].isEmpty,
      let document = try? JSONDecoder().decode(LedgerDocument.self, from: Data(lines[1].utf8)),
      (0..<1 << 53).contains(document.generation)
    else { return nil }
    self = document
  }
}

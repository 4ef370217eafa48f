import ModemModel
import Testing

@testable import TrafficLedger

@Suite("Days, months and a clock that jumps") struct CalendarTests {
  private static func spent(_ fixture: LedgerFixture) throws -> (TrafficLedger, TrafficAccount) {
    let ledger = fixture.ledger(BudgetLimits(dayBytes: 1000, monthBytes: 2500))
    let account = try ledger.open(.of(1000))
    #expect(account.move(1000) == 1000)
    #expect(account.reserve(1) == 0)
    return (ledger, account)
  }

  @Test("A day's budget starts anew with the day, a month's with the month")
  func changes() throws {
    let fixture = try LedgerFixture(at: "2026-11-29T23:59:59Z")
    let (ledger, account) = try Self.spent(fixture)
    try fixture.set("2026-11-30T00:00:00Z")
    #expect(account.move(5000) == 1000)
    try fixture.set("2026-11-30T23:59:59Z")
    #expect(account.reserve(1) == 0)
    try fixture.set("2026-12-01T00:00:00Z")
    #expect(account.move(5000) == 1000)
    #expect(ledger.used(.monthBytes, of: 1000) == 1000)
    let report = ledger.usage(of: 1000, days: 400)
    #expect(report.days.map(\.day.description) == ["2026-12-01", "2026-11-30", "2026-11-29"])
    #expect(report.days.map { $0.rows.map(\.counts.sent) } == [[1000], [1000], [1000]])
    #expect(report.month.map(\.counts.sent) == [1000])
    #expect(ledger.usage(of: 1000, days: 2).days.count == 2)
    #expect(ledger.usage(of: 1000, days: 0).days.isEmpty)
  }

  @Test("A clock that is set back, and forward again, gives no budget anew")
  func back() throws {
    let fixture = try LedgerFixture(at: "2026-12-01T08:00:00Z")
    let (_, account) = try Self.spent(fixture)
    for time in [
      "2026-11-30T08:00:00Z", "2026-12-01T08:00:00Z", "2026-11-01T00:00:00Z", "1970-01-01T00:00:00Z",
      "2026-12-01T23:59:59Z",
    ] {
      try fixture.set(time)
      #expect(account.reserve(1) == 0, "\(time)")
    }
    #expect(fixture.sentences.contains { $0.hasPrefix("the clock says 2026-11-30 and was at 2026-12-01") })
    try fixture.set("2026-12-02T00:00:00Z")
    #expect(account.move(5000) == 1000)
  }

  @Test("A clock that was far ahead holds nobody longer than a day")
  func ahead() throws {
    let fixture = try LedgerFixture(at: "2036-05-01T08:00:00Z")
    let (_, account) = try Self.spent(fixture)
    try fixture.set("2026-11-26T08:00:00Z")
    #expect(account.reserve(1) == 0)
    fixture.driven.advance(by: .seconds(16 * 3600))
    try fixture.set("2026-11-27T00:00:00Z")
    #expect(account.reserve(1) == 0)
    fixture.driven.advance(by: .seconds(24 * 3600))
    try fixture.set("2026-11-28T00:00:00Z")
    #expect(account.move(5000) == 1000)
    // The month's goes on.
    fixture.driven.advance(by: .seconds(24 * 3600))
    try fixture.set("2026-11-29T00:00:00Z")
    #expect(account.move(5000) == 500)
  }

  @Test("A clock set back while modemd is not running gives no budget anew")
  func backOverRestart() async throws {
    try await LedgerFixture.inFolder { folder in
      let fixture = try LedgerFixture(at: "2026-12-01T08:00:00Z", folder: "\(folder)/usage")
      _ = try Self.spent(fixture)
      try fixture.set("2026-11-20T08:00:00Z")
      let ledger = fixture.ledger(BudgetLimits(dayBytes: 1000, monthBytes: 2500))
      #expect(throws: TrafficRefusal.self) { try ledger.open(.of(1000)) }
      #expect((ledger.used(.dayBytes, of: 1000) ?? 0) >= 1000)
    }
  }

  @Test("What is kept is bounded: days, rows of a day, and rows in all")
  func bounds() {
    var book = UsageBook()
    for year in 2020...2022 {
      for month in 1...12 {
        for day in 1...28 {
          book.add(
            TrafficCounts(sent: 1), for: TrafficKey(modem: "m", user: 1, purpose: .chains),
            on: CivilDay(year: year, month: month, day: day))
        }
      }
    }
    #expect(book.days.count == UsageBook.keptDays)
    #expect(book.days.keys.max() == CivilDay(year: 2022, month: 12, day: 28))
    let day = CivilDay(year: 2023, month: 1, day: 1)
    for user in 0..<UInt32(UsageBook.dayRows * 2) {
      book.add(TrafficCounts(sent: 1), for: TrafficKey(modem: "m", user: user, purpose: .chains), on: day)
    }
    #expect(book.days[day]?.count == UsageBook.dayRows + 1)
    #expect(book.days[day]?.values.reduce(0) { $0 + $1.sent } == UsageBook.dayRows * 2)
    for day in 2...28 {
      for user in 0..<UInt32(UsageBook.dayRows * 2) {
        book.add(
          TrafficCounts(sent: 1), for: TrafficKey(modem: "m", user: user, purpose: .chains),
          on: CivilDay(year: 2023, month: 1, day: day))
      }
    }
    #expect(book.days.values.reduce(0) { $0 + $1.count } <= UsageBook.allRows + UsageBook.dayRows + 1)
    for number in 0..<(UsageBook.keptBearers * 2) {
      _ = book.begin(bearerOf: "m\(number)", since: Timestamp(milliseconds: Int64(number)))
    }
    #expect(book.bearers.count == UsageBook.keptBearers)
  }
}

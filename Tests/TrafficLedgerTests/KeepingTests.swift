import Glibc
import ModemModel
import ModemService
import Testing

@testable import TrafficLedger

@Suite("What outlives a restart") struct KeepingTests {
  private static let limits = BudgetLimits(dayBytes: 100_000, monthBytes: 1_000_000, roamingDayBytes: 50_000)

  @Test("A ledger that ended well knows everything, to the byte")
  func goodEnd() async throws {
    try await LedgerFixture.inFolder { folder in
      let fixture = try LedgerFixture(folder: "\(folder)/usage")
      let first = fixture.ledger(Self.limits)
      first.see(.sample(registration: .roaming, bearerSince: "2026-11-26T08:00:00Z"))
      let account = try first.open(.of(1000))
      account.move(12_345)
      account.took(sent: 0, received: 5, ofReserved: 0)
      account.close()
      first.count(sent: 100, received: 200, connections: 2, of: nil, modem: "modem-1", purpose: .probes)
      let before = (first.usage(of: nil, days: 10), first.budgets(of: 1000))
      first.settle()
      first.keep()
      let second = fixture.ledger(Self.limits)
      second.see(.sample(registration: .roaming, bearerSince: "2026-11-26T08:00:00Z"))
      let after = (second.usage(of: nil, days: 10), second.budgets(of: 1000))
      #expect(before.0 == after.0)
      #expect(before.1 == after.1)
      #expect(before.0.bearer.count == 2)
      #expect(second.used(.roamingDayBytes, of: 1000) == 12_350)
      // Another bearer starts at zero.
      second.see(.sample(bearerSince: "2026-11-26T13:00:00Z"))
      #expect(second.usage(of: nil, days: 0).bearer.isEmpty)
      second.see(.sample())
      #expect(second.usage(of: nil, days: 0).bearer.isEmpty)
      #expect(fixture.sentences.isEmpty, "\(fixture.sentences)")
    }
  }

  @Test("A ledger that was killed counts what may have been moved, once, and no row is lost by more than a lease")
  func killed() async throws {
    try await LedgerFixture.inFolder { folder in
      let fixture = try LedgerFixture(folder: "\(folder)/usage")
      var used = 0
      for round in 1...5 {
        // Its file stays as it is at this moment: nobody tells the ledger that it is over.
        let ledger = fixture.ledger(Self.limits)
        #expect((ledger.used(.dayBytes, of: 1000) ?? 0) >= used)
        #expect((ledger.used(.dayBytes, of: 1000) ?? 0) <= used + 5096 * (round - 1))
        let account = try ledger.open(.of(1000))
        account.move(3000)
        // On its way when it is killed.
        #expect(account.reserve(1000) == 1000)
        used += 4000
        withExtendedLifetime(account) {}
      }
    }
  }

  @Test("A killed ledger's journal goes on from a whole file, whether or not that one was ready")
  func interruptedKeep() async throws {
    try await LedgerFixture.inFolder { folder in
      let fixture = try LedgerFixture(folder: "\(folder)/usage")
      let first = fixture.ledger(Self.limits)
      first.keep()
      let account = try first.open(.of(1000))
      account.move(10_000)
      // A whole file is begun, and never written.
      _ = first.files?.beginJournal()
      account.move(10_000)
      first.settle()
      account.move(10_000)
      account.close()
      first.settle()
      let second = fixture.ledger(Self.limits)
      #expect(second.usage(of: 1000, days: 1).month.map(\.counts.sent) == [30_000])
      #expect(second.used(.dayBytes, of: 1000) == 30_000)
    }
  }

  @Test("What is on its way while the whole file is written counts after a kill")
  func reservedAtKeep() async throws {
    try await LedgerFixture.inFolder { folder in
      let fixture = try LedgerFixture(folder: "\(folder)/usage")
      let first = fixture.ledger(Self.limits)
      let account = try first.open(.of(1000))
      #expect(account.reserve(20_000) == 20_000)
      first.keep()
      #expect((fixture.ledger(Self.limits).used(.dayBytes, of: 1000) ?? 0) >= 20_000)
      // The same with what is only settled.
      first.settle()
      #expect((fixture.ledger(Self.limits).used(.dayBytes, of: 1000) ?? 0) >= 20_000)
      withExtendedLifetime(account) {}
    }
  }

  @Test(
    "A damaged file is set aside and told of, and nothing of it counts",
    arguments: ["bit", "cut", "empty", "garbage", "other version"])
  func damagedFile(how: String) async throws {
    try await LedgerFixture.inFolder { folder in
      let fixture = try LedgerFixture(folder: "\(folder)/usage")
      let first = fixture.ledger(Self.limits)
      let account = try first.open(.of(1000))
      account.move(90_000)
      account.close()
      first.settle()
      first.keep()
      try LedgerFixture.damage("\(folder)/usage/ledger") { content in
        switch how {
        case "bit": content[content.count / 2] ^= 1
        case "cut": content.removeLast(7)
        case "empty": content = []
        case "garbage": content = (0..<5000).map { _ in .random(in: .min ... .max) }
        default: content[13] = UInt8(ascii: "2")
        }
      }
      let second = fixture.ledger(Self.limits)
      #expect(second.used(.dayBytes, of: 1000) == 0)
      #expect(LedgerFixture.names(in: "\(folder)/usage").contains("ledger.damaged"))
      #expect(fixture.sentences.contains { $0.contains("ledger is damaged") }, "\(fixture.sentences)")
      // It goes on as if nothing had been.
      let next = try second.open(.of(1000))
      next.move(500)
      next.close()
      second.settle()
      second.keep()
      #expect(fixture.ledger(Self.limits).used(.dayBytes, of: 1000) == 500)
    }
  }

  @Test("Of a damaged journal, the lines before the damage count; an unfinished last line is none")
  func damagedJournal() async throws {
    for (isTorn, expected) in [(true, 10_000), (false, 10_000)] {
      try await LedgerFixture.inFolder { folder in
        let fixture = try LedgerFixture(folder: "\(folder)/usage")
        let first = fixture.ledger(Self.limits)
        let account = try first.open(.of(1000))
        account.move(10_000)
        first.settle()
        let names = LedgerFixture.names(in: "\(folder)/usage").filter { $0.hasPrefix("journal-") }
        let path = "\(folder)/usage/\(try #require(names.last))"
        account.close()
        first.settle()
        try LedgerFixture.damage(path) { content in
          content += Array("row\t2026-11-26\tmodem-1\t1000\tstreams\t77777\t0\t0\t0\t0123456789abcdef".utf8)
          if !isTorn { content += [0x0a] }
        }
        let second = fixture.ledger(Self.limits)
        #expect(second.used(.dayBytes, of: 1000) == expected)
        #expect(fixture.sentences.isEmpty == isTorn, "\(fixture.sentences)")
      }
    }
  }

  @Test("Files that are none, and folders that cannot be made, block nobody")
  func unusual() async throws {
    try await LedgerFixture.inFolder { folder in
      mkdir("\(folder)/usage", 0o700)
      mkfifo("\(folder)/usage/ledger", 0o600)
      symlink("/etc/passwd", "\(folder)/usage/journal-3")
      mkfifo("\(folder)/usage/journal-4", 0o600)
      let fixture = try LedgerFixture(folder: "\(folder)/usage")
      let ledger = fixture.ledger(Self.limits)
      let account = try ledger.open(.of(1000))
      #expect(account.move(200_000) == 100_000)
      for name in ["ledger", "journal-3", "journal-4"] {
        #expect(fixture.sentences.contains { $0.contains("usage/\(name) is damaged") }, "\(fixture.sentences)")
        #expect(access("\(folder)/usage/\(name).damaged", F_OK) == 0)
      }
    }
    let fixture = try LedgerFixture(folder: "/proc/none/usage")
    let ledger = fixture.ledger(Self.limits)
    let account = try ledger.open(.of(1000))
    #expect(account.move(200_000) == 100_000)
    ledger.settle()
    ledger.keep()
    #expect(fixture.sentences.filter { $0.contains("/proc/none/usage") }.count == 1, "\(fixture.sentences)")
  }

  @Test("Records survive their lines, whatever a modem is called, and no other line is one")
  func records() throws {
    let day = CivilDay(year: 2026, month: 11, day: 26)
    let key = TrafficKey(modem: "m", user: nil, purpose: .proxy)
    let records: [LedgerRecord] = [
      .row(day, key, TrafficCounts(sent: 1, received: 2, roaming: 3, connections: 4)),
      .lease(user: 7, bytes: 1 << 40, isRoaming: true), .bearer(modem: "m", since: Timestamp(milliseconds: 9)),
      .begin(isStart: true), .day(day, isNewMonth: true),
    ]
    for record in records {
      let line = record.line
      #expect(LedgerRecord(line: line.dropLast()) == record)
      for position in line.indices.dropLast() {
        var other = line
        other.replaceSubrange(position...position, with: line[position] == "1" ? "2" : "1")
        #expect(LedgerRecord(line: other.dropLast()) == nil)
      }
    }
    let hostile = LedgerRecord.bearer(modem: "a\tb\nlease\t7", since: Timestamp(milliseconds: 9))
    #expect(hostile.line.count { $0 == "\n" } == 1)
    #expect(
      LedgerRecord(line: hostile.line.dropLast()) == .bearer(modem: "ablease7", since: Timestamp(milliseconds: 9)))
  }
}

import ModemModel
import ModemService
import Synchronization
import Testing

@testable import TrafficLedger

@Suite("Budgets") struct BudgetTests {
  @Test("64 connections that race for the last bytes move all of them, and not one more", arguments: [1, 999, 65_536])
  func race(piece: Int) async throws {
    let limit = 5_000_011
    let ledger = try LedgerFixture().ledger(BudgetLimits(dayBytes: limit))
    let accounts = try (0..<64).map { _ in try ledger.open(.of(1000)) }
    let moved = await withTaskGroup(of: Int.self) { group in
      for account in accounts {
        group.addTask {
          var moved = 0
          // Few bytes at a time would take long.
          while case let granted = account.reserve(max(piece, 997)), granted > 0 {
            // Not all is taken each time: the rest is others'.
            let taken = granted > 1 && granted % 7 == 0 ? granted / 2 : granted
            account.took(sent: taken / 3, received: taken - taken / 3, ofReserved: granted)
            moved += taken
          }
          return moved
        }
      }
      return await group.reduce(0, +)
    }
    // Whoever comes last finds what others have just returned.
    #expect(moved <= limit)
    #expect(limit - moved < 64 * max(piece, 997))
    #expect(ledger.used(.dayBytes, of: 1000) == moved)
    let last = try? ledger.open(.of(1000))
    #expect((last?.move(limit) ?? 0) + moved == limit)
    #expect(accounts[0].reserve(1) == 0)
  }

  @Test("The last bytes are granted in part, and what is reserved is nobody else's")
  func lastBytes() throws {
    let ledger = try LedgerFixture().ledger(BudgetLimits(dayBytes: 1000))
    let (one, two) = (try ledger.open(.of(1000)), try ledger.open(.of(1000)))
    #expect(one.reserve(600) == 600)
    #expect(two.reserve(600) == 400)
    #expect(one.reserve(1) == 0)
    one.took(sent: 100, received: 0, ofReserved: 600)
    #expect(two.reserve(1000) == 500)
    two.close()
    #expect(one.reserve(1000) == 900)
    one.close()
    #expect(ledger.used(.dayBytes, of: 1000) == 100)
  }

  @Test("A spent budget refuses further connections, and says which one and until when")
  func spent() throws {
    let fixture = try LedgerFixture()
    let ledger = fixture.ledger(BudgetLimits(dayBytes: 1000, monthBytes: 1500))
    let account = try ledger.open(.of(1000))
    #expect(account.move(2000) == 1000)
    let day = TrafficRefusal.budget(
      name: "usage.budgets.*.dayBytes", resets: Timestamp(rfc3339: "2026-11-27T00:00:00Z"),
      text: "usage.budgets.*.dayBytes, 1000 bytes, is spent")
    #expect(throws: day) { try ledger.open(.of(1000)) }
    try fixture.set("2026-11-27T00:00:00Z")
    #expect(account.move(2000) == 500)
    let month = TrafficRefusal.budget(
      name: "usage.budgets.*.monthBytes", resets: Timestamp(rfc3339: "2026-12-01T00:00:00Z"),
      text: "usage.budgets.*.monthBytes, 1500 bytes, is spent")
    #expect(throws: month) { try ledger.open(.of(1000)) }
    // Chains are counted, and go on.
    ledger.count(sent: 10, received: 10, of: 1000, modem: "modem-1", purpose: .chains)
    #expect(ledger.used(.monthBytes, of: 1000) == 1520)
    #expect(try ledger.open(.of(1000, .chains)).reserve(5) == 5)
    // And other users.
    #expect(try ledger.open(.of(1001)).move(10) == 10)
  }

  @Test("Connections at one time and on a day")
  func connections() throws {
    let ledger = try LedgerFixture().ledger(BudgetLimits(connections: 2, dayConnections: 3))
    let (one, two) = (try ledger.open(.of(1000)), try ledger.open(.of(1000, .proxy)))
    #expect {
      try ledger.open(.of(1000))
    } throws: { error in
      guard case TrafficRefusal.budget("usage.budgets.*.connections", nil, _) = error else { return false }
      return true
    }
    one.close()
    one.close()
    let three = try ledger.open(.of(1000))
    two.close()
    #expect {
      try ledger.open(.of(1000))
    } throws: { error in
      guard case TrafficRefusal.budget("usage.budgets.*.dayConnections", .some, _) = error else { return false }
      return true
    }
    three.close()
    #expect(ledger.used(.connections, of: 1000) == 0)
  }

  @Test("An account that nobody holds any more is closed")
  func abandoned() throws {
    let ledger = try LedgerFixture().ledger(BudgetLimits(connections: 1))
    for _ in 0..<10 { _ = try ledger.open(.of(1000)) }
    #expect(ledger.used(.connections, of: 1000) == 0)
  }

  @Test("A user's own entry counts, else the largest of the groups', else the general one, which root has not")
  func entries() throws {
    let ledger = try LedgerFixture().ledger(
      BudgetLimits(dayBytes: 1), users: [1000: BudgetLimits(dayBytes: 2)],
      groups: [50: BudgetLimits(dayBytes: 3), 51: BudgetLimits(dayBytes: 4, monthBytes: 5)])
    let left = { (user: UInt32, groups: Set<UInt32>) in try ledger.open(.of(user, groups: groups)).reserve(100) }
    #expect(try left(1000, [50]) == 2)
    #expect(try left(1001, [50, 7]) == 3)
    #expect(try left(1002, [50, 51]) == 4)
    #expect(try left(1003, [7]) == 1)
    #expect(try left(0, [7]) == 100)
    #expect(ledger.budgets(of: 1002).map(\.key) == ["usage.budgets.@g51.dayBytes"])
  }

  @Test("What is moved while roaming has a budget of its own, and the modem's state decides")
  func roaming() throws {
    let ledger = try LedgerFixture().ledger(BudgetLimits(dayBytes: 1000, roamingDayBytes: 100))
    let account = try ledger.open(.of(1000))
    #expect(account.move(200) == 200)
    ledger.see(.sample(registration: .roaming))
    #expect(account.move(200) == 100)
    #expect(account.reserve(1) == 0)
    ledger.see(.sample(registration: .home))
    #expect(account.move(1000) == 700)
    let row = try #require(ledger.usage(of: 1000, days: 0).month.first)
    #expect(row.counts == TrafficCounts(sent: 1000, roaming: 100, connections: 1))
  }

  @Test("At 80 % and when a budget is spent, its user is told once, root too, and nobody else", .timeLimit(.minutes(1)))
  func events() async throws {
    let fixture = try LedgerFixture()
    let ledger = fixture.ledger(BudgetLimits(dayBytes: 1000))
    let (own, all, other) = (
      ledger.watchBudgets(of: 1000), ledger.watchBudgets(of: nil), ledger.watchBudgets(of: 1001)
    )
    let account = try ledger.open(.of(1000))
    for _ in 0..<120 { account.move(10) }
    let spent = try ledger.open(.of(1001))
    spent.move(800)
    for events in [own, all] {
      var reader = events.makeAsyncIterator()
      let (first, second) = (await reader.next(), await reader.next())
      #expect(first?.isSpent == false && first?.budget.used == 800)
      #expect(second?.isSpent == true && second?.budget.used == 1000)
    }
    var reader = other.makeAsyncIterator()
    #expect(await reader.next()?.budget.user == 1001)
    #expect(fixture.sentences.filter { $0.hasPrefix("user 1000") }.count == 2)
    // On the next day from the beginning.
    try fixture.set("2026-11-27T08:00:00Z")
    account.move(800)
    #expect(fixture.sentences.filter { $0.hasPrefix("user 1000") }.count == 3)
  }

  @Test("Other limits apply at once, to what is open too")
  func change() async throws {
    let ledger = try LedgerFixture().ledger()
    let account = try ledger.open(.of(1000))
    #expect(account.move(5000) == 5000)
    ledger.change(to: LedgerFixture.policy(BudgetLimits(dayBytes: 6000)))
    #expect(account.move(5000) == 1000)
    ledger.change(to: LedgerFixture.policy())
    #expect(account.move(5000) == 5000)
  }
}

extension ModemState {
  static func sample(
    _ id: String = "modem-1", registration: Registration.State = .home, bearerSince: String? = nil
  ) -> ModemState {
    var state = ModemState(
      id: id, device: "/dev/cdc-wdm0", kind: .mbim, interface: "wwan0", registration: Registration(state: registration),
      bearer: BearerStatus(since: Timestamp(milliseconds: 0)))
    if let bearerSince, let since = Timestamp(rfc3339: bearerSince) {
      let bearer = InstalledBearer(settings: BearerSettings(), interface: "wwan0", interfaceIndex: 7, table: 100)
      state.bearer = BearerStatus(state: .up(bearer), since: since)
    }
    return state
  }
}

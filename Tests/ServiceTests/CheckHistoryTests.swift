import ModemModel
import RedirectChain
import Testing

@testable import ModemService

@Suite("The history of checks") struct CheckHistoryTests {
  private static func past(_ number: Int, user: UInt32) -> PastCheck {
    PastCheck(
      number: number, caller: Caller(userID: user), began: Timestamp(milliseconds: 0), host: "check.example",
      modem: nil, source: nil, hops: 0, end: .redirectReached, waited: .zero, time: .zero)
  }

  @Test("The last ones are kept, the latest first, and the oldest makes room", arguments: [0, 1, 3, 100])
  func bounded(limit: Int) {
    let history = CheckHistory(limit: limit)
    for _ in 0..<7 { history.add { Self.past($0, user: 1) } }
    #expect(history.last(of: nil, limit: 1000).map(\.number) == Array((1...7).reversed().prefix(limit)))
    #expect(history.last(of: nil, limit: 2).map(\.number) == Array([7, 6].prefix(limit)))
    #expect(history.last(of: nil, limit: 0) == [])
  }

  @Test("Another limit forgets the oldest that are too many, and holds from then on", arguments: [0, 2, 9])
  func change(limit: Int) {
    let history = CheckHistory(limit: 5)
    for _ in 0..<7 { history.add { Self.past($0, user: 1) } }
    history.change(limit: limit)
    #expect(history.last(of: nil, limit: 100).map(\.number) == Array([7, 6, 5, 4, 3].prefix(limit)))
    history.add { Self.past($0, user: 1) }
    #expect(history.last(of: nil, limit: 100).map(\.number) == Array([8, 7, 6, 5, 4, 3].prefix(limit)))
  }

  @Test("A caller is given its own alone")
  func own() {
    let history = CheckHistory()
    for user: UInt32 in [1, 2, 1, 3] { history.add { Self.past($0, user: user) } }
    // Numbers of others' checks are no business of theirs.
    #expect(history.last(of: Caller(userID: 1), limit: 10).map(\.number) == [2, 1])
    #expect(history.last(of: Caller(userID: 3), limit: 10).map(\.number) == [1])
    #expect(history.last(of: Caller(userID: 9), limit: 10) == [])
    #expect(history.last(of: nil, limit: 10).map(\.number) == [4, 3, 2, 1])
  }

  @Test("Nobody pushes another's checks out, and all together are bounded")
  func apart() {
    let history = CheckHistory(limit: 3)
    history.add { Self.past($0, user: 0) }
    history.add { Self.past($0, user: 1) }
    for _ in 0..<100 { history.add { Self.past($0, user: 2) } }
    #expect(history.last(of: Caller(userID: 1), limit: 10).count == 1)
    #expect(history.last(of: Caller(userID: 2), limit: 10).map(\.number) == [100, 99, 98])
    for user in 3..<100 as Range<UInt32> { for _ in 0..<3 { history.add { Self.past($0, user: user) } } }
    #expect(history.last(of: nil, limit: 1000).count == 3 * CheckHistory.fullCallers)
    #expect(history.last(of: Caller(userID: 0), limit: 10).count == 1)
  }
}

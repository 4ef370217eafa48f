import ModemModel
import NetworkAddress
import Testing

@Suite struct `Back-off of a lost bearer` {
  private static let policy = ReconnectBackoff.Policy(
    delays: [.seconds(1), .seconds(5), .seconds(60)], lastingDelays: [.seconds(600), .seconds(3600)],
    settledAfter: .seconds(60), leastSpacing: .seconds(5), jitter: 0.2)

  enum Step {
    case fails
    case failsLastingly
    case endsAfter(Int)
    case asked
  }

  @Test(
    arguments: [
      ([.fails, .fails, .fails, .fails], [1, 5, 60, 60]),
      // One that never holds is not tried in a loop, however often it comes up.
      ([.endsAfter(1), .fails, .endsAfter(2), .fails, .endsAfter(59), .fails], [1, 5, 60]),
      ([.fails, .fails, .endsAfter(60), .fails], [1, 5, 1]),
      ([.failsLastingly, .failsLastingly, .failsLastingly], [600, 3600, 3600]),
      ([.fails, .failsLastingly, .fails, .failsLastingly], [1, 600, 60, 600]),
      ([.failsLastingly, .asked, .failsLastingly, .fails], [600, 600, 5]),
    ] as [([Step], [Int])])
  func `waits longer each time, much longer for a cause that stays, and begins anew when the bearer held`(
    steps: [Step], seconds: [Int]
  ) {
    var backoff = ReconnectBackoff(Self.policy)
    var delays: [Duration] = []
    for step in steps {
      switch step {
      case .fails: delays.append(backoff.delay(isLasting: false, chance: 0))
      case .failsLastingly: delays.append(backoff.delay(isLasting: true, chance: 0))
      case .endsAfter(let time): backoff.ended(afterUp: .seconds(time))
      case .asked: backoff.reset()
      }
    }
    #expect(delays == seconds.map { .seconds($0) })
  }

  @Test(arguments: [(0.0, 1000), (0.5, 1100), (1.0, 1200), (-3.0, 1000), (7.0, 1200)])
  func `adds a fifth at most by chance`(chance: Double, milliseconds: Int) {
    var backoff = ReconnectBackoff(Self.policy)
    let delay = backoff.delay(isLasting: false, chance: chance)
    #expect(delay == .milliseconds(milliseconds))
  }

  @Test(arguments: [(nil, 0), (0, 5000), (2000, 3000), (5000, 0), (90_000, 0)] as [(Int?, Int)])
  func `keeps attempts apart also when news are good`(since: Int?, milliseconds: Int) {
    let delay = ReconnectBackoff(Self.policy).delayAfterGoodNews(sinceAttempt: since.map { .milliseconds($0) })
    #expect(delay == .milliseconds(milliseconds))
  }

  @Test func `never comes to nothing`() {
    var backoff = ReconnectBackoff(.init(delays: [], lastingDelays: []))
    #expect(backoff.delay(isLasting: false, chance: 0) == .seconds(60))
    for list in [ReconnectBackoff.Policy().delays, ReconnectBackoff.Policy().lastingDelays] {
      #expect(list.allSatisfy { $0 >= .seconds(1) })
      #expect(list == list.sorted())
    }
  }
}

@Suite struct `Session management causes` {
  @Test(
    arguments: [
      (8, "operator determined barring (cause 8)", true), (26, "insufficient resources (cause 26)", false),
      (27, "missing or unknown access point name (cause 27)", true),
      (29, "user authentication failed (cause 29)", true),
      (33, "requested service option not subscribed (cause 33)", true),
      (36, "regular deactivation (cause 36)", false), (38, "network failure (cause 38)", false),
      (39, "reactivation requested (cause 39)", false),
      (113, "multiple accesses to a PDN connection not allowed (cause 113)", false),
      (200, "session management cause 200 (cause 200)", false),
    ])
  func `are in 3GPP's words, and some of them stay`(code: Int, words: String, isLasting: Bool) {
    let cause = NetworkCause.session(code)
    #expect(cause.description == words)
    #expect(cause.isLasting == isLasting)
  }

  @Test func `are all of the two tables`() {
    let known = [8] + Array(24...61) + [65, 66, 81] + Array(95...101) + [111, 112, 113]
    #expect(known.allSatisfy { !NetworkCause.session($0).text.hasPrefix("session management cause") })
  }
}

@Suite struct `A machine that was suspended` {
  @Test(
    arguments: [
      ([(0, 0), (5, 5), (10, 10)], []), ([(0, 0), (65, 5), (70, 10)], [60]), ([(0, 0), (6, 5)], []),
      ([(100, 3), (105, 8), (205, 13), (505, 18)], [95, 295]), ([(7, 5)], []),
    ] as [([(Int, Int)], [Int])])
  func `is told by the clock that stood still`(readings: [(Int, Int)], suspensions: [Int]) {
    var detector = SuspendDetector()
    let found = readings.compactMap { detector.suspension(continuous: .seconds($0), suspending: .seconds($1)) }
    #expect(found == suspensions.map { .seconds($0) })
  }
}

@Suite struct `A bearer with new settings` {
  private func bearer(_ ipv4: String?, _ ipv6: String? = nil, index: Int = 7) -> InstalledBearer {
    let assignment = { (text: String?, length: Int) in
      text.flatMap { IPAddress($0) }.flatMap { IPPrefix($0, length: length) }.map {
        BearerSettings.Assignment(prefix: $0)
      }
    }
    return InstalledBearer(
      settings: BearerSettings(ipv4: assignment(ipv4, 30), ipv6: assignment(ipv6, 64)), interface: "wwan0",
      interfaceIndex: index, table: 7_700_007)
  }

  @Test func `carries what was begun over it while its addresses are there`() {
    let first = bearer("10.0.0.2")
    #expect(bearer("10.0.0.2").carries(first))
    #expect(bearer("10.0.0.2", "2001:db8::2").carries(first))
    #expect(!bearer("10.0.0.6").carries(first))
    #expect(!bearer(nil, "2001:db8::2").carries(first))
    #expect(!bearer("10.0.0.2", index: 8).carries(first))
    #expect(!first.carries(bearer("10.0.0.2", "2001:db8::2")))
  }
}

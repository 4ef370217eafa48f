import ModemModel
import Testing

@testable import AuthFlows
@testable import MobileConnectFlows

@Suite("Mobile Connect: operators that are kept")
struct OperatorCacheTests {
  static let now = MobileConnectStage.now
  static let day = 86_400_000

  static func after(_ milliseconds: Int) -> Timestamp {
    Timestamp(milliseconds: now.milliseconds + Int64(milliseconds))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let ttl: Int?
    /// Milliseconds for which it is fresh.
    let fresh: Int
    var testDescription: String { name }
  }

  /// `ttl` is a moment: a reading of it as a duration would keep everything for 180 days, one in
  /// seconds for ever.
  static let rows = [
    Row(name: "a moment within the bounds", ttl: Int(now.milliseconds) + 7 * day, fresh: 7 * day),
    Row(name: "a moment that is over: 5 minutes", ttl: 1_461_169_322_705, fresh: 300_000),
    Row(name: "a moment that is nearly now: 5 minutes", ttl: Int(now.milliseconds) + 1000, fresh: 300_000),
    Row(name: "a moment in a year: 180 days", ttl: Int(now.milliseconds) + 365 * day, fresh: 180 * day),
    Row(
      name: "a moment in seconds is long ago: 5 minutes", ttl: Int(now.milliseconds / 1000) + 1_000_000, fresh: 300_000),
    Row(name: "none: 5 minutes", ttl: nil, fresh: 300_000),
    Row(name: "below zero: 5 minutes", ttl: -1, fresh: 300_000),
    Row(name: "the greatest number: 180 days", ttl: .max, fresh: 180 * day),
  ]

  @Test("An answer is believed until its ttl, within 5 minutes and 180 days", arguments: rows)
  func believed(row: Row) {
    var cache = OperatorCache()
    cache.keep(MobileConnectStage.endpoints, for: MobileConnectStage.network, ttl: row.ttl, at: Self.now)
    let found = MobileConnectStage.endpoints
    #expect(cache.find(MobileConnectStage.network, at: Self.after(row.fresh - 1)) == .fresh(found))
    #expect(cache.find(MobileConnectStage.network, at: Self.after(row.fresh)) == .stale(found))
  }

  @Test("A clock that was set back years makes an entry useless, and not young for years")
  func clock() {
    var cache = OperatorCache()
    cache.keep(MobileConnectStage.endpoints, for: MobileConnectStage.network, ttl: nil, at: Self.now)
    let past = Timestamp(milliseconds: Self.now.milliseconds - Int64(400 * Self.day))
    #expect(cache.find(MobileConnectStage.network, at: past) == nil)
  }

  @Test("What is a day behind its end serves nobody any more")
  func old() {
    var cache = OperatorCache()
    cache.keep(MobileConnectStage.endpoints, for: MobileConnectStage.network, ttl: nil, at: Self.now)
    let end = 300_000 + Int(OperatorCache.staleTime / .milliseconds(1))
    #expect(
      cache.find(MobileConnectStage.network, at: Self.after(end - 1)) == .stale(MobileConnectStage.endpoints))
    #expect(cache.find(MobileConnectStage.network, at: Self.after(end)) == nil)
  }

  @Test("It is bounded: the one that was not used for longest leaves")
  func bounded() throws {
    var cache = OperatorCache(capacity: 2)
    let networks = try ["23410", "23415", "23420"].map { try #require(PLMN($0)) }
    cache.keep(MobileConnectStage.endpoints, for: networks[0], ttl: nil, at: Self.after(1))
    cache.keep(MobileConnectStage.endpoints, for: networks[1], ttl: nil, at: Self.after(2))
    _ = cache.find(networks[0], at: Self.after(3))
    cache.keep(MobileConnectStage.endpoints, for: networks[2], ttl: nil, at: Self.after(4))
    #expect(cache.count == 2 && cache.find(networks[1], at: Self.after(5)) == nil)
    #expect(cache.find(networks[0], at: Self.after(5)) != nil && cache.find(networks[2], at: Self.after(5)) != nil)
    cache.forget(networks[0])
    #expect(cache.count == 1)
    cache.forget()
    #expect(cache.count == 0)
  }

  @Test("Two networks whose codes are the same digits together are two")
  func codes() throws {
    var cache = OperatorCache()
    cache.keep(MobileConnectStage.endpoints, for: try #require(PLMN(mcc: "310", mnc: "26")), ttl: nil, at: Self.now)
    #expect(cache.find(try #require(PLMN(mcc: "310", mnc: "026")), at: Self.now) == nil)
  }
}

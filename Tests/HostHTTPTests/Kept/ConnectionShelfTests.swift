import LimitClock
import RedirectChain
import Testing
import Web

@testable import HostHTTP

@Suite("Which connection a call gets, and which must close")
struct ConnectionShelfTests {
  private typealias Shelf = ConnectionShelf<String>

  private static func at(_ seconds: Double) -> LimitClock.Instant { .init(.seconds(seconds)) }

  private static func key(_ user: UInt32, _ origin: String = "https://a.example", isConfigured: Bool = true) throws
    -> Shelf.Key
  {
    .init(userID: user, origin: try WebURL(origin).origin, isConfigured: isConfigured)
  }

  private static func put(_ name: String, _ key: Shelf.Key, at now: Double, in shelf: inout Shelf) throws -> [String] {
    let patience = try #require(shelf.patience(key, opened: at(now), announced: nil, at: at(now)))
    return shelf.put(name, key, as: shelf.makeID(), for: patience, at: at(now))
  }

  @Test("A connection serves its user, its origin and its kind of address, and nothing else")
  func keys() throws {
    let own = try Self.key(1)
    let others = [
      try Self.key(2), try Self.key(1, "https://b.example"), try Self.key(1, "https://a.example:8443"),
      try Self.key(1, "http://a.example:443"), try Self.key(1, "https://www.a.example"),
      try Self.key(1, isConfigured: false),
    ]
    var shelf = Shelf(.init())
    #expect(try Self.put("own", own, at: 0, in: &shelf) == [])
    for other in others { #expect(shelf.take(other, isRepeatable: true, at: Self.at(1)).connection == nil) }
    #expect(shelf.take(own, isRepeatable: true, at: Self.at(1)).connection == "own")
    // Once.
    #expect(shelf.take(own, isRepeatable: true, at: Self.at(1)).connection == nil)
  }

  @Test("The one that was used last is taken first")
  func order() throws {
    let key = try Self.key(1)
    var shelf = Shelf(.init())
    for name in ["a", "b", "c"] { _ = try Self.put(name, key, at: 0, in: &shelf) }
    let taken = (0..<3).map { _ in shelf.take(key, isRepeatable: true, at: Self.at(1)).connection }
    #expect(taken == ["c", "b", "a"])
  }

  @Test("What must not be sent twice gets a connection that waited for a shorter time")
  func unrepeatable() throws {
    let key = try Self.key(1)
    var shelf = Shelf(.init())
    _ = try Self.put("old", key, at: 0, in: &shelf)
    let fresh = shelf.take(key, isRepeatable: false, at: Self.at(4))
    #expect(fresh.connection == nil && fresh.closing == [])
    #expect(shelf.take(key, isRepeatable: true, at: Self.at(4)).connection == "old")
    _ = try Self.put("new", key, at: 10, in: &shelf)
    #expect(shelf.take(key, isRepeatable: false, at: Self.at(13.9)).connection == "new")
  }

  @Test("Time that is over without a timer, as in a sleep, closes a connection")
  func sleep() throws {
    let key = try Self.key(1)
    var shelf = Shelf(.init())
    _ = try Self.put("a", key, at: 0, in: &shelf)
    let taken = shelf.take(key, isRepeatable: true, at: Self.at(3600))
    #expect(taken.connection == nil && taken.closing == ["a"] && shelf.count == 0)
  }

  @Test(
    "How long a connection waits",
    arguments: [
      (0.0, nil, 10.0), (0, 100, 10), (0, 5, 4), (0, 2, 1), (0, 1, nil), (0, 0, nil), (55, nil, 5), (55, 5, 4),
      (60, nil, nil), (1e6, nil, nil),
    ] as [(Double, Double?, Double?)])
  func patience(age: Double, announced: Double?, time: Double?) throws {
    let shelf = Shelf(.init())
    let found = shelf.patience(
      try Self.key(1), opened: Self.at(0), announced: announced.map { .seconds($0) }, at: Self.at(age))
    #expect(found == time.map { .seconds($0) })
  }

  @Test("Each origin, each user and all together have a bound, and one user's many do not displace another's few")
  func bounds() throws {
    var keeping = ConnectionKeeping()
    (keeping.perOrigin, keeping.perUser, keeping.total) = (2, 3, 4)
    var shelf = Shelf(keeping)
    #expect(try Self.put("1", Self.key(1), at: 0, in: &shelf) == [])
    #expect(try Self.put("2", Self.key(1), at: 0, in: &shelf) == [])
    #expect(try Self.put("3", Self.key(1), at: 0, in: &shelf) == ["1"])
    #expect(try Self.put("4", Self.key(1, "https://b.example"), at: 0, in: &shelf) == [])
    #expect(try Self.put("5", Self.key(1, "https://c.example"), at: 0, in: &shelf) == ["2"])
    #expect(try Self.put("6", Self.key(2), at: 0, in: &shelf) == [])
    #expect(shelf.count == 4)
    #expect(try Self.put("7", Self.key(3), at: 0, in: &shelf) == ["3"])
    #expect(try Self.put("8", Self.key(4), at: 0, in: &shelf) == ["4"])
    #expect(shelf.count == 4)
    #expect(shelf.take(try Self.key(2), isRepeatable: true, at: Self.at(0)).connection == "6")
  }

  @Test("Whoever keeps nothing keeps nothing")
  func none() throws {
    var keeping = ConnectionKeeping()
    keeping.total = 0
    #expect(Shelf(keeping).patience(try Self.key(1), opened: Self.at(0), announced: nil, at: Self.at(0)) == nil)
  }

  @Test("A server that ends connections without notice gets none kept, for a while and for this user alone")
  func distrust() throws {
    let key = try Self.key(1)
    var shelf = Shelf(.init())
    _ = try Self.put("a", key, at: 0, in: &shelf)
    _ = try Self.put("b", key, at: 0, in: &shelf)
    _ = try Self.put("c", Self.key(2), at: 0, in: &shelf)
    #expect(shelf.ended(at: Self.at(0.5)) { $0 == "b" } == ["a"])
    #expect(shelf.patience(key, opened: Self.at(1), announced: nil, at: Self.at(1)) == nil)
    #expect(shelf.patience(try Self.key(2), opened: Self.at(1), announced: nil, at: Self.at(1)) != nil)
    #expect(shelf.patience(key, opened: Self.at(601), announced: nil, at: Self.at(601)) != nil)
    // After its time, it is the server's right.
    #expect(shelf.ended(at: Self.at(6)) { $0 == "c" } == [])
    #expect(shelf.count == 0)
    #expect(shelf.patience(try Self.key(2), opened: Self.at(6), announced: nil, at: Self.at(6)) != nil)
  }

  @Test("What is distrusted is bounded")
  func bounded() throws {
    var shelf = Shelf(.init())
    for user in 0..<1000 as Range<UInt32> { _ = shelf.distrust(try Self.key(user), at: Self.at(0)) }
    let kept = try (0..<1000 as Range<UInt32>).count { user in
      shelf.patience(try Self.key(user), opened: Self.at(0), announced: nil, at: Self.at(0)) == nil
    }
    #expect(kept == 64)
  }

  @Test(
    "The field Keep-Alive",
    arguments: [
      ([], nil, false), (["timeout=5"], 5, false), (["timeout=5, max=100"], 5, false), (["max=0"], nil, true),
      (["timeout = 7 ,MAX= 0"], 7, true), (["timeout=9", "timeout=3"], 3, false), (["timeout=-1"], nil, false),
      (["timeout=1e3"], nil, false), (["timeout=99999999999999999999"], nil, false), (["timeout"], nil, false),
      (["timeout=2147483647"], 2_147_483_647, false), (["x=1,,="], nil, false),
    ] as [([String], Int?, Bool)])
  func field(values: [String], timeout: Int?, isLast: Bool) {
    let field = KeepAliveField(values.map { WebHeader(name: "Keep-Alive", value: $0) })
    #expect(field.timeout == timeout.map { .seconds($0) } && field.isLast == isLast)
  }
}

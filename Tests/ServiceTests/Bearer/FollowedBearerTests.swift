import ModemModel
import NetworkAddress
import Testing

@testable import ModemService

/// What is told of bearers, to all and to who relies on one.
@Suite(.timeLimit(.minutes(1))) struct `A bearer that is followed` {
  private struct Link: ModemLink {
    let name = "cdc-wdm0"
    let messages: (any MessageLink)? = nil
    func connect(_ request: BearerRequest) async throws -> BearerStatus { throw ModemError(.failed, name) }
    func disconnect() async throws -> BearerStatus { throw ModemError(.failed, name) }
    func verifyBearer() async throws -> BearerStatus { throw ModemError(.failed, name) }
    func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState { throw ModemError(.failed, name) }
  }

  private static func bearer(_ address: String, and later: String? = nil) -> InstalledBearer {
    InstalledBearer(
      settings: BearerSettings(
        ipv4: .init(prefix: IPPrefix(IPAddress(address)!, length: 30)!),
        ipv6: later.map { .init(prefix: IPPrefix(IPAddress($0)!, length: 64)!) }),
      interface: "wwan0", interfaceIndex: 7, table: 7307)
  }

  private static func state(_ bearer: BearerState, at time: Int64, fault: String? = nil) -> ModemState {
    ModemState(
      id: "modem-1", device: "/dev/cdc-wdm0", kind: .mbim, interface: "wwan0",
      bearer: BearerStatus(state: bearer, since: Timestamp(milliseconds: time)),
      fault: fault.map { Fault(cause: $0, since: Timestamp(milliseconds: time)) })
  }

  private static let first = bearer("10.64.0.2")
  private static let waiting = state(.down(nil), at: 1, fault: "the control port is not open yet")

  /// One thing that happens, and what is said of the first bearer after it.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let states: [ModemState?]
    /// Words of the reason; nil where the bearer goes on.
    let reason: String?

    init(_ testDescription: String, _ states: [ModemState?], _ reason: String?) {
      self.testDescription = testDescription
      self.states = states
      self.reason = reason
    }
  }

  static let rows: [Row] = [
    Row("nothing", [], nil),
    Row("news of the SIM alone", [state(.up(first), at: 2)], nil),
    Row("a later family", [state(.up(bearer("10.64.0.2", and: "2001:db8::2")), at: 3)], nil),
    Row("other addresses", [state(.up(bearer("10.64.0.6")), at: 3)], "the network gave it other addresses"),
    Row("taken down", [state(.disconnecting, at: 3)], "the bearer was taken down during the chain; open the URL again"),
    Row("down", [state(.down(nil), at: 3)], "the bearer was taken down during the chain; open the URL again"),
    Row("dropped", [state(.down(.session(36)), at: 3)], "lost during the chain: \(NetworkCause.session(36))"),
    Row("damaged", [state(.up(first), at: 2, fault: "a route is gone")], "lost during the chain: a route is gone"),
    Row("opened anew", [state(.down(nil), at: 3, fault: "the modem was reset")], "the modem was reset"),
    Row(
      "restarted, and up again as it was",
      [
        state(.down(NetworkCause(code: nil, text: "the port stopped")), at: 3, fault: "the port stopped"), waiting,
        state(.up(first), at: 5),
      ], "the port stopped"),
    Row("taken away", [nil], "the modem was taken away during the chain"),
  ]

  @Test(arguments: rows) func `ends with the first thing that ends it`(row: Row) throws {
    var bearers = FollowedBearers()
    // The bearer's answer overtakes the word that the modem works.
    #expect(bearers.see(Self.waiting, of: "cdc-wdm0").news.isEmpty)
    let early = bearers.follow(
      Self.first, as: 1, on: "cdc-wdm0", since: Timestamp(milliseconds: 2), state: Self.waiting)
    #expect(early == nil)
    let up = bearers.see(Self.state(.up(Self.first), at: 2), of: "cdc-wdm0")
    #expect(up == .init(news: [.comingUp, .up(Self.first, port: "cdc-wdm0")]))
    var (told, own): ([BearerLoss], [BearerLoss]) = ([], [])
    for state in row.states {
      let tidings = bearers.see(state, of: "cdc-wdm0")
      for case .lost(let loss) in tidings.news { told.append(loss) }
      own += tidings.losses.compactMap { $0.key == 1 ? $0.value : nil }
    }
    #expect(own.count == (row.reason == nil ? 0 : 1) && told == own, "\(told), \(own)")
    if let reason = row.reason {
      let loss = try #require(own.first)
      #expect(loss.reason.contains(reason) && loss.port == "cdc-wdm0" && loss.bearer == Self.first, "\(loss)")
    }
  }

  @Test func `is lost though its port never announced that it was up`() {
    var bearers = FollowedBearers()
    _ = bearers.follow(Self.first, as: 1, on: "cdc-wdm0", since: Timestamp(milliseconds: 2), state: Self.waiting)
    #expect(bearers.see(Self.state(.connecting, at: 1), of: "cdc-wdm0").losses.isEmpty)
    let losses = bearers.see(Self.state(.down(.session(36)), at: 3), of: "cdc-wdm0").losses
    #expect(losses[1]?.reason.contains("\(NetworkCause.session(36))") == true)
  }

  @Test func `is lost at once where it is lost already`() {
    var bearers = FollowedBearers()
    let now = Self.state(.down(.session(36)), at: 3)
    let since = Timestamp(milliseconds: 2)
    #expect(bearers.follow(Self.first, as: 1, on: "cdc-wdm0", since: since, state: now) != nil)
    #expect(bearers.follow(Self.first, as: 2, on: "cdc-wdm0", since: since, state: nil) != nil)
  }

  @Test func `has nothing to do with another port's`() {
    var bearers = FollowedBearers()
    _ = bearers.see(Self.state(.up(Self.first), at: 2), of: "cdc-wdm0")
    _ = bearers.follow(
      Self.first, as: 1, on: "cdc-wdm0", since: Timestamp(milliseconds: 2), state: Self.state(.up(Self.first), at: 2))
    #expect(bearers.see(Self.state(.down(.session(36)), at: 3), of: "cdc-wdm1") == .init())
    #expect(bearers.see(nil, of: "cdc-wdm1") == .init())
  }

  /// Through the registry, as checks and chains hear it.
  @Test func `is told of to all who listen, once`() async throws {
    let (registry, link) = (ModemRegistry(), Link())
    var news = registry.bearerNews().makeAsyncIterator()
    registry.update(Self.state(.connecting, at: 1), from: link)
    registry.update(Self.state(.up(Self.first), at: 2), from: link)
    let since = Timestamp(milliseconds: 2)
    var (one, other) = (
      registry.loss(of: Self.first, on: link.name, since: since).makeAsyncIterator(),
      registry.loss(of: Self.first, on: link.name, since: since).makeAsyncIterator()
    )
    registry.markUnavailable(link.name, because: "the port stopped", at: Timestamp(milliseconds: 3))
    registry.remove(link.name)
    let loss = BearerLoss(
      port: link.name, bearer: Self.first, reason: "the bearer was lost during the chain: the port stopped")
    #expect(await one.next() == loss)
    #expect(await one.next() == nil)
    #expect(await other.next() == loss)
    #expect(await news.next() == .comingUp)
    #expect(await news.next() == .up(Self.first, port: link.name))
    #expect(await news.next() == .lost(loss))
    registry.update(Self.state(.connecting, at: 5), from: link)
    #expect(await news.next() == .comingUp)
  }
}

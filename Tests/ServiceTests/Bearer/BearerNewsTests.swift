import ModemModel
import NetworkAddress
import Synchronization
import Testing

@testable import ModemService

/// What follows the news of bearers: the look for traffic, and the word on a guard that is missing.
@Suite(.timeLimit(.minutes(1))) struct `News of a bearer` {
  private final class Link: ModemLink {
    let name = "cdc-wdm0"
    let messages: (any MessageLink)? = nil
    let told: AsyncStream<Bool>
    private let tell: AsyncStream<Bool>.Continuation

    init() { (told, tell) = AsyncStream.makeStream(of: Bool.self) }

    func connect(_ request: BearerRequest) async throws -> BearerStatus { throw ModemError(.failed, name) }
    func disconnect() async throws -> BearerStatus { throw ModemError(.failed, name) }
    func verifyBearer() async throws -> BearerStatus { throw ModemError(.failed, name) }
    func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState { throw ModemError(.failed, name) }

    func noteTraffic(isAnswered: Bool, interfaceIndex: Int) async throws -> BearerStatus {
      if interfaceIndex == 7 { tell.yield(isAnswered) }
      return BearerStatus(state: .down(nil), since: Timestamp(milliseconds: 0))
    }
  }

  private static func bearer(_ address: String, guardian: BearerGuard? = nil) -> InstalledBearer {
    InstalledBearer(
      settings: BearerSettings(
        ipv4: .init(prefix: IPPrefix(IPAddress(address)!, length: 30)!), dns: [IPAddress("10.64.0.53")!]),
      interface: "wwan0", interfaceIndex: 7, table: 7307, guardian: guardian)
  }

  private static func state(_ bearer: BearerState) -> ModemState {
    ModemState(
      id: "modem-1", device: "/dev/cdc-wdm0", kind: .mbim, interface: "wwan0",
      bearer: BearerStatus(state: bearer, since: Timestamp(milliseconds: 2), traffic: .untested))
  }

  /// Also of one that was up before anybody listened.
  @Test(arguments: [false, true]) func `has it tried for traffic, and its port told`(isUpBefore: Bool) async {
    let (registry, link) = (ModemRegistry(), Link())
    let (asked, ask) = AsyncStream.makeStream(of: InstalledBearer.self)
    if isUpBefore { registry.update(Self.state(.up(Self.bearer("10.64.0.2"))), from: link) }
    let run = Task {
      await TrafficProbe(registry: registry) { bearer in
        ask.yield(bearer)
        return true
      }.run()
    }
    if !isUpBefore { registry.update(Self.state(.up(Self.bearer("10.64.0.2"))), from: link) }
    var (questions, told) = (asked.makeAsyncIterator(), link.told.makeAsyncIterator())
    #expect(await questions.next() == Self.bearer("10.64.0.2"))
    #expect(await told.next() == true)
    // Another one with other addresses.
    registry.update(Self.state(.up(Self.bearer("10.64.0.6"))), from: link)
    #expect(await questions.next() == Self.bearer("10.64.0.6"))
    #expect(await told.next() == true)
    run.cancel()
    await run.value
  }

  @Test func `of its loss ends the look for traffic, and the port is told nothing`() async {
    let (registry, link) = (ModemRegistry(), Link())
    let (asked, ask) = AsyncStream.makeStream(of: InstalledBearer.self)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let run = Task {
      await TrafficProbe(registry: registry) { bearer in
        ask.yield(bearer)
        guard bearer == Self.bearer("10.64.0.2") else { return true }
        // Nobody answers: it lasts until it is cancelled.
        let (never, hold) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        hold.finish()
        end.yield()
        return false
      }.run()
    }
    registry.update(Self.state(.up(Self.bearer("10.64.0.2"))), from: link)
    var (questions, ends) = (asked.makeAsyncIterator(), ended.makeAsyncIterator())
    #expect(await questions.next() == Self.bearer("10.64.0.2"))
    registry.update(Self.state(.down(.session(36))), from: link)
    await ends.next()
    registry.update(Self.state(.up(Self.bearer("10.64.0.6"))), from: link)
    var told = link.told.makeAsyncIterator()
    // The first word is of the second bearer.
    #expect(await told.next() == true)
    run.cancel()
    await run.value
  }

  @Test func `without a guard is told once for each bearer`() async {
    let (registry, link) = (ModemRegistry(), Link())
    let (words, warn) = AsyncStream.makeStream(of: String.self)
    let run = Task { await GuardWatch(registry: registry) { warn.yield($0) }.run() }
    let open = Self.bearer("10.64.0.2", guardian: BearerGuard.none("no nf_tables"))
    registry.update(Self.state(.up(open)), from: link)
    var told = words.makeAsyncIterator()
    #expect(
      await told.next()
        == "nothing guards the bearer on wwan0, and every user of this machine can prove the number over it: no nf_tables"
    )
    registry.update(Self.state(.up(open)), from: link)
    registry.update(Self.state(.up(Self.bearer("10.64.0.2", guardian: .nftables))), from: link)
    registry.update(Self.state(.up(Self.bearer("10.64.0.2", guardian: .vrf("multicast")))), from: link)
    // The one before it, and the first a second time, are no news.
    #expect(await told.next() == "the guard of the bearer on wwan0 has a gap: multicast")
    run.cancel()
    await run.value
  }
}

import ModemModel
import ModemService
import NetworkAddress
import Synchronization
import Testing

@testable import TrafficLedger

@Suite("Sockets that were handed over", .timeLimit(.minutes(1))) struct SocketWatchTests {
  /// A port whose sockets the test says.
  final class ScriptedLink: ModemLink {
    let name = "cdc-wdm0"
    let messages: (any MessageLink)? = nil
    private let reports = Mutex<AsyncThrowingStream<BearerSockets, any Error>.Continuation?>(nil)
    let watches: AsyncStream<Void>
    private let watched: AsyncStream<Void>.Continuation
    let ends: AsyncStream<UInt64>
    private let ended: AsyncStream<UInt64>.Continuation

    init() {
      (watches, watched) = AsyncStream.makeStream()
      (ends, ended) = AsyncStream.makeStream()
    }

    func report(_ open: [BearerSockets.Socket], ended: [BearerSockets.Socket] = []) {
      _ = reports.withLock { $0?.yield(BearerSockets(open: open, ended: ended)) }
    }

    func watchSockets(every interval: Duration) -> AsyncThrowingStream<BearerSockets, any Error> {
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: BearerSockets.self)
      reports.withLock { $0 = continuation }
      watched.yield()
      return stream
    }

    func endSocket(cookie: UInt64) async throws { ended.yield(cookie) }

    func connect(_ request: BearerRequest) async throws -> BearerStatus { throw CancellationError() }
    func disconnect() async throws -> BearerStatus { throw CancellationError() }
    func verifyBearer() async throws -> BearerStatus { throw CancellationError() }
    func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState { throw CancellationError() }
  }

  private static func socket(_ cookie: UInt64, _ sent: Int?, _ received: Int?) -> BearerSockets.Socket {
    BearerSockets.Socket(cookie: cookie, isDatagram: sent == nil, sent: sent, received: received)
  }

  /// Opens an account and gives it a cookie.
  private static func handOver(
    _ ledger: TrafficLedger, _ cookie: UInt64, user: UInt32 = 1000
  ) throws -> String {
    let account = try ledger.open(.of(user, .sockets))
    // The question about its name.
    account.tookAside(sent: 30, received: 70)
    let (own, far) = try (#require(IPAddress("10.0.0.2")), #require(IPAddress("8.8.8.8")))
    account.connected(source: own, address: far, cookie: cookie)
    return account.id
  }

  @Test(
    "Their bytes are the kernel's, they end when the budget is spent, and are closed when the kernel has them no more")
  func follow() async throws {
    let ledger = try LedgerFixture().ledger(BudgetLimits(dayBytes: 1000))
    let (registry, link) = (ModemRegistry(), ScriptedLink())
    registry.update(.sample(bearerSince: "2026-11-26T08:00:00Z"), from: link)
    let run = Task { await ledger.run(registry) }
    let id = try Self.handOver(ledger, 7)
    let other = try Self.handOver(ledger, 8, user: 1001)
    var (watches, ends) = (link.watches.makeAsyncIterator(), link.ends.makeAsyncIterator())
    await watches.next()
    link.report([Self.socket(7, 100, 200), Self.socket(8, 5, 5), Self.socket(99, 1 << 40, 1 << 40)])
    // Read earlier than the last one.
    link.report([Self.socket(7, 50, 100), Self.socket(8, 5, 5)])
    link.report([Self.socket(7, 400, 600), Self.socket(8, 5, 5)])
    #expect(await ends.next() == 7)
    #expect(ledger.sockets(of: 1000).map(\.id) == [id])
    #expect(ledger.sockets(of: nil).map(\.sent) == [400, 5])
    #expect(ledger.used(.dayBytes, of: 1000) == 1100)
    link.report([Self.socket(8, 5, 5)], ended: [Self.socket(7, 410, 600)])
    // Another user's is not this user's to end; root ends all.
    #expect(!ledger.endSocket(other, for: 1000))
    #expect(ledger.endSocket(other, for: nil))
    #expect(await ends.next() == 8)
    // Two reports without it.
    link.report([])
    link.report([])
    while !ledger.sockets(of: nil).isEmpty { await Task.yield() }
    #expect(
      ledger.usage(of: 1000, days: 0).month.first?.counts == TrafficCounts(sent: 440, received: 670, connections: 1))
    run.cancel()
    await run.value
  }

  @Test("One that was ended before its cookie was known ends then; streams hear of it by themselves")
  func early() async throws {
    let ledger = try LedgerFixture().ledger()
    let (registry, link) = (ModemRegistry(), ScriptedLink())
    registry.update(.sample(), from: link)
    let run = Task { await ledger.run(registry) }
    let account = try ledger.open(.of(1000, .sockets))
    #expect(ledger.endSocket(account.id, for: 1000))
    #expect(account.reserve(1) == 0)
    // The watch begins with this one.
    _ = try Self.handOver(ledger, 1)
    var (watches, ends) = (link.watches.makeAsyncIterator(), link.ends.makeAsyncIterator())
    await watches.next()
    account.connected(source: try #require(IPAddress("10.0.0.2")), address: nil, cookie: 9)
    #expect(await ends.next() == 9)
    let heard = Mutex<[TrafficAccount.End]>([])
    let stream = try ledger.open(.of(1000))
    stream.onEnd { end in heard.withLock { $0.append(end) } }
    #expect(ledger.endSocket(stream.id, for: 1000))
    #expect(ledger.endSocket(stream.id, for: 1000))
    stream.onEnd { end in heard.withLock { $0.append(end) } }
    #expect(heard.withLock { $0 } == [.requested, .requested])
    stream.close()
    #expect(!ledger.endSocket(stream.id, for: 1000))
    run.cancel()
    await run.value
  }

  @Test("A modem that is gone takes its sockets with it")
  func gone() async throws {
    let ledger = try LedgerFixture().ledger()
    let (registry, link) = (ModemRegistry(), ScriptedLink())
    let run = Task { await ledger.run(registry) }
    _ = try Self.handOver(ledger, 7)
    while !ledger.sockets(of: nil).isEmpty { await Task.yield() }
    run.cancel()
    await run.value
    withExtendedLifetime(link) {}
  }
}

import ModemModel
import NetworkAddress
import RedirectChain
import Synchronization
import Testing
import Web

@testable import ModemService

/// What is made ready for the chains of flows, and for those that a caller announces.
@Suite(.timeLimit(.minutes(1))) struct `What is made ready for a chain` {
  /// A modem whose bearer comes up when a test says so.
  private final class Link: ModemLink {
    let name = "cdc-wdm0"
    let messages: (any MessageLink)? = nil
    private let isOpen: Mutex<Bool>
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
    private let asked = Mutex(0)

    init(isOpen: Bool = true) { self.isOpen = Mutex(isOpen) }

    var connects: Int { asked.withLock(\.self) }

    func open() {
      isOpen.withLock { $0 = true }
      for one in waiting.withLock({ waiting in
        defer { waiting = [] }
        return waiting
      }) { one.resume() }
    }

    func connect(_ request: BearerRequest) async throws -> BearerStatus {
      asked.withLock { $0 += 1 }
      await withCheckedContinuation { one in
        waiting.withLock { $0.append(one) }
        if isOpen.withLock(\.self) { open() }
      }
      return BearerStatus(
        state: .up(InstalledBearer(settings: BearerSettings(), interface: "wwan0", interfaceIndex: 7, table: 7307)),
        since: Timestamp(milliseconds: 17))
    }

    func disconnect() async throws -> BearerStatus { throw ModemError(.failed, name) }
    func verifyBearer() async throws -> BearerStatus { throw ModemError(.failed, name) }
    func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState { throw ModemError(.failed, name) }
  }

  private static let kind = ChainKind("truID/subscriberCheck")
  private static let caller = Caller(userID: 1000)
  private let url: WebURL

  init() throws { url = try WebURL("https://check.example/x?y=z") }

  /// Checks over one modem, and the chains that were expected.
  private struct World: Sendable {
    let bearers: BearerService
    let checks: CheckService
    let expected: Expected

    final class Expected: Sendable {
      private let list = Mutex<[ExpectedChain]>([])
      var all: [ExpectedChain] { list.withLock(\.self) }
      func add(_ chain: ExpectedChain) { list.withLock { $0.append(chain) } }
    }

    init(
      _ link: Link, flows: FlowLimits = FlowLimits(), reach: ReachPolicy = ReachPolicy(), isMetered: Bool = false,
      chain: @escaping CheckService.ChainRunner = { _, _, _ in .failed(ChainFailure(.timeout, "no network")) }
    ) {
      let registry = ModemRegistry()
      registry.update(
        ModemState(
          id: "modem-1", device: "/dev/cdc-wdm0", kind: .mbim, interface: "wwan0",
          bearer: BearerStatus(since: Timestamp(milliseconds: 0))),
        from: link)
      let expected = Expected()
      let warmer: CheckService.ConnectionWarmer = { chain, _ in
        expected.add(chain)
        return { 3 }
      }
      bearers = BearerService(registry: registry, defaults: .init(flows: flows))
      checks = CheckService(
        registry: registry, bearers: bearers, reach: reach, now: { Timestamp(milliseconds: 0) },
        prepareNames: { url, _, _, _ in [.init(host: url.host, isResolved: true)] },
        warmConnections: isMetered ? nil : warmer, runChain: chain)
      self.expected = expected
    }
  }

  @Test func `is for the flow's owner, kind and bearer, within what may be reached`() async throws {
    let link = Link(isOpen: false)
    let world = World(link, reach: ReachPolicy(cleartextDomains: ["operator.example"]))
    let task = try #require(world.checks.warm(Self.kind, first: url, modem: nil, caller: Self.caller))
    #expect(world.expected.all.isEmpty, "the bearer is not up, and nobody waited for it")
    link.open()
    await task.value
    let chain = try #require(world.expected.all.first)
    #expect(chain.owner == Self.caller.owner && chain.kind == Self.kind && chain.first == url)
    #expect(chain.policy.cleartextDomains == ["operator.example"] && chain.bearerSince == 17)
    #expect(world.bearers.runningFlows == 0 && link.connects == 1)
  }

  @Test func `is nothing without a modem`() {
    let world = World(Link())
    #expect(world.checks.warm(Self.kind, first: nil, modem: "another", caller: Self.caller) == nil)
  }

  @Test func `is nothing where bytes are metered, and no bearer comes up for it`() async throws {
    let link = Link()
    let world = World(link, isMetered: true)
    #expect(world.checks.warm(Self.kind, first: nil, modem: nil, caller: Self.caller) == nil && link.connects == 0)
    let ready = try await world.checks.prepare(url, learns: nil, modem: nil, caller: Self.caller)
    #expect(ready.connections == nil && ready.names.map(\.isResolved) == [true] && link.connects == 1)
  }

  @Test func `waits for nobody's place, and takes none from a check`() async throws {
    let link = Link()
    let (began, hold) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
    let world = World(link, flows: FlowLimits(perBearer: 1, waiting: 4)) { _, _, _ in
      began.continuation.yield()
      for await _ in hold.stream { break }
      return .failed(ChainFailure(.timeout, "no network"))
    }
    let check = Task {
      try await world.checks.open(ChainRequest(url: url), modem: nil, caller: Self.caller) { _ in }
    }
    for await _ in began.stream { break }
    for caller in [Self.caller, Caller(userID: 0)] {
      let task = try #require(world.checks.warm(Self.kind, first: nil, modem: nil, caller: caller))
      await task.value
    }
    #expect(world.expected.all.isEmpty && world.bearers.waitingFlows == 0 && world.bearers.runningFlows == 1)
    hold.continuation.yield()
    _ = try await check.value
    await world.checks.warm(Self.kind, first: nil, modem: nil, caller: Self.caller)?.value
    #expect(world.expected.all.count == 1 && world.bearers.runningFlows == 0)
  }

  @Test func `is bounded while a bearer does not come up, for each caller and for all but root`() async {
    let link = Link(isOpen: false)
    let world = World(link)
    var tasks: [Task<Void, Never>] = []
    func begin(_ user: UInt32) -> Int {
      let begun = (0..<100).compactMap { _ in
        world.checks.warm(Self.kind, first: nil, modem: nil, caller: Caller(userID: user))
      }
      tasks += begun
      return begun.count
    }
    #expect((1...6).map { begin($0) } == [8, 8, 8, 8, 0, 0] && begin(0) == 8)
    link.open()
    for task in tasks { await task.value }
    // Those that ended meanwhile left their places.
    #expect(begin(5) >= 8)
    for task in tasks { await task.value }
    #expect(world.bearers.runningFlows == 0)
  }

  @Test func `is told to who announces a chain`() async throws {
    let world = World(Link())
    let ready = try await world.checks.prepare(url, learns: false, modem: nil, caller: Self.caller)
    #expect(ready.connections == 3)
    let chain = try #require(world.expected.all.first)
    #expect(chain.kind == nil && chain.first == url && !chain.policy.learnsOrigins && chain.bearerSince == 17)
    let bearer = try await world.checks.prepare(nil, learns: nil, modem: nil, caller: Self.caller)
    #expect(bearer.connections == nil && world.expected.all.count == 1)
  }

  @Test func `is for the bearer that the chain goes over, which the chain is told`() async throws {
    let since = Mutex<Int64?>(nil)
    let world = World(Link()) { request, _, _ in
      since.withLock { $0 = request.bearerSince }
      return .failed(ChainFailure(.timeout, "no network"))
    }
    _ = try await world.checks.open(ChainRequest(url: url), modem: nil, caller: Self.caller) { _ in }
    #expect(since.withLock(\.self) == 17)
  }

  @Test func `is made ready once for each chain of a flow`() {
    let kinds = WarmedKinds()
    #expect(kinds.insert(Self.kind) && !kinds.insert(Self.kind) && kinds.insert(ChainKind("another")))
    kinds.remove(Self.kind)
    #expect(kinds.insert(Self.kind))
  }
}

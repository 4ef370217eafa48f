import ModemAPI
import ModemAPIClient
import Testing

@testable import ScenarioRunner

@Suite(
  "Chains that were announced", .serialized, .timeLimit(.minutes(4)),
  .enabled(if: Worlds.areAllowed, Worlds.reason))
struct WarmChainWorldTests {
  private static let path = "/checks/4915112345678"
  private static let url = "https://check.aggregator.example\(path)"

  @Test("An announced chain makes no connection and asks for no name, and another bearer's takes nothing over")
  func prepared() async throws {
    try await Worlds.with(#"{"network": {"ipType": "ipv4"}}"#) { world in
      func prepare() async throws -> Int? {
        try await world.client().call(CheckInterface.Prepare.self, .init(url: Self.url)).connected
      }
      #expect(try await prepare() == 1, "nothing but the URL's host is known before the first chain")
      let first = try await world.walk(Self.path)
      #expect(first.outcome?.result == .answer && first.hops.map { $0.openedAhead == true }.first == true)
      #expect(try await prepare() == 3)
      let warm = try await world.walk(Self.path)
      #expect(warm.outcome?.result == .answer, "\(warm.words)")
      #expect(warm.hops.prefix(3).map(\.openedAhead) == [true, true, true])
      #expect(warm.hops.dropFirst(3).map(\.reused) == [true, true, true])
      #expect(warm.hops.allSatisfy { $0.times.dns == nil && $0.times.connect == nil && $0.times.tls == nil })
      // The same SIM, interface and addresses, but another bearer: it has learned nothing.
      #expect(try await prepare() == 3)
      _ = try await world.client().call(BearerInterface.Disconnect.self, .init())
      _ = try await world.client().call(BearerInterface.Connect.self, .init())
      let anew = try await world.walk(Self.path)
      #expect(anew.outcome?.result == .answer && anew.hops.first?.times.connect != nil, "\(anew.words)")
      #expect(anew.hops.map { $0.openedAhead == true } == Array(repeating: false, count: 6))
      #expect(world.leaks.packets == 0)
    }
  }

  @Test("Where bytes are metered, an announced chain has its name, and nothing is opened ahead of it")
  func metered() async throws {
    let settings = #", "settings": {"bearer": {"metered": true}}"#
    try await Worlds.with(#"{"network": {"ipType": "ipv4"}\#(settings)}"#) { world in
      #expect(try await world.walk(Self.path).outcome?.result == .answer)
      let ready = try await world.client().call(CheckInterface.Prepare.self, .init(url: Self.url))
      #expect(ready.connected == nil && ready.resolved == ["check.aggregator.example"] && ready.unresolved == [])
      let walk = try await world.walk(Self.path)
      #expect(walk.hops.map { $0.openedAhead == true } == Array(repeating: false, count: 6), "\(walk.words)")
    }
  }
}

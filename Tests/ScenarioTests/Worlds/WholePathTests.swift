import ModemAPI
import ModemAPIClient
import ModemModel
import ScenarioRunner
import Testing
import Varlink

/// From the SIM to the answer, over real protocol bytes, sockets and routes.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct WholePathTests {
  @Test(arguments: ModemProtocol.allCases)
  func `the SIM's number, a bearer, six hops and the answer`(kind: ModemProtocol) async throws {
    try await Worlds.with(kind: kind) { world in
      let client = try await world.client()
      let modem = try #require(try await client.call(ModemInterface.List.self, .init()).modems.first)
      #expect(modem.protocol.rawValue == kind.rawValue)
      #expect(modem.sim.numbers.map(\.number) == ["+4915112345678"])
      #expect(modem.sim.home?.mcc == "262" && modem.sim.home?.mnc == "01")
      #expect(modem.registration.state == .home)

      let bearer = try await client.call(BearerInterface.Connect.self, .init()).bearer
      #expect(bearer.settings?.interface == "wwan0")
      #expect(bearer.settings?.ipv4?.address == "10.64.0.2")
      #expect(bearer.settings?.ipv6?.address == "2001:db8:64::2")
      #expect(bearer.settings?.dns == ["198.51.100.53", "2001:db8:53::53"])
      #expect(bearer.settings?.mtu == 1420)

      let walk = try await world.walk("/checks/4915112345678")
      #expect(walk.outcome?.result == .answer, "\(walk.words)")
      #expect(walk.outcome?.answer?.status == 200)
      #expect(walk.hops.map(\.status) == [302, 302, 302, 302, 302, 200])
      #expect(walk.hops.map(\.scheme) == [.https, .https, .http, .http, .https, .https])
      #expect(walk.hops.map(\.reused) == [false, false, false, true, true, true])
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test func `the redirect URI is reached with its parameters and not fetched`() async throws {
    try await Worlds.with { world in
      let walk = try await world.walk(
        "/checks/4915112345678?redirect_uri=com.example.app://callback&state=s1",
        redirectURI: "com.example.app://callback")
      #expect(walk.outcome?.result == .redirectReached, "\(walk.words)")
      #expect(walk.outcome?.redirect?.parameters["state"] == "s1")
      #expect(walk.outcome?.redirect?.parameters["code"]?.isEmpty == false)
      #expect(walk.hops.count == 6)
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test(arguments: ModemProtocol.allCases, ["ipv4", "ipv6"])
  func `a bearer of one family suffices`(kind: ModemProtocol, family: String) async throws {
    try await Worlds.with(#"{"network": {"ipType": "\#(family)"}}"#, kind: kind) { world in
      let walk = try await world.walk("/checks/4915112345678")
      #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
      #expect(walk.outcome?.source == (family == "ipv4" ? "10.64.0.2" : "2001:db8:64::2"))
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test func `several checks at a time share the bearer`() async throws {
    try await Worlds.with { world in
      let outcomes = try await withThrowingTaskGroup(of: Walk.self) { group in
        for _ in 0..<8 { group.addTask { try await world.walk("/checks/4915112345678") } }
        return try await group.reduce(into: []) { $0.append($1.outcome?.answer?.status) }
      }
      #expect(outcomes == Array(repeating: 200, count: 8))
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test func `another number than the subscriber's is answered as no match`() async throws {
    try await Worlds.with { world in
      let walk = try await world.walk("/checks/4915199999999")
      guard case .object(let answer)? = walk.outcome?.answer?.json else {
        Issue.record("\(walk.words)")
        return
      }
      #expect(answer["match"] == .bool(false))
    }
  }
}

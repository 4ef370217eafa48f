import ModemAPI
import ModemAPIClient
import Testing

@testable import ScenarioRunner

@Suite(
  "Servers that treat connections in other ways", .serialized, .timeLimit(.minutes(4)),
  .enabled(if: Worlds.areAllowed, Worlds.reason))
struct ConnectionBehaviourTests {
  private static let path = "/checks/4915112345678"

  @Test("Servers that speak TLS 1.2 alone, and servers that keep Nagle's algorithm on, are walked all the same")
  func walked() async throws {
    for (member, version) in [(#""tls": "only12""#, "1.2"), (#""writes": "nagle""#, "1.3")] {
      try await Worlds.with(#"{"chain": {"servers": {\#(member)}}}"#) { world in
        let walk = try await world.walk(Self.path)
        #expect(walk.outcome?.result == .answer, "\(walk.words)")
        #expect(walk.hops.map(\.tlsVersion) == [version, version, nil, nil, version, version])
        // Where Nagle's algorithm holds the body of a redirect back, a busy machine may do better
        // with a new connection.
        let reused = [false, false, false] + Array(repeating: true, count: version == "1.2" ? 3 : 0)
        #expect(Array(walk.hops.map(\.reused).prefix(reused.count)) == reused)
      }
    }
  }

  @Test("Servers that close after each answer get a new connection for each hop")
  func closed() async throws {
    try await Worlds.with(#"{"chain": {"servers": {"connections": "closed"}}}"#) { world in
      let walk = try await world.walk(Self.path)
      #expect(walk.outcome?.result == .answer, "\(walk.words)")
      #expect(walk.hops.map(\.reused) == Array(repeating: false, count: 6))
    }
  }

  @Test("A cap on TLS holds for every hop, and learning can be left out of a call and of the configuration")
  func options() async throws {
    for settings in ["", #", "settings": {"check": {"learnsOrigins": false}}"#] {
      try await Worlds.with(#"{"network": {"ipType": "ipv4"}\#(settings)}"#) { world in
        func open(_ learn: Bool?, tls: CheckInterface.Open.Parameters.TlsAtMost? = nil) async throws -> [CheckInterface
          .Hop]
        {
          var hops: [CheckInterface.Hop] = []
          let url = "https://check.aggregator.example\(Self.path)"
          for try await reply in try await world.client().stream(
            CheckInterface.Open.self, .init(url: url, tlsAtMost: tls, learn: learn))
          { if let hop = reply.hop { hops.append(hop) } }
          return hops
        }
        #expect(try await open(nil, tls: .tls12).compactMap(\.tlsVersion) == ["1.2", "1.2", "1.2", "1.2"])
        // A new connection of a chain that learnt is opened before its hop begins, or in the middle
        // of it; without learning a hop to a new host always opens its own.
        let unlearnt = try await open(false)
        #expect(unlearnt.map(\.reused) == [false, false, false, true, true, true])
        #expect(unlearnt[1].times.connect != nil && unlearnt[2].times.connect != nil)
        let learnt = try await open(nil)
        if settings.isEmpty {
          #expect(learnt[1].openedAhead == true || learnt[2].openedAhead == true)
        } else {
          #expect(learnt.map(\.reused) == unlearnt.map(\.reused))
        }
        let ready = try await world.client().call(
          CheckInterface.Prepare.self, .init(url: "https://check.aggregator.example\(Self.path)"))
        #expect(ready.unresolved == [] && ready.source == "10.64.0.2")
        let known = ["check.aggregator.example", "signon.operator.example", "he.operator.example"]
        #expect(ready.resolved == (settings.isEmpty ? known : [known[0]]))
        #expect(world.leaks.packets == 0)
      }
    }
  }

  @Test("A hop of a real chain tells its addresses, TLS, cookies and times, and with `reveal` its secrets")
  func trace() async throws {
    // One family: with two, a busy machine may find the other one faster.
    try await Worlds.with(#"{"network": {"ipType": "ipv6"}}"#) { world in
      let masked = try await world.walk(Self.path).hops
      try #require(masked.count == 6)
      #expect(masked[0].addresses == ["2001:db8:a::10"] && masked[0].family == .ipv6)
      #expect(masked[0].setCookies == ["check"] && masked[5].cookies == ["check"])
      #expect(masked[0].url == "https://check.aggregator.example/…" && masked[0].method == .get)
      #expect(
        masked[0].requestFields?.contains { $0.name == "User-Agent" && $0.value?.hasPrefix("modemd/") == true } == true)
      #expect(masked[0].answerFields?.contains(.init(name: "Location")) == true)
      for (hop, next) in zip(masked, masked.dropFirst()) {
        #expect((hop.start ?? .infinity) < (next.start ?? -1))
      }
      var revealed: [CheckInterface.Hop] = []
      let url = "https://check.aggregator.example\(Self.path)"
      for try await reply in try await world.client().stream(CheckInterface.Open.self, .init(url: url, reveal: true)) {
        if let hop = reply.hop { revealed.append(hop) }
      }
      #expect(revealed.first?.url == url)
      #expect(
        revealed.last?.requestFields?.contains { $0.name == "Cookie" && $0.value?.hasPrefix("check=") == true } == true)
      #expect(
        revealed.first?.answerFields?.contains { $0.name == "Location" && $0.value?.contains("session=") == true }
          == true)
    }
  }
}

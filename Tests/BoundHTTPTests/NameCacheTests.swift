import DNSWire
import HTTPTestSupport
import NIOConcurrencyHelpers
import NIOCore
import NetworkAddress
import RedirectChain
import Testing

@testable import BoundHTTP

@Suite("What is remembered of names", .serialized, .timeLimit(.minutes(1)))
struct NameCacheTests {
  private static let here = IPAddress("127.0.0.1")!

  private static func interface(_ name: String = "wwan0", _ source: String = "10.0.0.2") throws -> BoundInterface {
    try BoundInterface(
      name: name, index: name == "wwan0" ? 7 : 8, dnsServers: [here], sources: [IPAddress(source)!])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let answer: NameCache.Answer
    /// Seconds for which it is there; 0 when it is not kept at all.
    let kept: Int64
    var testDescription: String { name }

    static func found(_ ttl: UInt32) -> NameCache.Answer { .success(.init(v4: [here], ttl: ttl)) }

    static let all: [Case] = [
      .init(name: "an address for a minute", answer: found(60), kept: 60),
      .init(name: "an address for no time", answer: found(0), kept: 0),
      .init(name: "an address for a day is kept for an hour", answer: found(86_400), kept: 3600),
      .init(name: "no such name for 20 s", answer: .failure(.noSuchName(ttl: 20)), kept: 20),
      .init(
        name: "no such name for a day is kept for 5 minutes", answer: .failure(.noSuchName(ttl: 86_400)), kept: 300),
      .init(name: "no such name without a time", answer: .failure(.noSuchName(ttl: 0)), kept: 0),
      .init(name: "no address for 9 s", answer: .failure(.noAddresses(ttl: 9)), kept: 9),
      .init(name: "a refusal", answer: .failure(.refused(.refused)), kept: 0),
      .init(name: "silence", answer: .failure(.noAnswer("none")), kept: 0),
      .init(name: "a lost bearer", answer: .failure(.lost("gone")), kept: 0),
    ]
  }

  @Test("As long as the servers say, within bounds", arguments: Case.all)
  func time(_ test: Case) throws {
    let clock = NIOLockedValueBox(NIODeadline.uptimeNanoseconds(1_000_000))
    let cache = NameCache { clock.withLockedValue { $0 } }
    let bearer = try Self.interface()
    cache.keep(test.answer, for: "a.example", over: bearer)
    #expect((cache.answer("a.example", over: bearer) != nil) == (test.kept > 0))
    clock.withLockedValue { $0 = $0 + .seconds(test.kept) - .nanoseconds(1) }
    #expect((cache.answer("a.example", over: bearer) != nil) == (test.kept > 0))
    clock.withLockedValue { $0 = $0 + .nanoseconds(1) }
    #expect(cache.answer("a.example", over: bearer) == nil)
  }

  @Test("For one bearer alone: another address, server or interface knows nothing of it, and a lost one forgets")
  func bearers() throws {
    let cache = NameCache()
    let (one, two) = (try Self.interface(), try Self.interface("wwan1"))
    for bearer in [one, two] { cache.keep(Case.found(60), for: "a.example", over: bearer) }
    #expect(cache.answer("a.example", over: try Self.interface("wwan0", "10.0.0.3")) == nil)
    #expect(cache.answer("b.example", over: one) == nil)
    cache.forget(interface: one.index)
    #expect(cache.answer("a.example", over: one) == nil && cache.answer("a.example", over: two) != nil)
  }

  @Test("A name that does not exist is not asked for again while its SOA says so", arguments: [true, false])
  func negative(hasSOA: Bool) async throws {
    let world = try await TestWorld.make { query in
      var message = query.message.response(.nameError)
      if hasSOA {
        message.authorities = [
          DNSRecord(.root, .soa(primary: .root, mailbox: .root, serial: 1, minimum: 60), ttl: 60)
        ]
      }
      return [.init(bytes: TestDNS.encode(message))]
    }
    for _ in 0..<3 { #expect(try await world.walk("https://a.example/").cause == .dnsFailed) }
    #expect(world.dns.queries.count == (hasSOA ? 1 : 3))
    world.client.bearerLost(interface: world.interface.index, "gone")
    #expect(try await world.walk("https://a.example/").cause == .dnsFailed)
    #expect(world.dns.queries.count == (hasSOA ? 2 : 4))
    await world.dns.stop()
  }

  @Test(
    "An alias of which the server says no more is asked for, through several, and too many end", arguments: [3, 30])
  func aliases(length: Int) async throws {
    let world = try await TestWorld.make { query in
      let number = Int(query.name.dropFirst().prefix { $0 != "." }) ?? 0
      guard number < length else { return [TestDNS.reply(query, [Self.here])] }
      guard let target = try? DomainName("n\(number + 1).example") else { return [] }
      let record = DNSRecord(query.message.questions[0].name, .cname(target), ttl: 60)
      return [.init(bytes: TestDNS.encode(query.message.response(answers: [record])))]
    }
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    let walk = try await world.walk("https://a.example:\(server.port)/")
    if length == 3 {
      #expect(walk.answer?.status == 200, "\(walk.result)")
      #expect(world.dns.queries.map(\.name) == ["a.example", "n1.example", "n2.example", "n3.example"])
    } else {
      #expect(walk.cause == .dnsFailed)
      #expect(world.dns.queries.count <= AddressAnswer.maximumAliases)
    }
    await server.stop()
    await world.dns.stop()
  }
}

import BoundHTTP
import DNSWire
import HTTPTestSupport
import NIOCore
import NetworkAddress
import RedirectChain
import Testing

@Suite("Names, asked over the bearer", .serialized, .timeLimit(.minutes(1)))
struct ResolverTests {
  static let here = IPAddress("127.0.0.1")!

  /// A's address at once, AAAA as the test says.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var cause: ChainFailure.Cause?
    var words = ""
    var servers = ["127.0.0.1"]
    /// Whether the end is that time runs out.
    var takesAllTime = false
    let answering: TestDNS.Answering
    var testDescription: String { name }
  }

  private static func onlyA(_ aaaa: @escaping @Sendable (TestDNS.Query) -> [TestDNS.Reply]) -> TestDNS.Answering {
    { query in query.type == .aaaa ? aaaa(query) : [TestDNS.reply(query, [here])] }
  }

  private static func changed(_ query: TestDNS.Query, _ change: (inout DNSMessage) -> Void) -> TestDNS.Reply {
    var message = query.message.response(
      answers: [DNSRecord(query.message.questions[0].name, .a(IPv4Address("127.0.0.9")!), ttl: 60)])
    change(&message)
    return TestDNS.Reply(bytes: TestDNS.encode(message))
  }

  static let cases: [Case] = [
    .init(name: "A and no AAAA", answering: onlyA { [TestDNS.reply($0, [])] }),
    .init(name: "AAAA refused", answering: onlyA { [TestDNS.failure($0, .refused)] }),
    .init(name: "AAAA fails", answering: onlyA { [TestDNS.failure($0, .serverFailure)] }),
    .init(name: "AAAA not implemented", answering: onlyA { [TestDNS.failure($0, .notImplemented)] }),
    .init(name: "AAAA does not exist", answering: onlyA { [TestDNS.failure($0, .nameError)] }),
    .init(name: "AAAA is not answered", answering: onlyA { _ in [] }),
    .init(name: "AAAA is garbage", answering: onlyA { _ in [.init(bytes: [1, 2, 3])] }),
    .init(
      name: "AAAA comes much later",
      answering: onlyA { query in
        var reply = TestDNS.reply(query, [IPAddress("::1")!])
        reply.after = .seconds(20)
        return [reply]
      }),
    .init(
      name: "a forged id before the true answer",
      answering: { query in
        [changed(query) { $0.id ^= 1 }, TestDNS.reply(query, [here])]
      }),
    .init(
      name: "a forged question before the true answer",
      answering: { query in
        [changed(query) { $0.questions[0].name = .root }, TestDNS.reply(query, [here])]
      }),
    .init(
      name: "a query sent back before the answer",
      answering: { query in
        [TestDNS.Reply(bytes: TestDNS.encode(query.message)), TestDNS.reply(query, [here])]
      }),
    .init(
      name: "garbage before the answer",
      answering: { query in
        [.init(bytes: []), .init(bytes: Array(repeating: 0xc0, count: 40)), TestDNS.reply(query, [here])]
      }),
    .init(
      name: "another name's address", cause: .dnsFailed, takesAllTime: true,
      answering: { query in
        [changed(query) { $0.answers[0].name = .root }]
      }),
    .init(
      name: "through aliases",
      answering: { query in
        guard let names = try? ["x.example", "y.example"].map({ try DomainName($0) }) else { return [] }
        var message = query.message.response()
        message.answers = [
          DNSRecord(query.message.questions[0].name, .cname(names[0]), ttl: 9),
          DNSRecord(names[0], .cname(names[1]), ttl: 9), DNSRecord(names[1], .a(IPv4Address("127.0.0.1")!), ttl: 9),
        ]
        return [.init(bytes: TestDNS.encode(message))]
      }),
    .init(
      name: "aliases in a ring", cause: .dnsFailed,
      answering: { query in
        let name = query.message.questions[0].name
        return [.init(bytes: TestDNS.encode(query.message.response(answers: [DNSRecord(name, .cname(name), ttl: 9)])))]
      }),
    .init(
      name: "truncated, then over TCP",
      answering: { query in
        var message = query.message.response()
        message.isTruncated = true
        return [query.isTCP ? TestDNS.reply(query, [here]) : .init(bytes: TestDNS.encode(message))]
      }),
    .init(
      name: "truncated over TCP too", cause: .dnsFailed,
      answering: { query in
        var message = query.message.response()
        message.isTruncated = true
        return [.init(bytes: TestDNS.encode(message))]
      }),
    .init(name: "no such name", cause: .dnsFailed, words: "know no a.example", answering: { [TestDNS.reply($0, nil)] }),
    .init(name: "no address", cause: .dnsFailed, words: "no IPv4", answering: { [TestDNS.reply($0, [])] }),
    .init(name: "refused", cause: .dnsFailed, words: "REFUSED", answering: { [TestDNS.failure($0, .refused)] }),
    .init(name: "failing", cause: .dnsFailed, words: "SERVFAIL", answering: { [TestDNS.failure($0, .serverFailure)] }),
    .init(name: "silent", cause: .dnsFailed, words: "no answer", takesAllTime: true, answering: { _ in [] }),
    .init(name: "no servers", cause: .dnsFailed, words: "no DNS server", servers: [], answering: { _ in [] }),
    .init(
      name: "a first server that is not there", servers: ["127.0.0.2", "127.0.0.1"],
      answering: { [TestDNS.reply($0, [here])] }),
    .init(name: "only a server that is not there", cause: .dnsFailed, servers: ["127.0.0.2"], answering: { _ in [] }),
  ]

  @Test("An answer is believed only when it is one, and one family never holds up the other", arguments: cases)
  func answers(_ test: Case) async throws {
    var timing = DNSTiming()
    timing.attempt = .milliseconds(200)
    timing.total = test.takesAllTime ? .seconds(1) : .seconds(30)
    let sources = test.words == "no IPv4" ? ["127.0.0.1"] : ["127.0.0.1", "::1"]
    let world = try await TestWorld.make(sources: sources, servers: test.servers, timing: timing, test.answering)
    let server = try await world.secureServer { _ in TestServer.json("1") }
    let walk = try await world.walk("https://a.example:\(server.port)/")
    #expect(walk.cause == test.cause, "\(walk.result)")
    #expect(walk.text.contains(test.words))
    if test.cause == nil {
      #expect(walk.answer?.status == 200)
      // The late answer comes after 20 s.
      let dns = try #require(walk.hops.first?.times.dns)
      #expect(dns < 15_000)
    }
    await server.stop()
    await world.dns.stop()
  }

  @Test("A silent server is asked again, then the next one, and a late answer to an earlier query counts")
  func retries() async throws {
    var timing = DNSTiming()
    timing.attempt = .milliseconds(100)
    let world = try await TestWorld.make(servers: ["127.0.0.2", "127.0.0.1"], timing: timing) { query in
      [TestDNS.reply(query, [Self.here])]
    }
    let silent = try await TestDNS.start(on: "127.0.0.2", port: world.dns.port) { query in
      var reply = TestDNS.reply(query, [Self.here])
      reply.after = .seconds(5)
      return [reply]
    }
    let server = try await world.secureServer { _ in TestServer.json("1") }
    #expect(try await world.walk("https://a.example:\(server.port)/").answer?.status == 200)
    #expect(!silent.queries.isEmpty && !world.dns.queries.isEmpty)
    await server.stop()
    await silent.stop()
    await world.dns.stop()
  }

  @Test("Every query leaves from a port of its own with an id of its own")
  func randomness() async throws {
    var timing = DNSTiming()
    timing.attempt = .milliseconds(20)
    timing.total = .seconds(3)
    let world = try await TestWorld.make(sources: [], timing: timing) { _ in [] }
    for name in ["q.example", "r.example"] { _ = try await world.walk("https://\(name)/") }
    let queries = world.dns.queries
    // Each name is asked for twice at least, and four times at most, for either family.
    #expect((8...16).contains(queries.count))
    // A port or an id may come twice by chance.
    #expect(Set(queries.map(\.sourcePort)).count >= queries.count - 2)
    #expect(Set(queries.map(\.message.id)).count >= queries.count - 2)
    #expect(Set(queries.map(\.type)) == [.a, .aaaa])
    #expect(queries.allSatisfy { $0.message.recursionDesired && $0.message.additionals.isEmpty })
    await world.dns.stop()
  }

  @Test(
    "Only the families that the bearer has are asked for",
    arguments: [(["127.0.0.1"], [DNSRecordType.a]), (["::1"], [.aaaa])])
  func families(sources: [String], types: [DNSRecordType]) async throws {
    let world = try await TestWorld.make(sources: sources) { [TestDNS.reply($0, nil)] }
    _ = try await world.walk("https://a.example/")
    #expect(world.dns.queries.map(\.type) == types)
    await world.dns.stop()
  }

  @Test("A name is remembered as long as it may be, and forgotten with its bearer")
  func cache() async throws {
    let world = try await TestWorld.make { query in
      [TestDNS.reply(query, [Self.here], ttl: query.name == "a.example" ? 60 : 0)]
    }
    let server = try await world.secureServer { _ in TestServer.json("1") }
    for name in ["a", "a", "b", "b"] { _ = try await world.walk("https://\(name).example:\(server.port)/") }
    #expect(world.dns.queries.map(\.name) == ["a.example", "b.example", "b.example"])
    world.client.bearerLost(interface: world.interface.index, "gone")
    #expect(await world.client.prepare(host: "A.example", for: TestWorld.owner, over: world.interface))
    #expect(world.dns.queries.count == 4)
    let walk = try await world.walk("https://a.example:\(server.port)/")
    #expect(walk.answer?.status == 200 && world.dns.queries.count == 4)
    await server.stop()
    await world.dns.stop()
  }

  @Test("IPv6 that refuses gives way to IPv4, and the chain then stays in that family")
  func oneFamily() async throws {
    let both = [IPAddress("::1")!, Self.here]
    let world = try await TestWorld.make(sources: ["::1", "127.0.0.1"]) { [TestDNS.reply($0, both)] }
    let second = try await world.secureServer { _ in TestServer.json("1") }
    let first = try await world.secureServer { _ in TestServer.redirect("https://b.example:\(second.port)/") }
    let walk = try await world.walk("https://a.example:\(first.port)/")
    #expect(walk.answer?.status == 200)
    #expect(walk.hops.map(\.address) == ["127.0.0.1", "127.0.0.1"])
    for server in [first, second] { await server.stop() }
    await world.dns.stop()
  }
}

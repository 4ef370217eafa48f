import BoundHTTP
import HTTPTestSupport
import NetworkAddress
@_spi(Exchange) import RedirectChain
import Testing
@_spi(Exchange) import Web

@Suite("What is shown of each hop", .serialized, .timeLimit(.minutes(1)))
struct TraceTests {
  @Test("Addresses, family, TLS, sizes, cookies by name, operators' ids and times are shown, values are not")
  func fields() async throws {
    let addresses = [IPAddress("127.0.0.1")!, IPAddress("127.0.0.2")!]
    let world = try await TestWorld.make { [TestDNS.reply($0, addresses)] }
    let plain = try await TestServer.start { _ in
      TestServer.redirect("https://b.example/hidden4711", ["Set-Cookie: b=hidden4711"]) + [.close]
    }
    let first = try await world.secureServer { _ in
      TestServer.redirect(
        "http://c.example:\(plain.port)/hidden4711",
        [
          "Set-Cookie: a=hidden4711; Path=/", "Set-Cookie: broken", "X-Orange-Trace-Id: o-17",
          "X-VIG-Trace-Id: \(String(repeating: "v", count: 500))",
        ])
    }
    let walk = try await world.walk(
      "https://a.example:\(first.port)/hidden4711", headers: [.init(name: "X", value: "hidden4711")])
    try #require(walk.hops.count == 3)
    let (one, two, three) = (walk.hops[0], walk.hops[1], walk.hops[2])
    #expect(one.method == "GET" && one.family == .ipv4 && one.address == "127.0.0.1" && one.source == "127.0.0.1")
    #expect(one.addresses == ["127.0.0.1", "127.0.0.2"])
    #expect(one.tlsVersion == "1.3" && one.bodyBytes == 0 && one.receivedBytes > 100)
    #expect(one.cookies.isEmpty && one.cookiesSet == ["a"])
    #expect(one.trace == [.init(name: "X-Orange-Trace-Id", value: "o-17")])
    #expect(two.tlsVersion == nil && two.cookiesSet == ["b"] && two.trace.isEmpty)
    #expect(one.begin < two.begin && two.begin <= three.begin)
    // Nobody listens on port 443 of this machine, or somebody without the certificate: the hop is
    // shown all the same.
    #expect(three.host == "b.example" && three.addresses.count == 2 && three.status == nil)
    #expect(!"\(walk.hops)".contains("hidden4711"))
    for server in [first, plain] { await server.stop() }
    await world.dns.stop()
  }

  @Test("The size of a body is that of what was decompressed")
  func size() async throws {
    let world = try await TestWorld.make()
    // 300 times the letter a.
    let gzip: [UInt8] = [
      0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 0xff, 0x4b, 0x4c, 0x1c, 5, 0xc4, 2, 0, 9, 0x19, 0x97, 0x89, 0x2c, 1, 0, 0,
    ]
    let server = try await world.secureServer { _ in
      let head = TestServer.answer(200, ["Content-Encoding: gzip"]).replacing(
        "Content-Length: 0", with: "Content-Length: \(gzip.count)")
      return [.bytes(Array(head.utf8) + gzip)]
    }
    let walk = try await world.walk("https://a.example:\(server.port)/")
    #expect(walk.answer?.body == Array(repeating: UInt8(ascii: "a"), count: 300))
    let hop = try #require(walk.hops.first)
    #expect(hop.bodyBytes == 300 && hop.receivedBytes < 200)
    await server.stop()
    await world.dns.stop()
  }

  @Test("A chain that may not learn opens nothing ahead, and teaches nothing")
  func learnsNothing() async throws {
    let world = try await TestWorld.make(learnsOrigins: true)
    let second = try await world.secureServer { _ in TestServer.json("2") }
    let first = try await world.secureServer { _ in TestServer.redirect("https://b.example:\(second.port)/") }
    let url = "https://a.example:\(first.port)/"
    let closed = TestWorld.policy { $0.learnsOrigins = false }
    #expect(try await world.walk(url, policy: closed).answer?.status == 200)
    // Nothing was taught: this one is cold too, and teaches.
    #expect(try await world.walk(url).hops.map(\.isReused) == [false, false])
    let connections = second.connections
    let again = try await world.walk(url, policy: closed)
    #expect(again.answer?.status == 200 && second.connections == connections + 1)
    let last = try #require(again.hops.last)
    #expect(!last.isReused && last.times.connect != nil)
    for server in [first, second] { await server.stop() }
    await world.dns.stop()
  }

  @Test("A chain may cap TLS at 1.2, and the next one need not", arguments: [ChainPolicy.TLSVersion.tls12, .tls13])
  func cap(_ newest: ChainPolicy.TLSVersion) async throws {
    let world = try await TestWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("1") }
    let url = "https://a.example:\(server.port)/"
    let capped = try await world.walk(url, policy: TestWorld.policy { $0.newestTLS = newest })
    #expect(capped.answer?.status == 200)
    #expect(capped.hops.first?.tlsVersion == (newest == .tls12 ? "1.2" : "1.3"))
    #expect(try await world.walk(url).hops.first?.tlsVersion == "1.3")
    await server.stop()
    await world.dns.stop()
  }

  @Test("A POST goes out whole, once, and its redirect is fetched by GET")
  func post() async throws {
    let world = try await TestWorld.make()
    let server = try await world.secureServer { request in
      request.text.hasPrefix("POST") ? TestServer.redirect("/next", status: 307) : [.close]
    }
    var request = ChainRequest(url: try WebURL("https://a.example:\(server.port)/"), policy: TestWorld.policy())
    let body = String(repeating: "x", count: 50_000)
    request.method = .post(.text(body))
    let result = await world.client.run(request, over: world.interface)
    guard case .failed(let failure) = result else { return }
    #expect(failure.cause == .badAnswer && failure.hop == 2)
    #expect(server.requests.map(\.body) == [body, ""])
    #expect(server.requests.map { $0.field("content-length") } == ["50000", nil])
    await server.stop()
    await world.dns.stop()
  }

  @Test(
    "Other methods go out under their own name",
    arguments: [
      (ChainRequest.Method.patch(.json("{}")), "{}"), (.put(.json("{}")), "{}"), (.delete(nil), ""),
      (.delete(.json("{}")), "{}"),
    ])
  func otherMethods(method: ChainRequest.Method, body: String) async throws {
    let world = try await TestWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    var request = ChainRequest(url: try WebURL("https://a.example:\(server.port)/"), policy: TestWorld.policy())
    request.method = method
    let result = await world.client.run(request, over: world.interface)
    #expect(server.requests.map { String($0.text.prefix { $0 != " " }) } == [method.name], "\(result)")
    #expect(server.requests.map(\.body) == [body])
    await server.stop()
    await world.dns.stop()
  }

  @Test("A POST that breaks off is not sent again")
  func postOnce() async throws {
    let world = try await TestWorld.make()
    let server = try await world.secureServer { _ in [.reset] }
    var request = ChainRequest(url: try WebURL("https://a.example:\(server.port)/"), policy: TestWorld.policy())
    request.method = .post(.json("{}"))
    guard case .failed(let failure) = await world.client.run(request, over: world.interface) else {
      Issue.record("a chain without an answer has one")
      return
    }
    #expect(failure.cause == .badAnswer)
    #expect(server.requests.count == 1 && server.connections == 1)
    await server.stop()
    await world.dns.stop()
  }
}

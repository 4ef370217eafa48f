import BoundHTTP
import HTTPTestSupport
import NIOCore
import NetworkAddress
@_spi(Exchange) import RedirectChain
import Testing

/// What a server on `https://a.example` does, and what comes of it. `SELF` in a text is the
/// server's own port.
struct ServerCase: Sendable, CustomTestStringConvertible {
  let name: String
  let cause: ChainFailure.Cause
  var readTime = Duration.seconds(10)
  var totalTime = Duration.seconds(20)
  let steps: [TestServer.Step]

  var testDescription: String { name }

  static let ok = "HTTP/1.1 200 OK\r\n"
  static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
  static func to(_ location: String) -> [TestServer.Step] { TestServer.redirect(location) }

  static let all: [ServerCase] = [
    // Time.
    .init(name: "says nothing", cause: .timeout, readTime: .milliseconds(200), steps: []),
    .init(name: "stops in the head", cause: .timeout, readTime: .milliseconds(200), steps: [.send(ok + "A: b\r\n")]),
    .init(
      name: "sends a head field now and then", cause: .timeout, readTime: .milliseconds(300),
      steps: [.send(ok), .repeating("A: b\r\n", every: .milliseconds(40))]),
    .init(
      name: "stops in the body", cause: .timeout, readTime: .milliseconds(200),
      steps: [.send(ok + "Content-Length: 10\r\n\r\n12345")]),
    .init(
      name: "drips its body", cause: .timeout, totalTime: .milliseconds(400),
      steps: [.send(ok + "Content-Length: 60000\r\n\r\n"), .repeating("x", every: .milliseconds(20))]),
    .init(
      name: "drips chunks", cause: .timeout, totalTime: .milliseconds(400),
      steps: [.send(chunked), .repeating("1\r\nx\r\n", every: .milliseconds(20))]),
    // Size.
    .init(
      name: "never ends its head", cause: .tooLarge,
      steps: [.send(ok), .repeating("A: \(String(repeating: "b", count: 1000))\r\n", every: .microseconds(100))]),
    .init(
      name: "never ends one field", cause: .tooLarge,
      steps: [.send(ok + "A: "), .repeating(String(repeating: "b", count: 1000), every: .microseconds(100))]),
    .init(
      name: "never ends its status line", cause: .tooLarge,
      steps: [.send("HTTP/1.1 200 "), .repeating(String(repeating: "b", count: 1000), every: .microseconds(100))]),
    .init(
      name: "sends a thousand fields", cause: .tooLarge,
      steps: [.send(ok + String(repeating: "A: b\r\n", count: 1000) + "\r\n")]),
    .init(
      name: "sends interim answers for ever", cause: .tooLarge,
      steps: [
        .repeating(
          "HTTP/1.1 100 Continue\r\nA: \(String(repeating: "b", count: 500))\r\n\r\n", every: .microseconds(100))
      ]),
    .init(name: "announces too large a body", cause: .tooLarge, steps: [.send(ok + "Content-Length: 65537\r\n\r\n")]),
    .init(
      name: "never ends its chunks", cause: .tooLarge,
      steps: [
        .send(chunked), .repeating("400\r\n\(String(repeating: "x", count: 1024))\r\n", every: .microseconds(100)),
      ]),
    .init(
      name: "never ends a body without length", cause: .tooLarge,
      steps: [.send(ok + "\r\n"), .repeating(String(repeating: "x", count: 1024), every: .microseconds(100))]),
    // Framing.
    .init(name: "closes at once", cause: .badAnswer, steps: [.close]),
    .init(name: "resets at once", cause: .badAnswer, steps: [.reset]),
    .init(name: "closes in the head", cause: .badAnswer, steps: [.send(ok + "A: b\r\n"), .close]),
    .init(
      name: "closes in the body", cause: .badAnswer, steps: [.send(ok + "Content-Length: 10\r\n\r\n12345"), .close]),
    .init(name: "closes in the chunks", cause: .badAnswer, steps: [.send(chunked + "5\r\nabc"), .close]),
    .init(name: "closes between chunks", cause: .badAnswer, steps: [.send(chunked + "3\r\nabc\r\n"), .close]),
    .init(name: "sends a chunk size that is none", cause: .badAnswer, steps: [.send(chunked + "ZZ\r\nabc\r\n")]),
    .init(
      name: "sends a chunk size that overflows", cause: .badAnswer,
      steps: [.send(chunked + "fffffffffffffffff\r\nabc\r\n")]),
    .init(name: "speaks another protocol", cause: .badAnswer, steps: [.send("220 mail.example ESMTP\r\n\r\n")]),
    .init(name: "sends bytes at random", cause: .badAnswer, steps: [.bytes((0..<64).map { UInt8($0 &* 37 & 0xff) })]),
    .init(name: "speaks HTTP/9.9", cause: .badAnswer, steps: [.send("HTTP/9.9 200 OK\r\n\r\n")]),
    .init(name: "has no status", cause: .badAnswer, steps: [.send("HTTP/1.1 OK\r\n\r\n")]),
    .init(
      name: "gives two lengths", cause: .badAnswer,
      steps: [.send(ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab")]),
    .init(name: "gives a negative length", cause: .badAnswer, steps: [.send(ok + "Content-Length: -1\r\n\r\n")]),
    .init(name: "gives a length in words", cause: .badAnswer, steps: [.send(ok + "Content-Length: ten\r\n\r\n")]),
    .init(
      name: "gives length and chunks", cause: .badAnswer,
      steps: [.send(ok + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")]),
    .init(
      name: "switches protocols", cause: .badAnswer,
      steps: [.send("HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")]),
    .init(
      name: "compresses unasked", cause: .badAnswer,
      steps: [.send(TestServer.answer(200, ["Content-Encoding: gzip"], body: "abc"))]),
    // Redirects.
    .init(name: "redirects to nowhere", cause: .badRedirect, steps: [.send(TestServer.answer(302))]),
    .init(name: "redirects to blanks", cause: .badRedirect, steps: to("  ")),
    .init(
      name: "redirects to two places", cause: .badRedirect,
      steps: TestServer.redirect("https://a.example/", ["Location: https://b.example/"])),
    .init(name: "redirects to a file", cause: .badRedirect, steps: to("file:///etc/passwd")),
    .init(name: "redirects to data", cause: .badRedirect, steps: to("data:text/html,x")),
    .init(name: "redirects to ftp", cause: .badRedirect, steps: to("ftp://b.example/")),
    .init(name: "redirects to an unknown scheme", cause: .badRedirect, steps: to("com.example.app://callback")),
    .init(name: "redirects with a password", cause: .badRedirect, steps: to("https://a:b@b.example/")),
    .init(name: "redirects to a bad port", cause: .badRedirect, steps: to("https://b.example:99999/")),
    .init(name: "redirects to half an address", cause: .badRedirect, steps: to("http://127.1/")),
    .init(name: "redirects to itself", cause: .redirectLoop, steps: to("/")),
    .init(name: "redirects to loopback", cause: .refusedByPolicy, steps: to("http://127.0.0.9/")),
    .init(name: "redirects to this host", cause: .refusedByPolicy, steps: to("http://0.0.0.0/")),
    .init(name: "redirects to this network", cause: .refusedByPolicy, steps: to("http://0.0.0.1/")),
    .init(name: "redirects to link-local", cause: .refusedByPolicy, steps: to("http://169.254.169.254/latest/")),
    .init(name: "redirects to multicast", cause: .refusedByPolicy, steps: to("http://224.0.0.251/")),
    .init(name: "redirects to broadcast", cause: .refusedByPolicy, steps: to("http://255.255.255.255/")),
    .init(name: "redirects to IPv6 link-local", cause: .refusedByPolicy, steps: to("http://[fe80::1]/")),
    .init(name: "redirects to no IPv6 address", cause: .refusedByPolicy, steps: to("http://[::]/")),
    .init(name: "redirects to mapped loopback", cause: .refusedByPolicy, steps: to("http://[::ffff:127.0.0.9]/")),
    .init(name: "redirects to translated loopback", cause: .refusedByPolicy, steps: to("http://[64:ff9b::7f00:9]/")),
    .init(name: "redirects to a name for loopback", cause: .refusedByPolicy, steps: to("http://rebind.example/")),
    .init(name: "redirects to an unknown name", cause: .dnsFailed, steps: to("http://nowhere.example/")),
    .init(name: "redirects to a closed port", cause: .connectFailed, steps: to("http://c.example:1/")),
    .init(name: "redirects to IPv6 without any", cause: .connectFailed, steps: to("http://[2001:db8::1]/")),
  ]
}

@Suite("Chains that fail", .serialized, .timeLimit(.minutes(1)))
struct ChainFailureTests {
  @Test("A server that misbehaves ends the chain with its cause, within its limits", arguments: ServerCase.all)
  func misbehaves(_ test: ServerCase) async throws {
    var names = TestWorld.everyName
    names["rebind.example"] = ["127.0.0.9"]
    let world = try await TestWorld.make(TestDNS.table(names))
    let server = try await world.secureServer { _ in test.steps }
    let policy = TestWorld.policy {
      $0.readTime = test.readTime
      $0.totalTime = test.totalTime
    }
    let walk = try await world.walk("https://a.example:\(server.port)/?secret=1", policy: policy)
    #expect(walk.cause == test.cause, "\(walk.result)")
    #expect(!walk.text.contains("secret") && !walk.text.contains("passwd"))
    // What a server received is never said to be unsent.
    #expect(!walk.isUnsent || server.requests.count < walk.hops.count)
    #expect(walk.isUnsent || ![.dnsFailed, .connectFailed].contains(test.cause))
    await server.stop()
    await world.dns.stop()
  }

  @Test(
    "A certificate that is not the host's ends the chain",
    arguments: [TestCertificates.Kind.wrong, .stranger, .expired])
  func badCertificate(_ kind: TestCertificates.Kind) async throws {
    let world = try await TestWorld.make()
    let server = try await world.secureServer(kind) { _ in TestServer.json("1") }
    let walk = try await world.walk("https://a.example:\(server.port)/")
    #expect(walk.cause == .possibleCaptivePortal)
    #expect(walk.text.contains("a.example") && walk.text.contains("certificate") && walk.text.contains("credit"))
    #expect(server.requests.isEmpty)
    #expect(walk.hops.count == 1 && walk.hops[0].status == nil && walk.hops[0].address == "127.0.0.1")
    #expect(walk.isUnsent)
    await server.stop()
    await world.dns.stop()
  }

  /// NIOSSL by itself would accept the certificate, for it holds the address.
  @Test("A certificate for the address of a name is none for the name")
  func otherName() async throws {
    let world = try await TestWorld.make { query in [TestDNS.reply(query, [IPAddress("127.0.0.1")!])] }
    let server = try await world.secureServer { _ in TestServer.json("1") }
    let walk = try await world.walk("https://evil.example:\(server.port)/")
    #expect(walk.cause == .possibleCaptivePortal, "\(walk.result)")
    #expect(server.requests.isEmpty)
    await server.stop()
    await world.dns.stop()
  }

  @Test("A server without TLS, or with old TLS only, is not spoken to in any other way")
  func noTLS() async throws {
    let world = try await TestWorld.make()
    let plain = try await TestServer.start { _ in TestServer.json("1") }
    let refusing = try await TestServer.start { _ in [.send("HTTP/1.1 400 Bad\r\n\r\n"), .close] }
    let old = try await TestServer.start(tls: world.certificates.serverContext(.good, newest: .tlsv11)) { _ in
      TestServer.json("1")
    }
    for server in [old, refusing] {
      let policy = TestWorld.policy { $0.connectTime = .seconds(1) }
      let walk = try await world.walk("https://a.example:\(server.port)/", policy: policy)
      #expect(walk.cause == .possibleCaptivePortal || walk.cause == .timeout, "\(walk.result)")
    }
    #expect(old.requests.isEmpty && plain.requests.isEmpty)
    for server in [plain, refusing, old] { await server.stop() }
    await world.dns.stop()
  }

  @Test("A TLS handshake that never ends runs into the connect time")
  func silentHandshake() async throws {
    let world = try await TestWorld.make()
    let server = try await TestServer.start { _ in [] }
    let policy = TestWorld.policy { $0.connectTime = .milliseconds(200) }
    let walk = try await world.walk("https://a.example:\(server.port)/", policy: policy)
    #expect(walk.cause == .timeout)
    #expect(walk.text.contains("handshake"))
    #expect(walk.isUnsent)
    await server.stop()
    await world.dns.stop()
  }

  @Test("More redirects than allowed end the chain, exactly as many do not", arguments: [0, 1, 2, 10])
  func limit(_ allowed: Int) async throws {
    let world = try await TestWorld.make()
    let server = try await world.secureServer { request in
      let step = Int(request.target.dropFirst()) ?? 0
      return step > allowed ? TestServer.json("\(step)") : TestServer.redirect("/\(step + 1)")
    }
    let url = "https://a.example:\(server.port)/"
    let exact = try await world.walk(url + "1", policy: TestWorld.policy { $0.maximumRedirects = allowed })
    #expect(exact.answer?.status == 200 && exact.hops.count == allowed + 1)
    let over = try await world.walk(url + "0", policy: TestWorld.policy { $0.maximumRedirects = allowed })
    #expect(over.cause == .tooManyRedirects && over.hops.count == allowed + 1)
    #expect(server.connections == 2)
    await server.stop()
    await world.dns.stop()
  }

  @Test("A cleartext start is refused before anything is sent")
  func cleartextStart() async throws {
    let world = try await TestWorld.make()
    let server = try await TestServer.start { _ in TestServer.json("1") }
    let walk = try await world.walk("http://a.example:\(server.port)/")
    #expect(walk.cause == .refusedByPolicy && walk.hops.isEmpty)
    #expect(server.connections == 0 && world.dns.queries.isEmpty)
    await server.stop()
    await world.dns.stop()
  }

  @Test(
    "A state that is another, doubled or missing is a mismatch",
    arguments: ["?state=other", "?code=1", "?state=good&state=bad", "?state=good#state=bad"])
  func stateMismatch(_ query: String) async throws {
    let world = try await TestWorld.make()
    let server = try await world.secureServer { _ in TestServer.redirect("app://cb" + query) }
    let walk = try await world.walk("https://a.example:\(server.port)/", redirectURI: "app://cb", state: "good")
    #expect(walk.cause == .stateMismatch)
    #expect(!walk.text.contains("good") && !walk.text.contains("bad"))
    await server.stop()
    await world.dns.stop()
  }

  @Test("A request that may have been received is not sent a second time")
  func neverTwice() async throws {
    let world = try await TestWorld.make()
    let server = try await world.secureServer { request in
      request.target == "/" ? TestServer.redirect("/next") : [.close]
    }
    let walk = try await world.walk("https://a.example:\(server.port)/")
    #expect(walk.cause == .badAnswer)
    #expect(server.requests.map(\.target) == ["/", "/next"])
    #expect(server.connections == 1)
    await server.stop()
    await world.dns.stop()
  }

  @Test("Extra roots that cannot be read are named")
  func badRoots() async throws {
    let world = try await TestWorld.make(rootFile: "/dev/null/roots.pem")
    let walk = try await world.walk("https://a.example:1/")
    #expect(walk.cause == .tlsFailed && walk.text.contains("/dev/null/roots.pem"))
    await world.dns.stop()
  }
}

import AuthCore
import HTTPTestSupport
import HostHTTP
import NIOCore
import RedirectChain
import Testing
import Web

/// What a server does wrong and what a caller hears of it.
struct FailureCase: Sendable, CustomTestStringConvertible {
  let name: String
  let kind: WebFailure.Kind
  /// What the sentence holds.
  let words: String
  var time = Duration.seconds(30)
  let steps: [TestServer.Step]

  var testDescription: String { name }

  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let large = String(repeating: "x", count: 65_536)

  static let all: [FailureCase] = [
    .init(name: "hangs up", kind: .closed, words: "no whole answer", steps: [.close]),
    .init(name: "resets", kind: .closed, words: "no whole answer", steps: [.reset]),
    .init(
      name: "hangs up in the body", kind: .closed, words: "no whole answer",
      steps: [.send(ok + "Content-Length: 9\r\n\r\nabc"), .close]),
    .init(
      name: "hangs up in a chunk", kind: .closed, words: "",
      steps: [.send(ok + "Transfer-Encoding: chunked\r\n\r\n9\r\nabc"), .close]),
    .init(name: "no HTTP", kind: .closed, words: "no HTTP answer", steps: [.send("SSH-2.0-OpenSSH_9.2\r\n\r\n")]),
    .init(
      name: "another protocol", kind: .closed, words: "another protocol",
      steps: [.send("HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n")]),
    .init(
      name: "damaged gzip", kind: .closed, words: "compressed body",
      steps: [.send(TestServer.answer(200, ["Content-Encoding: gzip"], body: "not gzip"))]),
    .init(
      name: "a coding that was not offered", kind: .closed, words: "not offered",
      steps: [.send(TestServer.answer(200, ["Content-Encoding: br"], body: "x"))]),
    .init(
      name: "announces too much", kind: .tooLarge, words: "262144 bytes",
      steps: [.send(ok + "Content-Length: 262145\r\n\r\n")]),
    .init(
      name: "sends too much", kind: .tooLarge, words: "262144 bytes",
      steps: [.send(ok + "\r\n"), .repeating(large, every: .milliseconds(1))]),
    .init(
      name: "a head without end", kind: .tooLarge, words: "the head of",
      steps: [.send(ok), .repeating("X-Fill: \(String(repeating: "x", count: 4096))\r\n", every: .milliseconds(1))]),
    .init(name: "says nothing", kind: .timeout, words: "no whole answer within", time: .seconds(2), steps: []),
    .init(
      name: "drips", kind: .timeout, words: "no whole answer within", time: .seconds(2),
      steps: [.send(ok + "Content-Length: 100000\r\n\r\n"), .repeating("x", every: .milliseconds(5))]),
  ]
}

@Suite("Backends that fail", .serialized, .timeLimit(.minutes(1)))
struct FailureTests {
  @Test(
    "Each failure has its kind and one sentence, and nothing is sent again", arguments: FailureCase.all, [true, false])
  func failure(_ test: FailureCase, isTLS: Bool) async throws {
    let world = try HostWorld.make()
    let server = try await isTLS ? world.secureServer { _ in test.steps } : TestServer.start { _ in test.steps }
    // TLS needs its time before the server can be slow.
    let time = isTLS && test.kind == .timeout ? test.time * 2 : test.time
    let call = try HostWorld.call("\(isTLS ? "https" : "http")://localhost:\(server.port)", time: time)
    try await expect(world, call, test.kind, test.words, host: "localhost")
    #expect(server.requests.count == 1 && server.connections == 1)
    try await server.closed(1)
    await server.stop()
  }

  @Test(
    "Whom TLS does not prove gets no request",
    arguments: [
      (TestCertificates.Kind.wrong, "localhost", true, "another name"), (.wrong, "127.0.0.1", true, "another name"),
      (.stranger, "localhost", true, "not trusted"), (.expired, "localhost", true, "expired"),
      (.good, "localhost", false, "not trusted"),
    ])
  func certificates(kind: TestCertificates.Kind, host: String, isTrusted: Bool, words: String) async throws {
    let world = try HostWorld.make(isTrusted: isTrusted)
    let server = try await world.secureServer(kind) { _ in TestServer.json("{}") }
    try await expect(world, HostWorld.call("https://\(host):\(server.port)"), .tls, words, host: host)
    try await server.closed(1)
    #expect(server.requests.isEmpty && server.connections == 1)
    await server.stop()
  }

  @Test("A server that does not speak TLS gets no request in clear")
  func noTLS() async throws {
    let world = try HostWorld.make()
    let server = try await TestServer.start { _ in TestServer.json("{}") }
    let call = try HostWorld.call("https://127.0.0.1:\(server.port)", time: .seconds(1))
    guard case .failure(let failure) = try await world.client.send(call) else {
      Issue.record("it was answered")
      return
    }
    // The server waits for the end of a head, and the client for a hello.
    #expect(failure.kind == .timeout && world.keepsSecret(failure))
    #expect(server.requests.isEmpty)
    await server.stop()
  }

  @Test("Roots that cannot be read are named, and nothing is opened")
  func badRoots() async throws {
    let world = try HostWorld.make(rootFile: "/nonexistent/roots.pem")
    try await expect(world, HostWorld.call("https://localhost:1"), .tls, "/nonexistent/roots.pem", host: "localhost")
  }

  @Test("Nobody listens", arguments: ["https://localhost", "http://localhost", "http://127.0.0.1", "https://[::1]"])
  func refused(origin: String) async throws {
    let world = try HostWorld.make()
    let server = try await TestServer.start { _ in [] }
    let port = server.port
    await server.stop()
    let host = try WebURL(origin).host
    try await expect(world, HostWorld.call("\(origin):\(port)"), .connect, "port \(port)", host: host)
  }

  @Test("A name that does not exist", arguments: ["https://nowhere.invalid"])
  func unresolved(origin: String) async throws {
    let world = try HostWorld.make()
    try await expect(world, HostWorld.call(origin, time: .seconds(50)), .dns, "the name", host: "nowhere.invalid")
  }

  private func expect(
    _ world: HostWorld, _ call: WebRequest, _ kind: WebFailure.Kind, _ words: String, host: String
  ) async throws {
    guard case .failure(let failure) = try await world.client.send(call) else {
      Issue.record("it was answered")
      return
    }
    #expect(failure.kind == kind, "\(failure)")
    #expect(failure.text.contains(words) && failure.text.contains(host), "\(failure)")
    #expect(failure.text.contains(";"), "no advice: \(failure)")
    #expect(world.keepsSecret(failure))
  }
}

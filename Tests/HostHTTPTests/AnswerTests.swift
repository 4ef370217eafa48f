import AuthCore
import HTTPTestSupport
import HostHTTP
import NIOCore
import RedirectChain
import Testing

/// An answer on the wire and what a caller gets of it.
struct AnswerCase: Sendable, CustomTestStringConvertible {
  let name: String
  var status = 200
  var body = json
  let steps: [TestServer.Step]

  var testDescription: String { name }

  private static let json = #"{"a":1}"#
  private static let ok = "HTTP/1.1 200 OK\r\n"
  /// The same, compressed.
  private static let gzip: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xab, 0x56, 0x4a, 0x54, 0xb2, 0x32, 0xac, 0x05, 0x00,
    0xaf, 0xac, 0x1b, 0x56, 0x07, 0x00, 0x00, 0x00,
  ]
  private static let deflate: [UInt8] = [
    0x78, 0x9c, 0xab, 0x56, 0x4a, 0x54, 0xb2, 0x32, 0xac, 0x05, 0x00, 0x08, 0x2a, 0x02, 0x09,
  ]

  private static func coded(_ coding: String, _ bytes: [UInt8]) -> [TestServer.Step] {
    [.send(ok + "Content-Encoding: \(coding)\r\nContent-Length: \(bytes.count)\r\n\r\n"), .bytes(bytes)]
  }

  static let all: [AnswerCase] = [
    .init(name: "length", steps: TestServer.json(json)),
    .init(
      name: "chunks",
      steps: [.send(ok + "Transfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n4\r\n\":1}\r\n0\r\n\r\n")]),
    .init(name: "until the end of the connection", steps: [.send(ok + "\r\n" + json), .close]),
    .init(name: "gzip", steps: coded("gzip", gzip)),
    .init(name: "deflate", steps: coded("deflate", deflate)),
    .init(
      name: "byte by byte",
      steps: Array(TestServer.answer(200, body: json)).flatMap {
        [.send(String($0)), .wait(.microseconds(200))]
      }),
    .init(name: "after 100", steps: [.send("HTTP/1.1 100 Continue\r\n\r\n")] + TestServer.json(json)),
    .init(
      name: "exactly the limit", body: String(repeating: "x", count: 262_144),
      steps: [.send(TestServer.answer(200, body: String(repeating: "x", count: 262_144)))]),
    .init(name: "204", status: 204, body: "", steps: [.send("HTTP/1.1 204 No Content\r\n\r\n")]),
    .init(name: "a redirect is the answer", status: 302, body: "", steps: TestServer.redirect("/elsewhere")),
    .init(name: "401", status: 401, steps: TestServer.json(json, status: 401)),
    .init(name: "404", status: 404, steps: TestServer.json(json, status: 404)),
    .init(name: "429", status: 429, steps: TestServer.json(json, status: 429)),
    .init(name: "503", status: 503, steps: TestServer.json(json, status: 503)),
  ]
}

@Suite("Answers of backends", .serialized, .timeLimit(.minutes(1)))
struct AnswerTests {
  @Test(
    "An answer of any status and framing is given whole, over TLS and in clear", arguments: AnswerCase.all,
    [true, false])
  func answer(_ test: AnswerCase, isTLS: Bool) async throws {
    let world = try HostWorld.make()
    let server = try await isTLS ? world.secureServer { _ in test.steps } : TestServer.start { _ in test.steps }
    let call = try HostWorld.call("\(isTLS ? "https" : "http")://localhost:\(server.port)")
    let reply = try await world.client.send(call).get()
    #expect(reply.status == test.status)
    #expect(String(decoding: reply.body, as: UTF8.self) == test.body)
    #expect(server.requests.count == 1 && server.connections == 1)
    // Nothing is kept for a next call.
    try await server.closed(1)
    #expect(!world.log.lines.isEmpty && !world.log.lines.contains { $0.contains(HostWorld.secret) })
    await server.stop()
  }

  @Test("The fields of an answer are given as they came")
  func fields() async throws {
    let world = try HostWorld.make()
    let server = try await TestServer.start { _ in
      [.send(TestServer.answer(302, ["Location: https://elsewhere.example/x?code=1", "X-Id: 7", "Retry-After: 9"]))]
    }
    let reply = try await world.client.send(HostWorld.call("http://127.0.0.1:\(server.port)")).get()
    #expect(reply.header("location") == "https://elsewhere.example/x?code=1")
    #expect(reply.header("x-id") == "7" && reply.retryAfter == 9)
    await server.stop()
  }

  @Test("A new call has a new connection")
  func noPool() async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    for _ in 1...3 { _ = try await world.client.send(HostWorld.call("https://127.0.0.1:\(server.port)")).get() }
    #expect(server.connections == 3)
    try await server.closed(3)
    await server.stop()
  }
}

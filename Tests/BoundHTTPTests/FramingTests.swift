import BoundHTTP
import HTTPTestSupport
import NIOCore
@_spi(Exchange) import RedirectChain
import Testing

/// An answer on the wire and the body that it means.
struct FramingCase: Sendable, CustomTestStringConvertible {
  let name: String
  var status = 200
  let body: String
  let steps: [TestServer.Step]

  var testDescription: String { name }

  private static let ok = "HTTP/1.1 200 OK\r\n"

  static let all: [FramingCase] = [
    .init(name: "length", body: "abc", steps: [.send(ok + "Content-Length: 3\r\n\r\nabc")]),
    .init(name: "length 0", body: "", steps: [.send(ok + "Content-Length: 0\r\n\r\n")]),
    .init(name: "length in odd case and blanks", body: "abc", steps: [.send(ok + "cOnTeNt-LeNgTh:   3  \r\n\r\nabc")]),
    .init(
      name: "the same length twice in one field or not at all", body: "",
      steps: [.send(ok + "Content-Length: 0\r\n\r\n")]),
    .init(
      name: "chunks", body: "abcdef",
      steps: [.send(ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n")]),
    .init(
      name: "chunks with extensions", body: "abc",
      steps: [.send(ok + "Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\n\r\n")]),
    .init(
      name: "chunks with trailers", body: "abc",
      steps: [.send(ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\n")]),
    .init(
      name: "chunk size in capitals and zeros", body: "0123456789ab",
      steps: [.send(ok + "Transfer-Encoding: Chunked\r\n\r\n000C\r\n0123456789ab\r\n0\r\n\r\n")]),
    .init(
      name: "until the end of the connection", body: "abc", steps: [.send(ok + "Connection: close\r\n\r\nabc"), .close]),
    .init(name: "HTTP/1.0 until the end", body: "abc", steps: [.send("HTTP/1.0 200 OK\r\n\r\nabc"), .close]),
    .init(name: "HTTP/1.0 with length", body: "abc", steps: [.send("HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc")]),
    .init(
      name: "byte by byte", body: "abc",
      steps: Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc").flatMap {
        [.send(String($0)), .wait(.microseconds(200))]
      }),
    .init(
      name: "head and body apart", body: "abc",
      steps: [.send(ok + "Content-Length: 3\r\n\r\n"), .wait(.milliseconds(20)), .send("abc")]),
    .init(
      name: "chunk cut in two", body: "abc",
      steps: [
        .send(ok + "Transfer-Encoding: chunked\r\n\r\n3\r\na"), .wait(.milliseconds(20)), .send("bc\r\n0\r\n\r\n"),
      ]),
    .init(
      name: "after 100", body: "abc",
      steps: [.send("HTTP/1.1 100 Continue\r\n\r\n" + ok + "Content-Length: 3\r\n\r\nabc")]),
    .init(
      name: "after 102 and 103", body: "abc",
      steps: [
        .send("HTTP/1.1 102 X\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n"), .wait(.milliseconds(10)),
        .send(ok + "Content-Length: 3\r\n\r\nabc"),
      ]),
    .init(name: "204", status: 204, body: "", steps: [.send("HTTP/1.1 204 No Content\r\n\r\n")]),
    .init(
      name: "304 with a length and no body", status: 304, body: "",
      steps: [.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n")]),
    .init(
      name: "300 is an answer", status: 300, body: "x",
      steps: [.send("HTTP/1.1 300 X\r\nLocation: /y\r\nContent-Length: 1\r\n\r\nx")]),
    .init(name: "no reason", body: "x", steps: [.send("HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\nx")]),
    .init(
      name: "exactly the limit", body: String(repeating: "x", count: 65_536),
      steps: [.send(ok + "Content-Length: 65536\r\n\r\n" + String(repeating: "x", count: 65_536))]),
    .init(name: "more than was announced", body: "abc", steps: [.send(ok + "Content-Length: 3\r\n\r\nabcdef")]),
    .init(name: "status 599", status: 599, body: "e", steps: [.send("HTTP/1.1 599 X\r\nContent-Length: 1\r\n\r\ne")]),
    .init(
      name: "identity coding", body: "abc",
      steps: [.send(ok + "Content-Encoding: identity\r\nContent-Length: 3\r\n\r\nabc")]),
  ]
}

@Suite("How answers are framed", .serialized, .timeLimit(.minutes(1)))
struct FramingTests {
  @Test("A body is read whole and no further, over TLS and in clear", arguments: FramingCase.all, [true, false])
  func framing(_ test: FramingCase, isTLS: Bool) async throws {
    let world = try await TestWorld.make()
    let server = try await isTLS ? world.secureServer { _ in test.steps } : TestServer.start { _ in test.steps }
    let policy = TestWorld.policy { $0.requiresSecureStart = false }
    let walk = try await world.walk("\(isTLS ? "https" : "http")://a.example:\(server.port)/", policy: policy)
    #expect(walk.answer?.status == test.status, "\(walk.result)")
    #expect(walk.answer.map { String(decoding: $0.body, as: UTF8.self) } == test.body)
    await server.stop()
    await world.dns.stop()
  }

  struct ReuseCase: Sendable, CustomTestStringConvertible {
    let name: String
    let isReused: Bool
    let steps: [TestServer.Step]
    var testDescription: String { name }
  }

  static let reuseCases: [ReuseCase] = [
    .init(name: "no body", isReused: true, steps: TestServer.redirect("/next")),
    .init(name: "a body", isReused: true, steps: [.send(TestServer.answer(302, ["Location: /next"], body: "moved"))]),
    .init(
      name: "chunks", isReused: true,
      steps: [.send("HTTP/1.1 302 X\r\nLocation: /next\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")]),
    .init(
      name: "a body that comes a little later", isReused: true,
      steps: [
        .send("HTTP/1.1 302 X\r\nLocation: /next\r\nContent-Length: 3\r\n\r\n"), .wait(.milliseconds(20)), .send("abc"),
      ]),
    .init(name: "Connection: close", isReused: false, steps: TestServer.redirect("/next", ["Connection: close"])),
    .init(
      name: "Connection: close among others", isReused: false,
      steps: TestServer.redirect("/next", ["Connection: foo, Close"])),
    .init(
      name: "HTTP/1.0", isReused: false,
      steps: [.send("HTTP/1.0 302 X\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n")]),
    .init(
      name: "HTTP/1.0 with keep-alive", isReused: true,
      steps: [.send("HTTP/1.0 302 X\r\nLocation: /next\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n")]),
    .init(
      name: "a body that never comes", isReused: false,
      steps: [.send("HTTP/1.1 302 X\r\nLocation: /next\r\nContent-Length: 9\r\n\r\n")]),
    .init(
      name: "no length, so until the end", isReused: false, steps: [.send("HTTP/1.1 302 X\r\nLocation: /next\r\n\r\n")]),
    .init(
      name: "too large a body", isReused: false,
      steps: [
        .send("HTTP/1.1 302 X\r\nLocation: /next\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .repeating("1000\r\n\(String(repeating: "x", count: 4096))\r\n", every: .microseconds(100)),
      ]),
    .init(name: "closed behind the answer", isReused: false, steps: TestServer.redirect("/next") + [.close]),
  ]

  @Test("A connection is used again only when its answer was whole and it stays open", arguments: reuseCases)
  func reuse(_ test: ReuseCase) async throws {
    let world = try await TestWorld.make(connecting: test.isReused ? .patient : ConnectionTiming())
    let server = try await world.secureServer { request in
      request.target == "/" ? test.steps : TestServer.json(#"{"at":"end"}"#)
    }
    let walk = try await world.walk("https://a.example:\(server.port)/")
    if test.name == "closed behind the answer", walk.cause == .badAnswer {
      // The request may have crossed the end of the connection: it must not be sent again.
      #expect(server.requests.count <= 2)
    } else {
      #expect(walk.answer?.body == Array(#"{"at":"end"}"#.utf8), "\(walk.result)")
      #expect(walk.hops.last?.isReused == test.isReused)
      #expect(server.connections == (test.isReused ? 1 : 2))
    }
    await server.stop()
    await world.dns.stop()
  }

  @Test("An origin's connection is not used for another port, scheme or name of the same address")
  func oneOrigin() async throws {
    let world = try await TestWorld.make()
    let server = try await world.secureServer { request in
      let port = request.field("host")?.split(separator: ":").last ?? ""
      return request.target == "/"
        ? TestServer.redirect("https://b.example:\(port)/b") : TestServer.json(request.field("host") ?? "")
    }
    let walk = try await world.walk("https://a.example:\(server.port)/")
    #expect(walk.answer.map { String(decoding: $0.body, as: UTF8.self) } == "b.example:\(server.port)")
    #expect(server.connections == 2)
    await server.stop()
    await world.dns.stop()
  }
}

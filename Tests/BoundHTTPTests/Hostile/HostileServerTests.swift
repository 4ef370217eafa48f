import BoundHTTP
import CZlib
import HTTPTestSupport
import NIOCore
@_spi(Exchange) import RedirectChain
import Testing

/// A server that means harm, and where its chain ends: with which cause, and after how many bytes
/// at most.
struct HostileCase: Sendable, CustomTestStringConvertible {
  let name: String
  let cause: ChainFailure.Cause
  /// Set where time is what runs out.
  var time: Duration?
  /// Bytes that may come in for one answer; one read of the socket is on top.
  var bytes = 32_768
  let steps: @Sendable (TestServer.Request) -> [TestServer.Step]
  var testDescription: String { name }

  static let ok = "HTTP/1.1 200 OK\r\n"
  static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
  static let kilobyte = String(repeating: "x", count: 1024)
  static let tick = TimeAmount.microseconds(50)
  /// A limit of a body with its head and its chunks' framing.
  static let framed = 32_768 + 8 * 65_536 + 16_384

  static func always(_ steps: TestServer.Step...) -> @Sendable (TestServer.Request) -> [TestServer.Step] {
    { _ in steps }
  }

  static let all: [HostileCase] = [
    // Slow headers.
    .init(
      name: "a head a byte at a time", cause: .timeout, time: .milliseconds(500),
      steps: always(.send(ok), .repeating("X", every: .milliseconds(10)))),
    .init(
      name: "a head a field at a time", cause: .timeout, time: .milliseconds(500),
      steps: always(.send(ok), .repeating("A: b\r\n", every: .milliseconds(10)))),
    .init(
      name: "an interim answer now and then", cause: .timeout, time: .milliseconds(500),
      steps: always(.repeating("HTTP/1.1 102 X\r\n\r\n", every: .milliseconds(10)))),
    .init(
      name: "half a status line and silence", cause: .timeout, time: .milliseconds(300),
      steps: always(.send("HTTP/1.1 2"))),
    .init(name: "silence", cause: .timeout, time: .milliseconds(300), steps: always()),
    // Endless bodies.
    .init(
      name: "a body a byte at a time", cause: .timeout, time: .milliseconds(500),
      steps: always(.send(ok + "Content-Length: 60000\r\n\r\n"), .repeating("x", every: .milliseconds(10)))),
    .init(
      name: "a chunk a byte at a time", cause: .timeout, time: .milliseconds(500),
      steps: always(.send(chunked), .repeating("1\r\nx\r\n", every: .milliseconds(10)))),
    .init(
      name: "a body without end", cause: .tooLarge, bytes: framed,
      steps: always(.send(ok + "\r\n"), .repeating(kilobyte, every: tick))),
    .init(
      name: "chunks without end", cause: .tooLarge, bytes: framed,
      steps: always(.send(chunked), .repeating("400\r\n\(kilobyte)\r\n", every: tick))),
    .init(
      name: "a length of gigabytes", cause: .tooLarge,
      steps: always(.send(ok + "Content-Length: 99999999999\r\n\r\n"), .repeating(kilobyte, every: tick))),
    .init(
      name: "an extension of a chunk without end", cause: .tooLarge, bytes: framed,
      steps: always(.send(chunked + "1;"), .repeating(kilobyte, every: tick))),
    .init(
      name: "trailers without end", cause: .tooLarge, bytes: framed,
      steps: always(.send(chunked + "0\r\n"), .repeating("A: \(kilobyte)\r\n", every: tick))),
    // Header bombs.
    .init(
      name: "fields without end", cause: .tooLarge,
      steps: always(.send(ok), .repeating("A: \(kilobyte)\r\n", every: tick))),
    .init(
      name: "a field without end", cause: .tooLarge,
      steps: always(.send(ok + "A: "), .repeating(kilobyte, every: tick))),
    .init(
      name: "a field's name without end", cause: .tooLarge, steps: always(.send(ok), .repeating(kilobyte, every: tick))),
    .init(
      name: "a status line without end", cause: .tooLarge,
      steps: always(.send("HTTP/1.1 200 "), .repeating(kilobyte, every: tick))),
    .init(
      name: "ten thousand fields at once", cause: .tooLarge,
      steps: always(.send(ok + String(repeating: "A: b\r\n", count: 10_000) + "\r\n"))),
    .init(
      name: "interim answers without end", cause: .tooLarge,
      steps: always(.repeating("HTTP/1.1 103 X\r\nA: \(kilobyte)\r\n\r\n", every: tick))),
    .init(
      name: "ten thousand cookies", cause: .tooLarge,
      steps: always(.send(ok + (0..<10_000).map { "Set-Cookie: a\($0)=1\r\n" }.joined() + "\r\n"))),
    // Bad chunks.
    .init(name: "a size in words", cause: .badAnswer, steps: always(.send(chunked + "five\r\nabcde\r\n0\r\n\r\n"))),
    .init(name: "a negative size", cause: .badAnswer, steps: always(.send(chunked + "-1\r\nabc\r\n"))),
    .init(name: "a size over 64 bits", cause: .badAnswer, steps: always(.send(chunked + "10000000000000000\r\nx\r\n"))),
    .init(
      name: "a size that is not kept", cause: .badAnswer, steps: always(.send(chunked + "2\r\nabcdef\r\n0\r\n\r\n"))),
    .init(
      name: "a length beside chunks", cause: .badAnswer,
      steps: always(.send(ok + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"))),
    .init(
      name: "chunks below another coding", cause: .badAnswer,
      steps: always(.send(ok + "Transfer-Encoding: chunked, gzip\r\n\r\n3\r\nabc\r\n0\r\n\r\n"), .close)),
    // CR, LF and NUL in Location.
    .init(name: "a bare CR in Location", cause: .badAnswer, steps: location("/x\rSet-Cookie: a=1")),
    .init(name: "a NUL in Location", cause: .badAnswer, steps: location("/x\u{0}")),
    .init(name: "a folded Location", cause: .badAnswer, steps: location("/x\r\n /y")),
    .init(name: "an escape in Location", cause: .badAnswer, steps: location("/\u{1b}[2J")),
    // The second answer is the first one's body, and never more than that.
    .init(
      name: "a Location cut in two by a line end", cause: .redirectLoop, steps: location("/x\r\n\r\nHTTP/1.1 200 OK")),
    // Endless redirects.
    .init(
      name: "redirects to ever new URLs", cause: .tooManyRedirects,
      steps: { TestServer.redirect("/\(($0.target.split(separator: "/").last.flatMap { Int($0) } ?? 0) + 1)") }),
    .init(
      name: "redirects to ever longer URLs", cause: .tooManyRedirects, steps: { TestServer.redirect($0.target + "x") }),
    .init(
      name: "redirects with ever new cookies", cause: .tooManyRedirects,
      steps: {
        TestServer.redirect(
          "/",
          [
            "Set-Cookie: n=\(($0.field("cookie") ?? "").utf8.count);",
            "Set-Cookie: m\(($0.field("cookie") ?? "").utf8.count)=1",
          ])
      }),
    .init(name: "redirects to itself", cause: .redirectLoop, steps: { TestServer.redirect($0.target) }),
    .init(
      name: "redirects with bodies without end", cause: .tooManyRedirects, bytes: framed,
      steps: { request in
        let number = Int(request.target.dropFirst()) ?? 0
        return [
          .send("HTTP/1.1 302 X\r\nLocation: /\(number + 1)\r\nTransfer-Encoding: chunked\r\n\r\n"),
          .repeating("400\r\n\(kilobyte)\r\n", every: tick),
        ]
      }),
    // Compression bombs.
    .init(name: "64 MB in gzip", cause: .tooLarge, bytes: 65_536 + 1024, steps: compressed("gzip", MAX_WBITS + 16)),
    .init(name: "64 MB in deflate", cause: .tooLarge, bytes: 65_536 + 1024, steps: compressed("deflate", MAX_WBITS)),
    .init(
      name: "64 MB in deflate without a frame", cause: .tooLarge, bytes: 65_536 + 1024,
      steps: compressed("deflate", -MAX_WBITS)),
  ]

  private static func location(_ text: String) -> @Sendable (TestServer.Request) -> [TestServer.Step] {
    always(.send("HTTP/1.1 302 X\r\nLocation: \(text)\r\nContent-Length: 0\r\n\r\n"), .close)
  }

  private static func compressed(_ coding: String, _ bits: Int32) -> @Sendable (TestServer.Request) -> [TestServer.Step]
  {
    { _ in
      let body = deflated(bits)
      let head = ok + "Content-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
      return [.bytes(Array(head.utf8) + body)]
    }
  }

  /// 64 MB of zeros, which make 64 KB.
  private static func deflated(_ bits: Int32) -> [UInt8] {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, 9, Z_DEFLATED, bits, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return [] }
    defer { deflateEnd(&stream) }
    var (zeros, result) = ([UInt8](repeating: 0, count: 1 << 20), [UInt8](repeating: 0, count: 1 << 17))
    let count = result.withUnsafeMutableBufferPointer { output in
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(output.count)
      for part in 1...63 {
        zeros.withUnsafeMutableBufferPointer { input in
          stream.next_in = input.baseAddress
          stream.avail_in = UInt32(input.count)
          _ = deflate(&stream, part == 63 ? Z_FINISH : Z_NO_FLUSH)
        }
      }
      return output.count - Int(stream.avail_out)
    }
    return Array(result[..<count])
  }
}

@Suite("Hostile servers", .serialized, .timeLimit(.minutes(2)))
struct HostileServerTests {
  @Test("Harm ends with its cause, inside its limits of time and size", arguments: HostileCase.all, [true, false])
  func harm(_ test: HostileCase, isTLS: Bool) async throws {
    let world = try await TestWorld.make()
    let server = try await isTLS ? world.secureServer(.good, test.steps) : TestServer.start(test.steps)
    let policy = TestWorld.policy {
      $0.requiresSecureStart = false
      $0.readTime = test.time ?? .seconds(30)
      $0.totalTime = test.time.map { $0 * 2 } ?? .seconds(40)
    }
    let (clock, url) = (ContinuousClock(), "\(isTLS ? "https" : "http")://a.example:\(server.port)/")
    let start = clock.now
    let walk = try await world.walk(url, policy: policy)
    #expect(walk.cause == test.cause, "\(walk.result)")
    // A machine under load is slow; without its limit the chain would not end at all.
    if let time = test.time { #expect(clock.now - start < time * 2 + .seconds(20)) }
    let readSize = 70_000
    #expect(walk.hops.allSatisfy { $0.receivedBytes <= test.bytes + readSize }, "\(walk.hops.map(\.receivedBytes))")
    #expect(walk.hops.count <= ChainPolicy().maximumRedirects + 1)
    #expect(server.requests.allSatisfy { !$0.text.contains("Set-Cookie") })
    // Nothing stays open behind a chain.
    try await server.closed(server.connections)
    await server.stop()
    await world.dns.stop()
  }

  @Test(
    "A certificate of another name, authority or time ends the first hop as a portal, a later one as an error of TLS",
    arguments: [TestCertificates.Kind.wrong, .stranger, .expired], [1, 2])
  func certificates(_ kind: TestCertificates.Kind, hop: Int) async throws {
    let world = try await TestWorld.make()
    let bad = try await world.secureServer(kind) { _ in TestServer.json("1") }
    let good = try await world.secureServer { _ in TestServer.redirect("https://b.example:\(bad.port)/") }
    let walk = try await world.walk("https://a.example:\(hop == 1 ? bad.port : good.port)/")
    #expect(walk.cause == (hop == 1 ? .possibleCaptivePortal : .tlsFailed), "\(walk.result)")
    #expect(bad.requests.isEmpty && walk.text.contains("certificate"))
    for server in [good, bad] { await server.stop() }
    await world.dns.stop()
  }

  @Test("TLS is not lowered: not below 1.2, not to cleartext on the same port, not by who answers in clear")
  func downgrade() async throws {
    let world = try await TestWorld.make()
    let old = try await TestServer.start(tls: world.certificates.serverContext(.good, newest: .tlsv11)) { _ in
      TestServer.json("1")
    }
    let alert = try await RawServer.start([0x15, 3, 3, 0, 2, 2, 70])
    let plain = try await RawServer.start(
      Array("HTTP/1.1 301 X\r\nLocation: http://a.example/\r\nContent-Length: 0\r\n\r\n".utf8))
    // A ServerHello of TLS 1.0, as of somebody on the way who wants it so.
    let lowered = try await RawServer.start(
      [0x16, 3, 1, 0, 42, 2, 0, 0, 38, 3, 1] + [UInt8](repeating: 7, count: 32) + [0, 0, 0x2f, 0])
    let nothing = try await RawServer.start([])
    for port in [old.port, alert.port, plain.port, lowered.port, nothing.port] {
      let walk = try await world.walk("https://a.example:\(port)/?secret")
      #expect(walk.cause == .possibleCaptivePortal, "\(walk.result)")
      #expect(walk.hops.count == 1 && walk.hops[0].status == nil && walk.hops[0].tlsVersion == nil)
    }
    #expect(old.requests.isEmpty)
    for server in [alert, plain, lowered, nothing] {
      // What came was a ClientHello, and no request.
      #expect(server.received.first == 0x16 && !String(decoding: server.received, as: UTF8.self).contains("GET "))
      await server.stop()
    }
    await old.stop()
    await world.dns.stop()
  }
}

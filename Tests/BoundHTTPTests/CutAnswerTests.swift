import HTTPTestSupport
import NetworkAddress
import RedirectChain
import Testing

/// Answers that end before they are whole, and how that is told.
@Suite("Answers that are cut off", .serialized, .timeLimit(.minutes(1)))
struct CutAnswerTests {
  struct Cut: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    var testDescription: String { name }

    static let all: [Cut] = [
      .init(name: "before its first byte", text: ""),
      .init(name: "in its head", text: "HTTP/1.1 200 OK\r\nContent-Le"),
      .init(name: "in its body", text: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{\"a\":"),
      .init(name: "in a body that only the end bounds", text: "HTTP/1.1 200 OK\r\n\r\n{\"a\": 1}"),
      .init(name: "between chunks", text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
    ]
  }

  @Test(
    "TLS that ends without a farewell behind its handshake is a cut answer, at the first hop and later",
    arguments: Cut.all, [1, 2])
  func cut(_ test: Cut, hop: Int) async throws {
    let world = try await TestWorld.make()
    let cutting = try await world.secureServer { _ in [.send(test.text), .cut] }
    let first = try await world.secureServer { _ in TestServer.redirect("https://b.example:\(cutting.port)/") }
    let walk = try await world.walk("https://a.example:\(hop == 1 ? cutting.port : first.port)/")
    #expect(walk.cause == .badAnswer, "\(walk.result)")
    #expect(!walk.text.contains("credit") && !walk.text.contains("handshake"), "\(walk.text)")
    #expect(!walk.isUnsent && cutting.requests.count == 1)
    if case .failed(let failure) = walk.result { #expect(failure.hop == hop) }
    for server in [cutting, first] { await server.stop() }
    await world.dns.stop()
  }

  @Test("What is over within a limit is told with the limit, and not with what was left of it")
  func limits() async throws {
    let world = try await TestWorld.make()
    let silent = try await world.secureServer { _ in [] }
    let url = "https://a.example:\(silent.port)/"
    let read = try await world.walk(url, policy: TestWorld.policy { $0.readTime = .milliseconds(250) })
    #expect(read.cause == .timeout && read.text.contains("250 ms"), "\(read.text)")
    let total = try await world.walk(
      url,
      policy: TestWorld.policy {
        ($0.totalTime, $0.statedTime) = (.milliseconds(300), .seconds(41))
      })
    #expect(total.cause == .timeout && total.text.contains("41 s"), "\(total.text)")
    await silent.stop()
    await world.dns.stop()
  }

  @Test("A lost bearer names the hop that was under way")
  func lostHop() async throws {
    let world = try await TestWorld.make()
    let (requests, arrived) = AsyncStream.makeStream(of: Void.self)
    let second = try await world.secureServer { _ in
      arrived.yield()
      return []
    }
    let first = try await world.secureServer { _ in TestServer.redirect("https://b.example:\(second.port)/") }
    let url = "https://a.example:\(first.port)/"
    let task = Task { try await world.walk(url) }
    for await _ in requests { break }
    world.client.bearerLost(interface: world.interface.index, "the network released the bearer")
    let walk = try await task.value
    guard case .failed(let failure) = walk.result else {
      Issue.record("\(walk.result)")
      return
    }
    #expect(failure.cause == .bearerLost && failure.hop == 2 && failure.text.contains("b.example"), "\(failure.text)")
    for server in [first, second] { await server.stop() }
    await world.dns.stop()
  }

  @Test("Of a host's addresses those are shown that could be used")
  func usable() async throws {
    let all = ["127.0.0.9", "127.0.0.1", "169.254.1.1"].compactMap { IPAddress($0) }
    let world = try await TestWorld.make { [TestDNS.reply($0, all)] }
    let server = try await world.secureServer { _ in TestServer.json("1") }
    let walk = try await world.walk("https://a.example:\(server.port)/")
    #expect(walk.hops.map(\.addresses) == [["127.0.0.1"]], "\(walk.result)")
    await server.stop()
    await world.dns.stop()
  }
}

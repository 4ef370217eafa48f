import BoundHTTP
import HTTPTestSupport
import NIOConcurrencyHelpers
import RedirectChain
import Testing

@Suite("The rehearsal of a chain", .serialized, .timeLimit(.minutes(1)))
struct RehearsalTests {
  @Test("It comes to its end on this machine alone, as often as wanted, and leaves nothing behind")
  func comesToItsEnd() async throws {
    let world = try await TestWorld.make(learnsOrigins: true)
    for _ in 0..<3 {
      let hops = NIOLockedValueBox<[ChainHop]>([])
      let isAtEnd = await world.client.rehearse { hop in hops.withLockedValue { $0.append(hop) } }
      #expect(isAtEnd)
      // What a real chain begins with: a certificate over TLS 1.3, then a name, then cleartext.
      let passed = hops.withLockedValue(\.self)
      #expect(passed.map(\.scheme) == [.https, .http, .http])
      #expect(passed.first?.tlsVersion == "1.3")
    }
    #expect(world.dns.queries.isEmpty)
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    let walk = try await world.walk("https://a.example:\(server.port)/")
    #expect(walk.answer?.status == 200 && walk.hops.map(\.isReused) == [false])
    // Its root opens nothing else: names are verified as ever.
    let wrong = try await world.secureServer(.stranger) { _ in TestServer.json("{}") }
    #expect(try await world.walk("https://a.example:\(wrong.port)/").cause == .possibleCaptivePortal)
    for server in [server, wrong] { await server.stop() }
    await world.dns.stop()
  }
}

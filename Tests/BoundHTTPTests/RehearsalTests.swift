import BoundHTTP
import HTTPTestSupport
import RedirectChain
import Testing

@Suite("The rehearsal of a chain", .serialized, .timeLimit(.minutes(1)))
struct RehearsalTests {
  @Test("It comes to its end on this machine alone, as often as wanted, and leaves nothing behind")
  func comesToItsEnd() async throws {
    let world = try await TestWorld.make(learnsOrigins: true)
    for _ in 0..<3 { #expect(await world.client.rehearse()) }
    #expect(world.dns.queries.isEmpty)
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    let walk = try await world.walk("https://a.example:\(server.port)/")
    #expect(walk.answer?.status == 200 && walk.hops.map(\.isReused) == [false])
    // Its key opens nothing else: names are verified as ever.
    let wrong = try await world.secureServer(.stranger) { _ in TestServer.json("{}") }
    #expect(try await world.walk("https://a.example:\(wrong.port)/").cause == .possibleCaptivePortal)
    for server in [server, wrong] { await server.stop() }
    await world.dns.stop()
  }
}

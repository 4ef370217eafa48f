import BoundHTTP
import HTTPTestSupport
import NetworkAddress
import RedirectChain
import Testing
import Web

@Suite("Binding to an interface", .serialized, .timeLimit(.minutes(1)))
struct BindingTests {
  @Test(
    "An index that would unbind, a name that is none and a port out of range are refused",
    arguments: [
      ("lo", 0, 53), ("lo", -1, 53), ("lo", 1 << 40, 53), ("", 1, 53), ("sixteen-letters!", 1, 53), ("lo", 1, 0),
      ("lo", 1, 65_536),
    ])
  func refused(name: String, index: Int, port: Int) {
    #expect(throws: BoundHTTPError.self) {
      try BoundInterface(name: name, index: index, dnsServers: [], sources: [], dnsPort: port)
    }
  }

  @Test(
    "An interface that is gone, or whose index is another's, is a lost bearer, and nothing is sent",
    arguments: [
      ("wwan77", 2_000_000), ("wwan77", TestWorld.loopback), ("lo", 2_000_000),
    ], ["https://127.0.0.1:", "https://a.example:"])
  func gone(interface: (name: String, index: Int), host: String) async throws {
    let world = try await TestWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("1") }
    let lost = try BoundInterface(
      name: interface.name, index: interface.index, dnsServers: world.interface.dnsServers,
      sources: world.interface.sources, dnsPort: world.interface.dnsPort)
    let request = ChainRequest(url: try WebURL("\(host)\(server.port)/"), policy: TestWorld.policy())
    guard case .failed(let failure) = await world.client.run(request, over: lost) else {
      Issue.record("the chain did not fail")
      return
    }
    #expect(failure.cause == .bearerLost)
    #expect(failure.text.contains(interface.name))
    #expect(server.connections == 0 && world.dns.queries.isEmpty)
    await server.stop()
    await world.dns.stop()
  }
}

import HTTPTestSupport
import NetworkAddress
import RedirectChain
import Testing

extension FamilyTests {
  private static let literal = "198.51.100.1"
  private static let translated = "64:ff9b::c633:6401"

  /// A world whose translator is the operator's namespace itself.
  private static func translatedWorld(_ kind: TestCertificates.Kind) async throws -> (World, TestServer) {
    let names = TestDNS.table(["a.example": ["2001:db8:1::1"], "ipv4only.arpa": ["64:ff9b::c000:aa"]])
    let world = try await World.make(names: names) { _ in TestServer.redirect("https://\(literal):8443/") }
    #expect(try await world.network.operatorSide.run("ip address add \(translated)/128 dev lo nodad") == 0)
    let server = try await TestServer.start(
      on: "::", port: 8443, tls: try TestCertificates.shared.get().serverContext(kind),
      group: world.network.operatorSide.group
    ) { _ in TestServer.json("{}") }
    return (world, server)
  }

  @Test("Behind a translator an https literal is verified as the literal that the URL names")
  func translatedLiteral() async throws {
    let (world, server) = try await Self.translatedWorld(.good)
    let walk = try await world.walk("https://a.example/", from: [Self.v6])
    #expect(walk.answer?.status == 200, "\(walk.result)")
    #expect(walk.hops.last?.address == Self.translated && server.requests.count == 1)
    await server.stop()
    await world.stop()
  }

  @Test("A certificate for the address that the translator made of a literal is for another host")
  func translatedCertificate() async throws {
    let (world, server) = try await Self.translatedWorld(.translated)
    let walk = try await world.walk("https://a.example/", from: [Self.v6])
    #expect(walk.cause == .tlsFailed && walk.text.contains("another name"), "\(walk.result)")
    #expect(server.requests.isEmpty)
    await server.stop()
    await world.stop()
  }

  @Test("A certificate for the translator's address is good for the URL that names that address")
  func addressOfName() async throws {
    let (world, server) = try await Self.translatedWorld(.translated)
    let direct = try await world.walk("https://[\(Self.translated)]:8443/", from: [Self.v6])
    #expect(direct.answer?.status == 200, "\(direct.result)")
    await server.stop()
    await world.stop()
  }
}

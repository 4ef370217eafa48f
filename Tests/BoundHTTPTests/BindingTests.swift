import BoundHTTP
import Glibc
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

  /// Sockets of this process.
  private static var sockets: Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      var target = [UInt8](repeating: 0, count: 64)
      let length = readlink("/proc/self/fd/\(name)", &target, target.count)
      if length > 0, target.starts(with: "socket:".utf8) { count += 1 }
    }
    return count
  }

  @Test func `A name that is asked over an interface that is gone leaves no socket open`() async throws {
    let world = try await TestWorld.make()
    let lost = try BoundInterface(
      name: "wwan77", index: 2_000_000, dnsServers: world.interface.dnsServers, sources: world.interface.sources,
      dnsPort: world.interface.dnsPort)
    let request = ChainRequest(url: try WebURL("https://a.example/"), policy: TestWorld.policy())
    let before = Self.sockets
    for _ in 0..<50 {
      guard case .failed = await world.client.run(request, over: lost) else {
        Issue.record("the chain did not fail")
        return
      }
    }
    // Each chain made two; the test's other sockets are fewer.
    #expect(Self.sockets - before < 25)
    await world.dns.stop()
  }
}

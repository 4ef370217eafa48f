import DNSWire
import HTTPTestSupport
import NIOConcurrencyHelpers
import NIOCore
import NetworkAddress
import RedirectChain
import Testing

@testable import BoundHTTP

@Suite("Which DNS server is asked first", .serialized, .timeLimit(.minutes(1)))
struct ServerMemoryTests {
  private static let addresses = ["10.0.0.1", "10.0.0.2", "10.0.0.3"].compactMap { IPAddress($0) }

  private static func interface(_ index: Int = 7) throws -> BoundInterface {
    try BoundInterface(
      name: "wwan0", index: index, dnsServers: addresses, sources: [IPAddress("10.0.0.9")!])
  }

  @Test("The one that answered, for ten minutes, and then the network's order again")
  func ageing() throws {
    let clock = NIOLockedValueBox(NIODeadline.uptimeNanoseconds(1_000_000))
    let memory = ServerMemory { clock.withLockedValue { $0 } }
    let (one, two) = (try Self.interface(), try Self.interface(8))
    let (first, second, third) = (Self.addresses[0], Self.addresses[1], Self.addresses[2])
    #expect(memory.servers(of: one) == Self.addresses)
    memory.answered(third, over: one)
    #expect(memory.servers(of: one) == [third, first, second])
    #expect(memory.servers(of: two) == Self.addresses)
    clock.withLockedValue { $0 = $0 + ServerMemory.age - .nanoseconds(1) }
    // An answer does not put the end off: the first one may be well again.
    memory.answered(third, over: one)
    #expect(memory.servers(of: one).first == third)
    clock.withLockedValue { $0 = $0 + .nanoseconds(1) }
    #expect(memory.servers(of: one) == Self.addresses)
    memory.answered(second, over: one)
    memory.answered(first, over: one)
    #expect(memory.servers(of: one) == Self.addresses)
    memory.answered(second, over: one)
    memory.answered(IPAddress("192.0.2.9")!, over: two)
    memory.forget(interface: 7)
    #expect(memory.servers(of: one) == Self.addresses && memory.servers(of: two) == Self.addresses)
  }

  @Test("A first server that is silent costs its wait once, and not with each name")
  func silentFirst() async throws {
    var timing = DNSTiming.patient
    timing.attempt = .milliseconds(500)
    timing.attempts = 100
    let world = try await TestWorld.make(servers: ["127.0.0.3", "127.0.0.1"], timing: timing)
    let silent = try await TestDNS.start(on: "127.0.0.3", port: world.dns.port) { _ in [] }
    let last = try await world.secureServer { _ in TestServer.json("1") }
    let hosts = NIOLockedValueBox(["b.example", "c.example", "other.test"])
    let first = try await world.secureServer { request in
      let next = hosts.withLockedValue { $0.isEmpty ? nil : $0.removeFirst() }
      let port = request.field("host")?.split(separator: ":").last ?? ""
      return TestServer.redirect(next.map { "https://\($0):\(port)/\($0)" } ?? "https://xa.example:\(last.port)/")
    }
    let walk = try await world.walk("https://a.example:\(first.port)/")
    #expect(walk.answer?.status == 200 && walk.hops.count == 5, "\(walk.result)")
    #expect(Set(silent.queries.map(\.name)) == ["a.example"])
    for server in [first, last] { await server.stop() }
    await silent.stop()
    await world.dns.stop()
  }
}

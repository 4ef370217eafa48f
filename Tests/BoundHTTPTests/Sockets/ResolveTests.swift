import BearerStreams
import BoundHTTP
import NetworkAddress
import Testing

@Suite(
  "Names over the bearer, for programs",
  .enabled(if: TestNamespace.isAvailable, "needs root, ip and veth devices in a network namespace"), .serialized,
  .timeLimit(.minutes(2)))
struct ResolveTests {
  private static func resolve(_ name: String, in world: SocketWorld) async throws -> ResolvedHost {
    try await world.streams.resolve(ResolveRequest(name: name), for: SocketWorld.user).host
  }

  @Test("Both families, in the order in which connections try them, and which server said so")
  func both() async throws {
    let world = try await SocketWorld.make()
    let host = try await Self.resolve("A.Example.", in: world)
    #expect(host.name == "a.example")
    #expect(host.addresses.map(\.address.description) == ["2001:db8:1::1", "198.51.100.1"])
    #expect(host.addresses.allSatisfy { $0.refusal == nil && !$0.isTranslated })
    #expect(host.servers?.map(\.description) == [TestNetwork.dnsServer] && host.translationPrefix == nil)
    // The bearer came up for it, and nothing uses it afterwards.
    #expect(world.port.connects == 1 && world.streams.count(of: SocketWorld.user) == 0)
    #expect(try await world.bearers.disconnect(nil).bearer.state == .down(nil))
    await world.stop()
  }

  @Test("One family where one is asked for, and no question about the other")
  func oneFamily() async throws {
    let world = try await SocketWorld.make()
    let resolved = try await world.streams.resolve(
      ResolveRequest(name: "a.example", family: .ipv4), for: SocketWorld.user)
    #expect(resolved.host.addresses.map(\.address.description) == ["198.51.100.1"])
    #expect(world.dns.queries.map(\.type) == [.a])
    await world.stop()
  }

  @Test("A known name names no server, and another user's answer is not known")
  func known() async throws {
    let world = try await SocketWorld.make()
    _ = try await Self.resolve("a.example", in: world)
    let asked = world.dns.queries.count
    #expect(try await Self.resolve("a.example", in: world).servers == nil && world.dns.queries.count == asked)
    let other = try await world.streams.resolve(ResolveRequest(name: "a.example"), for: .init(userID: 1001))
    #expect(other.host.servers != nil && world.dns.queries.count > asked)
    await world.stop()
  }

  @Test("Addresses of this machine are shown with the reason why nothing connects to them")
  func refused() async throws {
    let world = try await SocketWorld.make()
    let host = try await Self.resolve("own.example", in: world)
    #expect(host.addresses.count == 4 && host.addresses.allSatisfy { $0.refusal != nil }, "\(host.addresses)")
    await world.stop()
  }

  @Test("An IPv6-only bearer shows its translator's prefix, and which addresses are made of IPv4 ones")
  func translated() async throws {
    let world = try await SocketWorld.make(sources: [SocketWorld.v6])
    let synthetic = try await Self.resolve("synthetic.example", in: world)
    #expect(synthetic.translationPrefix == "64:ff9b::/96")
    #expect(synthetic.addresses.map(\.isTranslated) == [true] && synthetic.addresses[0].refusal == nil)
    let native = try await Self.resolve("six.example", in: world)
    #expect(native.addresses.map(\.isTranslated) == [false])
    let literal = try await Self.resolve("198.51.100.1", in: world)
    #expect(literal.addresses.map(\.address.description) == ["198.51.100.1"] && literal.servers == nil)
    #expect(literal.addresses[0].refusal == nil)
    await world.stop()
  }

  @Test(
    "Neither this machine's files nor odd spellings of addresses are names",
    arguments: ["localhost", "nowhere.example", "0x7f.1", "2130706433", "a b.example", "", "ümlaut.example", "127.1"])
  func unknown(name: String) async throws {
    let world = try await SocketWorld.make()
    let error = await #expect(throws: StreamError.self) { _ = try await Self.resolve(name, in: world) }
    guard case .notResolved? = error else {
      Issue.record("\(name): \(String(describing: error))")
      return await world.stop()
    }
    // Only what can be a name is asked of anybody, and of the bearer's server alone.
    #expect(world.dns.queries.allSatisfy { $0.name == name })
    await world.stop()
  }

  @Test("Servers that say nothing end the call at its limit")
  func silent() async throws {
    let world = try await SocketWorld.make { _ in [] }
    let error = await #expect(throws: StreamError.self) {
      _ = try await world.streams.resolve(
        ResolveRequest(name: "a.example", limit: .milliseconds(300)), for: SocketWorld.user)
    }
    guard case .notResolved(_, let text)? = error else {
      Issue.record("\(String(describing: error))")
      return await world.stop()
    }
    #expect(text.contains("300"), "\(text)")
    await world.stop()
  }
}

import AuthCore
import HTTPTestSupport
import NIOCore
import NIOPosix
import NetworkAddress
import RedirectChain
import Testing
import Web

@testable import HostHTTP

@Suite("URLs that an answer gave", .serialized, .timeLimit(.minutes(1)))
struct AnsweredURLTests {
  @Test(
    "What no file names does not lead to this machine or its network, whatever its scheme",
    arguments: [
      "http://127.0.0.1:PORT", "https://127.0.0.1:PORT", "http://localhost:PORT", "https://localhost:PORT",
      "https://[::1]:PORT", "https://10.0.0.1", "https://192.168.1.1", "https://169.254.169.254", "https://8.8.8.8",
      "https://router", "https://nas.local", "http://api.example", "https://[::ffff:127.0.0.1]:PORT",
    ])
  func refused(origin: String) async throws {
    let world = try HostWorld.make(cleartextHosts: ["api.example", "127.0.0.1"], configured: { _ in false })
    let server = try await TestServer.start { _ in TestServer.json("{}") }
    let call = try HostWorld.call(origin.replacing("PORT", with: "\(server.port)"))
    guard case .failure(let failure) = try await world.client.send(call) else {
      Issue.record("it was answered")
      return
    }
    #expect(failure.kind == .refused && world.keepsSecret(failure), "\(failure)")
    #expect(server.connections == 0)
    await server.stop()
  }

  @Test("A configured origin is itself alone: neither another port nor another scheme")
  func configured() async throws {
    let server = try await TestServer.start { _ in TestServer.json("{}") }
    let other = try await TestServer.start { _ in TestServer.json("{}") }
    let own = try WebURL("http://127.0.0.1:\(server.port)").origin
    let world = try HostWorld.make(configured: { $0 == own })
    guard case .success = try await world.client.send(HostWorld.call("http://127.0.0.1:\(server.port)")) else {
      Issue.record("the configured one is not called")
      return
    }
    for origin in [
      "http://127.0.0.1:\(other.port)", "http://localhost:\(server.port)", "https://127.0.0.1:\(server.port)",
    ] {
      guard case .failure(let failure) = try await world.client.send(HostWorld.call(origin)) else {
        Issue.record("\(origin) answered")
        continue
      }
      #expect(failure.kind == .refused, "\(failure)")
    }
    #expect(server.connections == 1 && other.connections == 0)
    await server.stop()
    await other.stop()
  }

  @Test("A name that leads to no public address gets no connection")
  func addresses() async throws {
    let server = try await TestServer.start { _ in TestServer.json("{}") }
    let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(AddressGate()) }
    }
    await #expect(throws: ForeignAddress.Refused.self) {
      try await bootstrap.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: server.port)).get()
    }
    // As a name is resolved: each address is an attempt of its own.
    await #expect(throws: NIOConnectionError.self) {
      try await bootstrap.connect(host: "localhost", port: server.port).get()
    }
    #expect(server.connections == 0)
    await server.stop()
  }

  @Test(
    "Addresses that stand for an IPv4 address are what that one is",
    arguments: [
      ("198.51.100.1", true), ("127.0.0.1", false), ("10.1.2.3", false), ("172.16.0.1", false), ("192.168.0.1", false),
      ("100.64.0.1", false), ("169.254.1.1", false), ("0.0.0.0", false), ("224.0.0.1", false),
      ("255.255.255.255", false),
      ("2001:db8::1", true), ("::1", false), ("fe80::1", false), ("fd00::1", false), ("ff02::1", false), ("::", false),
      ("::ffff:127.0.0.1", false), ("::ffff:198.51.100.1", true), ("64:ff9b::7f00:1", false),
      ("64:ff9b::c633:6401", true), ("2002:7f00:1::", false), ("2002:c633:6401::1", true),
      ("2001:0:c000:201::80ff:fffe", false), ("2001:db8::5efe:127.0.0.1", false), ("64:ff9b:1::7f00:1", false),
      ("::198.51.100.1", false),
    ])
  func embedded(text: String, isPublic: Bool) throws {
    #expect(ForeignAddress.isPublic(try #require(IPAddress(text))) == isPublic)
  }
}

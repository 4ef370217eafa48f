import Glibc
import Synchronization
import Testing
import Varlink

@testable import BearerProxy

/// The proxy's port at 127.0.0.1: whose a connection is, and who gets nothing by it.
@Suite("The proxy's loopback port", .timeLimit(.minutes(1)))
struct LoopbackSocketTests {
  /// Users whom the proxy was asked about.
  private final class Asked: Sendable {
    let users = Mutex<Set<UInt32>>([])
  }

  @Test("a program of this user is served, as this user")
  func own() async throws {
    let asked = Asked()
    let isAllowed = { @Sendable (peer: Peer) in asked.users.withLock { _ = $0.insert(peer.userID) } == () }
    try await ProxyWorld.with(isAllowed: isAllowed, loopback: true) { world in
      let client = try LocalClient(port: try #require(world.port))
      defer { client.close() }
      client.send(LocalClient.socks + Array("early".utf8))
      #expect(await client.read(until: Array("EARLY".utf8)) != nil)
      #expect(asked.users.withLock(\.self) == [geteuid()])
    }
  }

  @Test("another user is told no, by his own rights", .enabled(if: geteuid() == 0, "only root makes other users"))
  func other() async throws {
    try await ProxyWorld.with(isAllowed: { $0.userID == 0 }, loopback: true) { world in
      let script = """
        import socket, sys
        s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        s.sendall(b"CONNECT h:1 HTTP/1.1\\r\\n\\r\\n")
        print(s.makefile("rb").readline())
        """
      let port = "\(try #require(world.port))"
      let result = try await Confined.run(
        ["setpriv", "--reuid", "65534", "--clear-groups", "/usr/bin/python3", "-c", script, port])
      #expect(result.output.contains("HTTP/1.1 403 "), "\(result)")
      #expect(world.requests.isEmpty)
    }
  }

  @Test("a client that closed early is nobody, although the kernel lists its socket as root's")
  func closed() throws {
    let listener = try LoopbackSocket.open(port: 0)
    defer { Glibc.close(listener.descriptor) }
    let port = try #require(listener.port)
    let client = try LocalClient(port: port)
    let held = try LocalClient(port: port)
    defer { held.close() }
    client.send(LocalClient.connect)
    client.close()
    var polled = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 5000) == 1)
    let first = accept(listener.descriptor, nil, nil)
    #expect(poll(&polled, 1, 5000) == 1)
    let second = accept(listener.descriptor, nil, nil)
    defer {
      Glibc.close(first)
      Glibc.close(second)
    }
    #expect(LoopbackSocket.peer(of: first) == nil)
    #expect(LoopbackSocket.peer(of: second)?.userID == geteuid())
  }

  @Test("a socket that other machines can reach is refused, with what to write")
  func reachable() throws {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { Glibc.close(descriptor) }
    #expect(listen(descriptor, 1) == 0)
    #expect(LoopbackSocket.isInternet(descriptor))
    let failure = #expect(throws: LoopbackSocket.Failure.self) { try LoopbackSocket(passed: descriptor) }
    #expect(failure?.description.contains("ListenStream=127.0.0.1:PORT") == true)
  }
}

import Glibc
import HTTPTestSupport
import NIOCore
import Testing

@testable import LocalUsers

/// Whose a connection over loopback is.
@Suite("The user of a connection", .timeLimit(.minutes(1)))
struct ConnectionOwnerTests {
  /// Both ends of a connection.
  private struct Pair {
    let listener: CInt
    let client: CInt
    let server: CInt
    let remote: SocketAddress
    let local: SocketAddress

    static func make() throws -> Pair {
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      func check(_ isSo: Bool) throws {
        guard isSo else { throw TestBrowser.Failure(description: String(cString: strerror(errno))) }
      }
      func call(_ body: (UnsafeMutablePointer<sockaddr>) -> Int32) -> Int32 {
        withUnsafeMutablePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) } }
      }
      try check(call { bind(listener, $0, size) } == 0 && listen(listener, 1) == 0)
      var length = size
      try check(call { getsockname(listener, $0, &length) } == 0)
      try check(call { connect(client, $0, size) } == 0)
      let local = SocketAddress(address)
      let server = accept(listener, nil, nil)
      try check(call { getpeername(server, $0, &length) } == 0)
      return Pair(
        listener: listener, client: client, server: server, remote: SocketAddress(address), local: local)
    }

    func close() {
      Glibc.close(server)
      Glibc.close(listener)
    }
  }

  private func failure(_ pair: Pair) throws -> ConnectionOwner.Failure? {
    // The text says the same as the kernel's answer.
    let (own, peer) = (
      try #require(ConnectionOwner.Endpoint(pair.remote)), try #require(ConnectionOwner.Endpoint(pair.local))
    )
    #expect(throws: ConnectionOwner.Failure.notEstablished) { try SocketTable.user(own, peer) }
    do throws(ConnectionOwner.Failure) {
      _ = try ConnectionOwner.user(remote: pair.remote, local: pair.local)
      return nil
    } catch {
      return error
    }
  }

  @Test func `the kernel names the user whose socket it is`() throws {
    let pair = try Pair.make()
    defer { pair.close() }
    #expect(try ConnectionOwner.user(remote: pair.remote, local: pair.local) == geteuid())
    // The other way round it is this end.
    #expect(try ConnectionOwner.user(remote: pair.local, local: pair.remote) == geteuid())
    Glibc.close(pair.client)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to be another user"))
  func `another user's connection is not root's`() throws {
    let pair = try Pair.make()
    defer { pair.close() }
    // The socket's user follows its file's, as if another user had made it (fchown(2), sockfs).
    try #require(fchown(pair.client, 1500, 1500) == 0)
    #expect(try ConnectionOwner.user(remote: pair.remote, local: pair.local) == 1500)
    let (own, peer) = (
      try #require(ConnectionOwner.Endpoint(pair.remote)), try #require(ConnectionOwner.Endpoint(pair.local))
    )
    #expect(try SocketTable.user(own, peer) == 1500)
    Glibc.close(pair.client)
  }

  @Test func `one that is closed already is nobody's, although what it sent can be read`() throws {
    let pair = try Pair.make()
    defer { pair.close() }
    #expect(send(pair.client, "x", 1, 0) == 1)
    Glibc.close(pair.client)
    #expect(try failure(pair) == .notEstablished)
    var byte: UInt8 = 0
    #expect(recv(pair.server, &byte, 1, 0) == 1)
  }

  @Test func `one that will send no more is nobody's either`() throws {
    let pair = try Pair.make()
    defer { pair.close() }
    shutdown(pair.client, Int32(SHUT_WR))
    #expect(try failure(pair) == .notEstablished)
    Glibc.close(pair.client)
  }

  @Test func `an address without a connection, and one of another kind, are nobody's`() throws {
    let pair = try Pair.make()
    defer { pair.close() }
    let other = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
    let path = try SocketAddress(unixDomainSocketPath: "/x")
    for (remote, local) in [
      (other, pair.local), (path, pair.local), (try SocketAddress(ipAddress: "::1", port: 1), pair.local),
    ] {
      #expect(throws: ConnectionOwner.Failure.notEstablished) {
        try ConnectionOwner.user(remote: remote, local: local)
      }
    }
    Glibc.close(pair.client)
  }

  @Test(arguments: [
    ("  1: 0100007F:F219 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1500        0 4711 1 x", 1500),
    ("  1: 0100007F:F219 0100007F:9C40 06 00000000:00000000 03:00000000 00000000     0        0 0 3 x", nil),
    ("  1: 0100007F:F219 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 0 1 x", nil),
    ("  1: 0100007F:9C40 0100007F:F219 01 00000000:00000000 00:00000000 00000000     0        0 4711 1 x", nil),
    ("  1: 0100007F:F219 0100007F:9C40 01", nil), ("", nil),
  ])
  func `a line of the kernel's list names a user while the socket is established`(_ line: String, _ user: UInt32?) {
    #expect(SocketTable.user(in: line, "0100007F:F219 0100007F:9C40") == user)
  }

  @Test func `addresses are written as the kernel's list has them`() throws {
    let v4 = try #require(ConnectionOwner.Endpoint(SocketAddress(ipAddress: "127.0.0.1", port: 61_977)))
    #expect(SocketTable.text(v4, false) == "0100007F:F219")
    #expect(SocketTable.text(v4, true) == "0000000000000000FFFF00000100007F:F219")
    let v6 = try #require(ConnectionOwner.Endpoint(SocketAddress(ipAddress: "::1", port: 80)))
    #expect(SocketTable.text(v6, false) == "00000000000000000000000001000000:0050")
  }
}

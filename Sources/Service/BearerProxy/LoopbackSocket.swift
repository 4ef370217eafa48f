import CLinux
import Glibc
import LocalUsers
import NIOCore
import Varlink

/// A TCP socket of the proxy on a loopback address, for programs that know a proxy by host and port
/// alone.
///
/// TCP has no SO_PEERCRED. The kernel names the owner of the client's socket while that is
/// established and somebody holds it. Of one that is closed already the kernel says user 0,
/// although what it sent can still be read: such a client is refused. Web pages cannot speak
/// through this socket: a browser sends no CONNECT for them, and nothing that begins with SOCKS's
/// version.
package struct LoopbackSocket: Sendable {
  /// Why a socket cannot be used.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  let descriptor: CInt

  /// Listens at 127.0.0.1.
  ///
  /// - Parameter port: 1 to 65535; 0 for any, in tests.
  /// - Throws: `Failure` if the port is taken.
  package static func open(port: UInt16) throws(Failure) -> LoopbackSocket {
    let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw failure("no socket could be made for the proxy") }
    var one: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isBound, listen(descriptor, 1024) == 0 else {
      let failure = failure("the proxy cannot listen at 127.0.0.1:\(port)")
      close(descriptor)
      throw failure
    }
    return LoopbackSocket(descriptor: descriptor)
  }

  private init(descriptor: CInt) { self.descriptor = descriptor }

  /// A socket that listens already, as systemd passes one.
  ///
  /// - Throws: `Failure` if it can be reached from outside this machine.
  package init(passed descriptor: CInt) throws(Failure) {
    guard let address = Self.address(of: descriptor, getsockname) else {
      throw Self.failure("the proxy's socket that was passed cannot be used")
    }
    guard Self.isLoopback(address) else {
      throw Failure(
        description: "the proxy's socket at \(address) can be reached from other machines, whose users nobody "
          + "knows: write ListenStream=127.0.0.1:PORT in the unit")
    }
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else {
      throw Self.failure("the proxy's socket that was passed cannot be used")
    }
    self.descriptor = descriptor
  }

  /// The port at which it listens.
  package var port: Int? { Self.address(of: descriptor, getsockname)?.port }

  /// Whether a socket is one of TCP and not one of the file system.
  package static func isInternet(_ descriptor: CInt) -> Bool {
    var domain: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 else { return false }
    return domain == AF_INET || domain == AF_INET6
  }

  /// The user of an accepted connection, with his groups; nil if the kernel names none. The process
  /// is not known.
  static func peer(of descriptor: CInt) -> Peer? {
    guard let remote = address(of: descriptor, getpeername), let local = address(of: descriptor, getsockname),
      let user = try? ConnectionOwner.user(remote: remote, local: local)
    else { return nil }
    return Peer(processID: 0, userID: user, groupIDs: UserGroups.of(user))
  }

  static func isLoopback(_ address: SocketAddress) -> Bool {
    switch address {
    case .v4(let v4): UInt32(bigEndian: v4.address.sin_addr.s_addr) >> 24 == 127
    case .v6(let v6): withUnsafeBytes(of: v6.address.sin6_addr) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    case .unixDomainSocket: false
    }
  }

  private static func address(
    of descriptor: CInt, _ ask: (CInt, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
  ) -> SocketAddress? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      let isKnown = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(descriptor, $0, &size) == 0 }
      guard isKnown else { return nil }
      switch CInt(pointer.pointee.ss_family) {
      case AF_INET:
        return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) }
      case AF_INET6:
        return pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) }
      default: return nil
      }
    }
  }

  private static func failure(_ text: String) -> Failure {
    Failure(description: "\(text): \(String(cString: strerror(errno)))")
  }
}

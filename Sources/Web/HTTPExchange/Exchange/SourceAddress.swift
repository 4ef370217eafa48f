import Glibc
import NIOCore
import NetworkAddress

/// The addresses that sockets send from. The kernel is asked, without netlink, and nothing is sent.
package enum SourceAddress {
  /// The address that a socket sends from; nil if it has none.
  package static func of(_ descriptor: Int32) -> IPAddress? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let bytes = withUnsafeMutableBytes(of: &storage) { bytes -> [UInt8]? in
      guard let base = bytes.baseAddress,
        getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &size) == 0
      else { return nil }
      switch Int32(base.assumingMemoryBound(to: sockaddr.self).pointee.sa_family) {
      case AF_INET:
        return withUnsafeBytes(of: base.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_addr) { Array($0) }
      case AF_INET6:
        return withUnsafeBytes(of: base.assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_addr) { Array($0) }
      default: return nil
      }
    }
    return bytes.flatMap { IPAddress(bytes: $0) }
  }

  /// The address that the machine would send from to another one, by its routes of this moment; nil
  /// if it has no route.
  ///
  /// The socket that asks is not bound to an interface, so that the routes of all interfaces count.
  package static func toward(_ target: SocketAddress) -> IPAddress? {
    let family =
      switch target {
      case .v4: AF_INET
      case .v6: AF_INET6
      case .unixDomainSocket: AF_UNIX
      }
    guard family != AF_UNIX else { return nil }
    let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard target.withSockAddr({ pointer, size in connect(descriptor, pointer, socklen_t(size)) }) == 0 else {
      return nil
    }
    return of(descriptor)
  }
}

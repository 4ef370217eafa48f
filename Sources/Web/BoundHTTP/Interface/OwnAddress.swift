import Glibc
import NIOCore
import NetworkAddress

/// Finds out whether an address belongs to this machine by asking the kernel for a route, without
/// netlink.
enum OwnAddress {
  /// Whether an address belongs to an interface of this machine. The kernel would then use the
  /// address itself as the source.
  ///
  /// The socket is not bound to an interface, so that the routes of all interfaces count. It sends
  /// nothing.
  static func isOwn(_ address: IPAddress) -> Bool {
    let family = address.isIPv4 ? AF_INET : AF_INET6
    let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0, let target = try? SocketAddress(address, port: 9) else { return false }
    defer { close(descriptor) }
    // An address without a route does not belong to this machine: its own addresses need no route.
    guard target.withSockAddr({ pointer, size in connect(descriptor, pointer, socklen_t(size)) }) == 0 else {
      return false
    }
    return source(of: descriptor) == address.bytes
  }

  /// The address that a socket sends from; nil if it has none.
  static func source(of descriptor: Int32) -> [UInt8]? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes -> [UInt8]? in
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
  }
}

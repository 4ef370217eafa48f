import Glibc
import NIOCore
import NetworkAddress

/// Tells the addresses of this machine's own interfaces from others, by asking the kernel for a route, without netlink.
enum OwnAddress {
  /// Whether an address belongs to an interface of this machine: then the kernel would send to it from itself.
  ///
  /// The socket is bound to no interface, for the routes of all are asked, and nothing is sent from it.
  static func isOwn(_ address: IPAddress) -> Bool {
    let family = address.isIPv4 ? AF_INET : AF_INET6
    let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0, let target = try? SocketAddress(address, port: 9) else { return false }
    defer { close(descriptor) }
    // Without a route it cannot be this machine's: its own need none.
    guard target.withSockAddr({ pointer, size in connect(descriptor, pointer, socklen_t(size)) }) == 0 else {
      return false
    }
    return source(of: descriptor) == address.bytes
  }

  private static func source(of descriptor: Int32) -> [UInt8]? {
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

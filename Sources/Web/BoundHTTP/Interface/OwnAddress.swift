import HTTPExchange
import NIOCore
import NetworkAddress

/// Finds out whether an address belongs to this machine by asking the kernel for a route, without
/// netlink.
enum OwnAddress {
  /// Whether an address belongs to an interface of this machine. The kernel would then use the
  /// address itself as the source. An address without a route does not belong to this machine: its
  /// own addresses need no route.
  static func isOwn(_ address: IPAddress) -> Bool {
    guard let target = try? SocketAddress(address, port: 9) else { return false }
    return SourceAddress.toward(target) == address
  }
}

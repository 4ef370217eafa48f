import Glibc
import NetworkAddress
import NIOCore

/// Asks the kernel, without sending anything, whether a bound socket could reach an address.
enum RouteProbe {
  /// SO_BINDTOIFINDEX (asm-generic/socket.h): binds a socket to one device, not to a name that
  /// another device may take.
  static let bindToInterfaceIndex: Int32 = 62

  /// Connects a datagram socket. The kernel looks up the route and sends no packet.
  ///
  /// - Throws: `BoundHTTPError` `interfaceLost` or `noRoute`.
  static func check(_ address: IPAddress, over interface: BoundInterface) throws(BoundHTTPError) {
    try interface.verify()
    let family = address.isIPv4 ? AF_INET : AF_INET6
    let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw failure(errno, address, interface) }
    defer { close(descriptor) }
    var index = interface.index
    guard
      setsockopt(descriptor, SOL_SOCKET, bindToInterfaceIndex, &index, socklen_t(MemoryLayout<Int32>.size)) == 0
    else { throw failure(errno, address, interface) }
    // Any port: nothing is sent.
    guard let target = try? SocketAddress(address, port: 9) else {
      throw BoundHTTPError(.badAddress, "an address of the name cannot be used for a socket")
    }
    let result = target.withSockAddr { pointer, size in connect(descriptor, pointer, socklen_t(size)) }
    guard result == 0 else { throw failure(errno, address, interface) }
  }

  private static func failure(_ code: Int32, _ address: IPAddress, _ interface: BoundInterface) -> BoundHTTPError {
    let reason = String(cString: strerror(code))
    return switch code {
    case ENODEV, ENXIO, ENETDOWN:
      BoundHTTPError(
        .interfaceLost, "interface \(interface.name) cannot be used; connect the bearer again", cause: reason)
    default:
      BoundHTTPError(
        .noRoute,
        "interface \(interface.name) has no \(address.isIPv4 ? "IPv4" : "IPv6") route; connect the bearer again",
        cause: reason)
    }
  }
}

extension SocketAddress {
  /// A socket address without asking any resolver.
  init(_ address: IPAddress, port: Int) throws {
    try self.init(packedIPAddress: ByteBuffer(bytes: address.bytes), port: port)
  }
}

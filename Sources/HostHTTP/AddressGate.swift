import NIOCore
import NetworkAddress

/// Which addresses a call may reach whose URL an answer gave.
enum ForeignAddress {
  /// An address that is no server's on the Internet was given for a public name.
  struct Refused: Error {
    let address: IPAddress
  }

  /// Whether an address is one of the Internet. Those that stand for an IPv4 address, behind a translator (RFC 6052), in a tunnel (RFC 3056) or mapped,
  /// are what that one is.
  static func isPublic(_ address: IPAddress) -> Bool {
    guard case .v6(let v6) = address, let inner = embedded(in: v6) else { return address.isPublic }
    return IPAddress.v4(inner).isPublic
  }

  private static func embedded(in address: IPv6Address) -> IPv4Address? {
    if let mapped = address.mappedIPv4 { return mapped }
    if address.high >> 48 == 0x2002 { return IPv4Address(number: UInt32(truncatingIfNeeded: address.high >> 16)) }
    let isTranslated = address.high == 0x0064_ff9b_0000_0000 && address.low >> 32 == 0
    return isTranslated ? IPv4Address(number: UInt32(truncatingIfNeeded: address.low)) : nil
  }
}

/// Lets no connection begin to an address that is not public. It stands where every address of a name passes, behind the resolver and before the
/// socket, so that a name cannot be one address when it is looked at and another when it is called.
final class AddressGate: ChannelOutboundHandler {
  typealias OutboundIn = Never

  func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
    guard let text = address.ipAddress, let target = IPAddress(text.prefix { $0 != "%" }) else {
      promise?.fail(ChannelError.inappropriateOperationForState)
      return
    }
    guard ForeignAddress.isPublic(target) else {
      promise?.fail(ForeignAddress.Refused(address: target))
      return
    }
    context.connect(to: address, promise: promise)
  }
}

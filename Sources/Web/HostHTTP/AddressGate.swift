import NIOCore
import NetworkAddress

/// Decides which addresses a call may reach if its URL came from an answer.
enum ForeignAddress {
  /// A public name resolved to an address that is not public.
  struct Refused: Error {
    let address: IPAddress
  }

  /// Whether an address is public. An address that stands for an IPv4 address, in any form, is not
  /// public if the IPv4 address is not. Behind the well-known translator (RFC 6052), it is public
  /// if the IPv4 address is.
  static func isPublic(_ address: IPAddress) -> Bool {
    guard case .v6(let v6) = address, case let embedded = v6.embeddedIPv4, !embedded.isEmpty else {
      return address.isPublic
    }
    let isTranslated = v6.high == 0x0064_ff9b_0000_0000
    return embedded.allSatisfy { IPAddress.v4($0).isPublic } && (isTranslated || address.isPublic)
  }
}

/// Stops connections to addresses that are not public. It sees every resolved address, after the
/// resolver and before the socket, so a name cannot have one address when it is checked and another
/// when it is called.
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

import NIOCore
import NetworkAddress

/// Which addresses a call may reach whose URL an answer gave.
enum ForeignAddress {
  /// An address that is no server's on the Internet was given for a public name.
  struct Refused: Error {
    let address: IPAddress
  }

  /// Whether an address is one of the Internet. One that stands for an IPv4 address, in whatever form, is none where that one is
  /// none; behind the well-known translator (RFC 6052) it is one where that one is.
  static func isPublic(_ address: IPAddress) -> Bool {
    guard case .v6(let v6) = address, case let embedded = v6.embeddedIPv4, !embedded.isEmpty else {
      return address.isPublic
    }
    let isTranslated = v6.high == 0x0064_ff9b_0000_0000
    return embedded.allSatisfy { IPAddress.v4($0).isPublic } && (isTranslated || address.isPublic)
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

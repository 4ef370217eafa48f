import HTTPExchange
import LimitClock
import NIOCore
import NetworkAddress

/// An open connection whose server has proved by TLS that it is the origin's host.
struct KeptConnection: Sendable {
  let channel: any Channel
  let handler: ExchangeHandler
  /// By the clock that also advances while the machine sleeps.
  let opened: LimitClock.Instant

  /// Whether the machine would still reach the server from the address that the connection has. A
  /// changed uplink, a new VPN and a lost address are all seen by it.
  ///
  /// A network with other routes but the same addresses is not seen. The connection then fails.
  var isOnTheMachinesRoute: Bool {
    guard let own = channel.localAddress?.ipAddress.flatMap({ IPAddress($0.prefix { $0 != "%" }) }),
      let remote = channel.remoteAddress
    else { return false }
    return SourceAddress.toward(remote) == own
  }
}

import AuthCore
import NetworkAddress

/// An application's server with the server-side library.
package struct MobileConnectAppServer: Hashable, Sendable {
  /// The base URL of `start_discovery` and `start_discovery_manually`.
  package var root: Endpoint
  /// Whether the server has the operator's endpoints itself: `start_discovery_manually`.
  package var isManual = false
  /// Whether to send the bearer's address, if it is public.
  package var sendsAddress = false
  /// Sent in its place.
  package var sourceAddress: IPAddress?
  /// Whether to send the SIM's number, if it is known.
  package var sendsNumber = true
  /// `Client-Side-Version`
  package var clientVersion: String

  package init(root: Endpoint, clientVersion: String) {
    self.root = root
    self.clientVersion = clientVersion
  }
}

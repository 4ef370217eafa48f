import AuthCore
import NetworkAddress

/// An application's server with the server-side library.
public struct MobileConnectAppServer: Hashable, Sendable {
  /// The base URL of `start_discovery` and `start_discovery_manually`.
  public var root: Endpoint
  /// Whether the server has the operator's endpoints itself: `start_discovery_manually`.
  public var isManual = false
  /// Whether to send the bearer's address, if it is public.
  public var sendsAddress = false
  /// Sent in its place.
  public var sourceAddress: IPAddress?
  /// Whether to send the SIM's number, if it is known.
  public var sendsNumber = true
  /// `Client-Side-Version`
  public var clientVersion: String

  public init(root: Endpoint, clientVersion: String) {
    self.root = root
    self.clientVersion = clientVersion
  }
}

import AuthCore
import NetworkAddress

/// The server of an application that has the server-side library.
public struct MobileConnectAppServer: Hashable, Sendable {
  /// Under this are `start_discovery` and `start_discovery_manually`.
  public var root: Endpoint
  /// Whether the server has the operator's endpoints itself: `start_discovery_manually`.
  public var isManual = false
  /// Whether the bearer's address is sent, as far as it is public.
  public var sendsAddress = false
  /// Sent in its place.
  public var sourceAddress: IPAddress?
  /// Whether the SIM's number is sent where it is known.
  public var sendsNumber = true
  /// `Client-Side-Version`
  public var clientVersion: String

  public init(root: Endpoint, clientVersion: String) {
    self.root = root
    self.clientVersion = clientVersion
  }
}

import AuthCore

/// An application's backend that reports SIM changes, with the path `/sim-check` of tru.ID's dev
/// server, as configured in a provider's file.
public struct SIMCheckBackend: Hashable, Sendable {
  /// What the path is below.
  public var endpoint: Endpoint
  public var user: String?
  public var password: Secret?
  public var route: BackendRoute

  public init(_ endpoint: Endpoint, user: String? = nil, password: Secret? = nil, route: BackendRoute = .host) {
    self.endpoint = endpoint
    self.user = user
    self.password = password
    self.route = route
  }
}

import AuthCore

/// The backend of an application that tells of SIM changes, with tru.ID's dev server's path `/sim-check`: what a provider's file names
/// of it.
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

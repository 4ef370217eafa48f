import AuthCore

/// An application's backend that reports SIM changes, with the path `/sim-check` of tru.ID's dev
/// server, as configured in a provider's file.
package struct SIMCheckBackend: Hashable, Sendable {
  /// What the path is below.
  package var endpoint: Endpoint
  package var user: String?
  package var password: Secret?
  package var route: BackendRoute
  /// Whether it is told of the trace of a call.
  package var isTraced = false

  package init(_ endpoint: Endpoint, user: String? = nil, password: Secret? = nil, route: BackendRoute = .host) {
    self.endpoint = endpoint
    self.user = user
    self.password = password
    self.route = route
  }
}

import AuthCore

/// Where tru.ID stores its customers' data, which determines the host. Everything else about its
/// hosts is configured, because the service has moved before.
package enum TruIDResidency: String, Hashable, Sendable, CaseIterable {
  case eu, `in`, us

  /// The API's base URL, from tru.ID's public documents of July 2023.
  package var endpoint: Endpoint {
    switch self {
    case .eu: Endpoint(https: "eu.api.tru.id")
    case .in: Endpoint(https: "in.api.tru.id")
    case .us: Endpoint(https: "us.api.tru.id")
    }
  }

  /// Domains of check URLs, if the configuration names none.
  package static let checkDomains: Set<String> = ["api.tru.id"]
}

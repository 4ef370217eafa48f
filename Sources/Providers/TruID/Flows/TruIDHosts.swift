import AuthCore

/// Where tru.ID keeps its customers' data, and so which host serves them. All else about its hosts is configuration: the service has
/// moved before.
public enum TruIDResidency: String, Hashable, Sendable, CaseIterable {
  case eu, `in`, us

  /// The API's base URL by tru.ID's public documents of July 2023.
  public var endpoint: Endpoint {
    switch self {
    case .eu: Endpoint(https: "eu.api.tru.id")
    case .in: Endpoint(https: "in.api.tru.id")
    case .us: Endpoint(https: "us.api.tru.id")
    }
  }

  /// Domains in which check URLs are, where the configuration names none.
  public static let checkDomains: Set<String> = ["api.tru.id"]
}

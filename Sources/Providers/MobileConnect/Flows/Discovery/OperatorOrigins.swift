import AuthCore
import RedirectChain
import Web

/// Where an operator's endpoints may be, by who names them.
///
/// A discovery service knows operators, which are at domains of their own: it may name any public https host, or with `operatorDomains` one of those. An
/// operator's metadata, and what is below an issuer, stay on the sites that were named before, the configured ones and `operatorDomains`: who answers at
/// one host of an operator leads nobody elsewhere.
struct OperatorOrigins: Hashable, Sendable {
  /// Of the configuration: the discovery service, endpoints or the issuer.
  private let configured: [WebURL]
  /// Empty for any.
  private let domains: Set<String>

  init(_ settings: MobileConnectSettings) {
    configured = settings.configuredURLs
    domains = settings.operatorDomains
  }

  init(configured: [WebURL] = [], domains: Set<String> = []) {
    self.configured = configured
    self.domains = domains
  }

  /// A link of the discovery service's.
  func link(_ text: String) throws(AnsweredURL.Fault) -> AnsweredURL {
    let own = TrustedOrigins(configured, domains: domains).withSites(of: configured)
    guard domains.isEmpty else { return try AnsweredURL(text, within: own) }
    if let url = try? AnsweredURL(text, within: own) { return url }
    return try AnsweredURL(ofAnybody: text)
  }

  /// Whose endpoints an operator's metadata may name.
  func metadata(of found: MobileConnectOperator) -> TrustedOrigins {
    let named = configured + found.endpoints.values + [found.issuer.flatMap { try? link($0).url }].compactMap(\.self)
    return TrustedOrigins(configured, domains: domains).withSites(of: named)
  }
}

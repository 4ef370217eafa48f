import AuthCore
import RedirectChain
import Web

/// The allowed places of an operator's endpoints, depending on who names them.
///
/// A discovery service knows operators, which have their own domains. It may name any public https
/// host or, with `operatorDomains`, only hosts in those. An operator's metadata, and everything
/// below an issuer, must stay on the sites named before, the configured ones and `operatorDomains`.
/// Whoever controls one host of an operator can therefore not redirect to other places.
struct OperatorOrigins: Hashable, Sendable {
  /// From the configuration: the discovery service, endpoints or the issuer.
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

  /// A link from the discovery service.
  func link(_ text: String) throws(AnsweredURL.Fault) -> AnsweredURL {
    let own = TrustedOrigins(configured, domains: domains).withSites(of: configured)
    guard domains.isEmpty else { return try AnsweredURL(text, within: own) }
    if let url = try? AnsweredURL(text, within: own) { return url }
    return try AnsweredURL(ofAnybody: text)
  }

  /// The origins whose endpoints an operator's metadata may name.
  func metadata(of found: MobileConnectOperator) -> TrustedOrigins {
    let named = configured + found.endpoints.values + [found.issuer.flatMap { try? link($0).url }].compactMap(\.self)
    return TrustedOrigins(configured, domains: domains).withSites(of: named)
  }
}

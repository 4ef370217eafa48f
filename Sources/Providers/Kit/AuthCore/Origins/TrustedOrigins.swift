import RedirectChain
import Web

/// The trusted origins of a provider's protocol: those that the configuration names, and others
/// that belong to the provider.
///
/// A configured origin counts exactly as written, even in cleartext or on this machine: only an
/// administrator can decide that, and no answer can. Other origins only count with https, at the
/// port of https or of a configured https origin, and never by address.
package struct TrustedOrigins: Hashable, Sendable {
  private var configured: Set<WebURL.Origin>
  private var domains: Set<String>
  private var sites: Set<WebURL> = []

  /// - Parameters:
  ///   - urls: as configured.
  ///   - domains: including their subdomains, in any case. Domains under which unrelated parties
  ///     register names are ignored.
  package init(_ urls: [WebURL], domains: Set<String> = []) {
    configured = Set(urls.map(\.origin))
    self.domains = Set(domains.map { $0.lowercased() }.filter { !WebURL.isSharedDomain($0) })
  }

  /// The origin of one configured URL, and no other.
  package init(_ url: WebURL) { self.init([url]) }

  /// Adds all hosts under the registered names of these URLs' hosts.
  package func withSites(of urls: [WebURL]) -> TrustedOrigins {
    var more = self
    more.sites.formUnion(urls.filter { $0.scheme == .https })
    return more
  }

  /// Whether an origin is trusted.
  package func contains(_ origin: WebURL.Origin) -> Bool {
    if configured.contains(origin) { return true }
    guard let url = WebURL(secure: origin), url.address == nil, ports.contains(origin.port) else { return false }
    return domains.contains { origin.host == $0 || origin.host.hasSuffix(".\($0)") }
      || sites.contains { $0.isOnSite(of: url) }
  }

  /// Whether exactly this origin is configured.
  func isConfigured(_ origin: WebURL.Origin) -> Bool { configured.contains(origin) }

  private var ports: Set<Int> {
    Set(configured.filter { $0.scheme == .https }.map(\.port)).union(sites.map(\.port))
      .union([WebURL.Scheme.https.defaultPort])
  }
}

extension WebURL {
  /// The registered domain of an https origin; nil for cleartext.
  fileprivate init?(secure origin: Origin) {
    guard origin.scheme == .https else { return nil }
    let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
    guard let url = try? WebURL("https://\(host):\(origin.port)/") else { return nil }
    self = url
  }
}

import RedirectChain
import Web

/// Whose word counts in a provider's protocol: the origins that the configuration names, and what is of the provider besides.
///
/// A configured origin counts as it is written, also one in clear or on this machine: an administrator said so, and nothing that an answer says can.
/// What is beside them counts by https alone, at the port of https or one of the configured https origins, and never by an address.
public struct TrustedOrigins: Hashable, Sendable {
  private var configured: Set<WebURL.Origin>
  private var domains: Set<String>
  private var sites: Set<WebURL> = []

  /// - Parameters:
  ///   - urls: as configured.
  ///   - domains: each with the names below it, in any case. Those under which strangers register names count for nothing.
  public init(_ urls: [WebURL], domains: Set<String> = []) {
    configured = Set(urls.map(\.origin))
    self.domains = Set(domains.map { $0.lowercased() }.filter { !WebURL.isSharedDomain($0) })
  }

  /// The origin of one configured URL, and no other.
  public init(_ url: WebURL) { self.init([url]) }

  /// With all hosts under the registered names of these URLs' hosts.
  public func withSites(of urls: [WebURL]) -> TrustedOrigins {
    var more = self
    more.sites.formUnion(urls.filter { $0.scheme == .https })
    return more
  }

  /// Whether the word of an origin counts.
  public func contains(_ origin: WebURL.Origin) -> Bool {
    if configured.contains(origin) { return true }
    guard let url = WebURL(secure: origin), url.address == nil, ports.contains(origin.port) else { return false }
    return domains.contains { origin.host == $0 || origin.host.hasSuffix(".\($0)") }
      || sites.contains { $0.isOnSite(of: url) }
  }

  /// Whether an origin is configured, as it is.
  func isConfigured(_ origin: WebURL.Origin) -> Bool { configured.contains(origin) }

  private var ports: Set<Int> {
    Set(configured.filter { $0.scheme == .https }.map(\.port)).union(sites.map(\.port))
      .union([WebURL.Scheme.https.defaultPort])
  }
}

extension WebURL {
  /// The top of an https origin; nil for one in clear.
  fileprivate init?(secure origin: Origin) {
    guard origin.scheme == .https else { return nil }
    let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
    guard let url = try? WebURL("https://\(host):\(origin.port)/") else { return nil }
    self = url
  }
}

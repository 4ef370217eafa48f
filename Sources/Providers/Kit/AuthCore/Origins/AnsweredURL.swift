import RedirectChain
import Web

/// A URL from an answer that may be called: https, at a public name, and the provider's own. Flows
/// make URLs from an answer's text only here (a test reads the sources), so that no answer directs
/// a call and its credentials to this machine, its network or a stranger.
///
/// A configured URL needs none of these checks, and an answer may name a configured origin again.
package struct AnsweredURL: Hashable, Sendable {
  /// Why an answer's URL is not called.
  package enum Fault: Error, Hashable, Sendable {
    /// It is not a URL that can be fetched.
    case malformed
    /// It is not https.
    case inClear(host: String)
    /// An address, `localhost` or a name of a local network.
    case notPublic(host: String)
    /// Neither configured nor in the provider's domains.
    case stranger(host: String)
  }

  package let url: WebURL

  /// Reads a URL that must belong to the provider.
  ///
  /// - Throws: `Fault`.
  package init(_ text: String, within provider: TrustedOrigins) throws(Fault) {
    url = try Self.read(text)
    if provider.isConfigured(url.origin) { return }
    try Self.checkPublic(url)
    guard provider.contains(url.origin) else { throw .stranger(host: url.host) }
  }

  /// Reads a URL that may belong to anybody, as an operator's from a discovery service.
  ///
  /// - Throws: `Fault`.
  package init(ofAnybody text: String) throws(Fault) {
    url = try Self.read(text)
    try Self.checkPublic(url)
  }

  /// The URL as a base for other URLs.
  ///
  /// - Throws: `Fault` `malformed` for a URL with a query.
  package func endpoint() throws(Fault) -> Endpoint {
    guard let endpoint = try? Endpoint(url.text) else { throw .malformed }
    return endpoint
  }

  private static func read(_ text: String) throws(Fault) -> WebURL {
    guard let url = try? WebURL(text) else { throw .malformed }
    return url
  }

  private static func checkPublic(_ url: WebURL) throws(Fault) {
    guard url.scheme == .https else { throw .inClear(host: url.host) }
    guard url.hasPublicName else { throw .notPublic(host: url.host) }
  }
}

extension AnsweredURL.Fault {
  /// Nil where there is none.
  package var host: String? {
    switch self {
    case .malformed: nil
    case .inClear(let host), .notPublic(let host), .stranger(let host): host
    }
  }
}

extension AnsweredURL.Fault: CustomStringConvertible {
  /// One clause that only names the host.
  package var description: String {
    switch self {
    case .malformed: "what is no URL"
    case .inClear(let host): "\(host) in clear, where only https is followed"
    case .notPublic(let host): "\(host), which is no public name"
    case .stranger(let host): "\(host), which is none of the provider's"
    }
  }
}

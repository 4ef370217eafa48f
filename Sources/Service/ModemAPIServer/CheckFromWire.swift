import ModemAPI
import RedirectChain
import Varlink
import Web

extension ChainRequest {
  /// Reads the options of a call, each within its range.
  init(_ parameters: CheckInterface.Open.Parameters) throws {
    let url = try Self.start(parameters.url)
    let redirectURI: RedirectURI?
    do {
      // Its own error names the redirect URI.
      redirectURI = try parameters.redirectURI.map { text throws(WebURL.Invalid) in try RedirectURI(text) }
    } catch {
      throw VarlinkError(CheckInterface.InvalidURL(reason: "\(error)"))
    }
    var policy = ChainPolicy()
    if let redirects = parameters.maxRedirects {
      guard (0...50).contains(redirects) else { throw Self.invalid("maxRedirects", "0 to 50") }
      policy.maximumRedirects = redirects
    }
    if let time = parameters.timeoutMilliseconds {
      guard (1...300_000).contains(time) else { throw Self.invalid("timeoutMilliseconds", "1 to 300000") }
      policy.totalTime = .milliseconds(time)
    }
    if parameters.tlsAtMost == .tls12 { policy.newestTLS = .tls12 }
    policy.learnsOrigins = parameters.learn ?? true
    self.init(
      url: url, method: try Self.method(parameters), redirectURI: redirectURI, state: parameters.state,
      headers: try (parameters.headers ?? [:]).sorted { $0.key < $1.key }.map(Self.header), policy: policy)
  }

  /// Reads the start URL of a chain.
  static func start(_ text: String) throws -> WebURL {
    let url: WebURL
    do {
      url = try WebURL(text)
    } catch {
      throw VarlinkError(CheckInterface.InvalidURL(reason: "\(error)"))
    }
    guard url.scheme == .https else {
      throw VarlinkError(
        CheckInterface.InvalidURL(
          reason: "a check URL must be https; cleartext is allowed only for hops after the first"))
    }
    return url
  }

  private static func header(_ field: (key: String, value: String)) throws -> WebHeader {
    let header = WebHeader(name: field.key, value: field.value)
    guard header.hasValidName, !header.isReserved else {
      let name = header.hasValidName ? "; \(header.name) is not one" : ""
      throw invalid("headers", "names of RFC 9110 that are not the connection's own\(name)")
    }
    guard header.hasValidValue else { throw invalid("headers", "values without control characters") }
    return header
  }

  static func invalid(_ option: String, _ expected: String) -> VarlinkError {
    VarlinkError(CheckInterface.InvalidOption(option: option, expected: expected))
  }
}

import Web

/// The registered URI at which a chain ends without fetching it (RFC 6749, 3.1.2). Its scheme is
/// https or a custom one.
public struct RedirectURI: Hashable, Sendable {
  private let scheme: String
  private let authority: String?
  private let path: String

  /// Reads an absolute URI; the query and fragment do not count.
  ///
  /// - Throws: `WebURL.Invalid` if it has no scheme or holds control characters, or if it is http
  ///   or https without a host that an answer could name.
  public init(_ text: String) throws(WebURL.Invalid) {
    let reference = try Self.reference(text)
    guard let scheme = reference.scheme else {
      throw WebURL.Invalid(description: "the redirect URI has no scheme: expected scheme://… or scheme:/…")
    }
    self.init(reference, scheme)
  }

  /// A URL as the redirect URI; every URL is a URI.
  public init(_ url: WebURL) { self.init(URLReference(url.text), url.scheme.rawValue) }

  /// - Throws: `WebURL.Invalid`, which names the redirect URI.
  private static func reference(_ text: String) throws(WebURL.Invalid) -> URLReference {
    do {
      let reference = URLReference(try WebURL.cleaned(text))
      guard let scheme = reference.scheme?.lowercased(), WebURL.Scheme(rawValue: scheme) != nil else {
        return reference
      }
      guard reference.authority?.isEmpty == false else {
        throw WebURL.Invalid(description: "it has no host: expected \(scheme)://host/path")
      }
      _ = try WebURL(reference)
      return reference
    } catch {
      throw WebURL.Invalid(description: "the redirect URI can never be reached: \(error)")
    }
  }

  private init(_ reference: URLReference, _ scheme: String) {
    let scheme = scheme.lowercased()
    self.scheme = scheme
    authority = reference.authority.map { Self.normalised($0, scheme) }
    path = reference.path.isEmpty ? "/" : reference.path
  }

  private static func normalised(_ authority: String, _ scheme: String) -> String {
    let lowered = authority.lowercased()
    guard let web = WebURL.Scheme(rawValue: scheme) else { return lowered }
    for suffix in [":\(web.defaultPort)", ":"] where lowered.hasSuffix(suffix) {
      return String(lowered.dropLast(suffix.count))
    }
    return lowered
  }

  /// Whether a target is this URI. Scheme, authority and path are compared; query and fragment are
  /// its parameters.
  public func matches(_ target: LocationTarget) -> Bool {
    let text: String =
      switch target {
      case .web(let url): url.text
      case .other(_, let uri): uri
      }
    let reference = URLReference(text)
    guard let scheme = reference.scheme else { return false }
    return RedirectURI(reference, scheme) == self
  }

  /// The decoded parameters in a URI's query and fragment. The first of several values counts.
  public static func parameters(of uri: String) -> [String: String] {
    Dictionary(pairs(of: uri), uniquingKeysWith: { first, _ in first })
  }

  /// Every value of a parameter, in the query and the fragment. Each value of a parameter that is
  /// checked must be right.
  public static func values(of name: String, in uri: String) -> [String] {
    pairs(of: uri).filter { $0.0 == name }.map(\.1)
  }

  /// The first of the given parameters that appears more than once. The next reader of such a URI
  /// may take the other value (RFC 6749, 3.1).
  public static func doubled(_ names: [String], in uri: String) -> String? {
    names.first { values(of: $0, in: uri).count > 1 }
  }

  private static func pairs(of uri: String) -> [(String, String)] {
    let reference = URLReference(uri)
    return [reference.query, reference.fragment].compactMap(\.self).flatMap { $0.split(separator: "&") }
      .compactMap { pair in
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = PercentEncoding.decodeForm(halves[0])
        return name.isEmpty ? nil : (name, halves.count > 1 ? PercentEncoding.decodeForm(halves[1]) : "")
      }
  }
}

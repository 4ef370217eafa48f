import RedirectChain
import Web

/// Where a provider or a backend is served: a URL under which paths are.
public struct Endpoint: Hashable, Sendable {
  public let url: WebURL

  /// Reads an http or https URL without query; a `/` at its end does not count.
  ///
  /// - Throws: `WebURL.Invalid`.
  public init(_ text: String) throws(WebURL.Invalid) {
    url = try WebURL(text)
    guard url.query == nil else { throw WebURL.Invalid(description: "the URL has a query where none is expected") }
  }

  /// A constant of this program.
  ///
  /// - Parameters:
  ///   - host: a name in lower case, served over https.
  ///   - path: begins with `/`.
  public init(https host: StaticString, path: StaticString = "/") { url = WebURL(https: host, path: path) }

  public var host: String { url.host }

  /// The URL of something below. It cannot fail: what may not stand in a URL is encoded.
  ///
  /// - Parameters:
  ///   - path: begins with `/`; parts that come from outside are `FormFields.encode`d by the caller.
  ///   - query: nothing is added for one without fields.
  public func appending(_ path: String, _ query: FormFields = FormFields()) -> WebURL {
    url.appending(path: path, query: query.encoded)
  }
}

extension Endpoint {
  /// What is below, as a place of its own.
  ///
  /// - Parameter path: empty, or begins with `/`.
  public func below(_ path: String) -> Endpoint {
    // What was a URL without query is one with a path behind it.
    (try? Endpoint(appending(path).text)) ?? self
  }
}

extension WebURL {
  /// This URL with more fields in its query.
  public func adding(_ query: FormFields) -> WebURL {
    adding(query: query.encoded)
  }
}

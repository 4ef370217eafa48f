import RedirectChain
import Web

/// Where a provider or a backend is served: a base URL for paths.
package struct Endpoint: Hashable, Sendable {
  package let url: WebURL

  /// Reads an http or https URL without a query; a trailing `/` is ignored.
  ///
  /// - Throws: `WebURL.Invalid`.
  package init(_ text: String) throws(WebURL.Invalid) {
    url = try WebURL(text)
    guard url.query == nil else { throw WebURL.Invalid(description: "the URL has a query where none is expected") }
  }

  /// A constant of this program.
  ///
  /// - Parameters:
  ///   - host: a name in lower case, served over https.
  ///   - path: begins with `/`.
  package init(https host: StaticString, path: StaticString = "/") { url = WebURL(https: host, path: path) }

  package var host: String { url.host }

  /// The URL of a path below. It cannot fail: characters that a URL must not hold are encoded.
  ///
  /// - Parameters:
  ///   - path: begins with `/`; the caller applies `FormFields.encode` to parts from outside.
  ///   - query: one without fields adds nothing.
  package func appending(_ path: String, _ query: FormFields = FormFields()) -> WebURL {
    url.appending(path: path, query: query.encoded)
  }
}

extension Endpoint {
  /// A path below, as an endpoint of its own.
  ///
  /// - Parameter path: empty, or begins with `/`.
  package func below(_ path: String) -> Endpoint {
    // A URL without a query remains one after a path is added.
    (try? Endpoint(appending(path).text)) ?? self
  }
}

extension WebURL {
  /// This URL with more fields in its query.
  package func adding(_ query: FormFields) -> WebURL {
    adding(query: query.encoded)
  }
}

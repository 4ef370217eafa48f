import RedirectChain

/// Where a provider or a backend is served: a URL under which paths are.
public struct Endpoint: Hashable, Sendable {
  private let base: String
  public let url: WebURL

  /// Reads an http or https URL without query; a `/` at its end does not count.
  ///
  /// - Throws: `WebURL.Invalid`.
  public init(_ text: String) throws(WebURL.Invalid) {
    url = try WebURL(text)
    guard url.query == nil else { throw WebURL.Invalid(description: "the URL has a query where none is expected") }
    let whole = url.text
    base = whole.hasSuffix("/") ? String(whole.dropLast()) : whole
  }

  public var host: String { url.host }

  /// The URL of something below.
  ///
  /// - Parameters:
  ///   - path: begins with `/`; parts that come from outside are `FormFields.encode`d by the caller.
  ///   - query: nothing is added for one without fields.
  public func appending(_ path: String, _ query: FormFields = FormFields()) -> WebURL {
    let text = base + path
    // A valid base with an encoded path is a valid URL.
    // swift-format-ignore: NeverUseForceTry
    return try! WebURL(query.fields.isEmpty ? text : "\(text)?\(query.encoded)")
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
    guard !query.fields.isEmpty else { return self }
    // What was a URL is one with an encoded query too.
    // swift-format-ignore: NeverUseForceTry
    return try! WebURL(text + (self.query == nil ? "?" : "&") + query.encoded)
  }
}

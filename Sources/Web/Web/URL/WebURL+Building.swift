extension WebURL {
  /// A constant URL of this program: https, at the default port.
  ///
  /// - Parameters:
  ///   - host: a name in lower case.
  ///   - path: begins with `/`.
  public init(https host: StaticString, path: StaticString = "/") {
    self.init(.https, host.description, 443, path: path.description, query: nil)
  }

  /// A URL below this one. It cannot fail: characters that a URL must not hold are percent-encoded.
  /// This URL's own query stays before the added one.
  ///
  /// - Parameters:
  ///   - path: appended to this path, whose trailing `/` does not count. A query in it counts, a
  ///     fragment does not.
  ///   - query: already encoded; nil or empty adds nothing.
  public func appending(path: String, query: String? = nil) -> WebURL {
    let own = self.path.hasSuffix("/") ? String(self.path.dropLast()) : self.path
    let parts = path.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let queries = [self.query, parts.dropFirst().first.map(String.init), query].compactMap(\.self)
      .filter { !$0.isEmpty }
    return WebURL(
      scheme, host, port, path: own + (parts.first ?? ""), query: queries.isEmpty ? nil : queries.joined(separator: "&")
    )
  }

  /// This URL with more parameters in its query.
  ///
  /// - Parameter query: already encoded; an empty one adds nothing.
  public func adding(query: String) -> WebURL {
    guard !query.isEmpty else { return self }
    return WebURL(scheme, host, port, path: path, query: self.query.map { "\($0)&\(query)" } ?? query)
  }
}

extension WebURL {
  /// A constant of this program: https, at a host's own port.
  ///
  /// - Parameters:
  ///   - host: a name in lower case.
  ///   - path: begins with `/`.
  public init(https host: StaticString, path: StaticString = "/") {
    self.init(.https, host.description, 443, path: path.description, query: nil)
  }

  /// Something below this URL, which cannot fail: what may not stand in a URL is percent-encoded. The query of this one stays before what is
  /// added.
  ///
  /// - Parameters:
  ///   - path: stands behind this path, a `/` at whose end does not count. A query in it counts, a fragment does not.
  ///   - query: encoded; nil or empty adds nothing.
  public func appending(path: String, query: String? = nil) -> WebURL {
    let own = self.path.hasSuffix("/") ? String(self.path.dropLast()) : self.path
    let parts = path.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let queries = [self.query, parts.dropFirst().first.map(String.init), query].compactMap(\.self)
      .filter { !$0.isEmpty }
    return WebURL(
      scheme, host, port, path: own + (parts.first ?? ""), query: queries.isEmpty ? nil : queries.joined(separator: "&")
    )
  }

  /// This URL with more in its query.
  ///
  /// - Parameter query: encoded; an empty one adds nothing.
  public func adding(query: String) -> WebURL {
    guard !query.isEmpty else { return self }
    return WebURL(scheme, host, port, path: path, query: self.query.map { "\($0)&\(query)" } ?? query)
  }
}

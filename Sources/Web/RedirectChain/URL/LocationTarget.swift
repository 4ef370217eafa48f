import Web

/// The target of a `Location`, relative to the URL that answered it.
public enum LocationTarget: Hashable, Sendable {
  case web(WebURL)
  /// Any other scheme, byte for byte as it came. It is never fetched.
  case other(scheme: String, uri: String)

  /// Resolves a `Location` (RFC 9110, 10.2.2; RFC 3986, 5.2).
  ///
  /// - Throws: `WebURL.Invalid`.
  public init(_ location: String, from base: WebURL) throws(WebURL.Invalid) {
    let cleaned = try WebURL.cleaned(location)
    var reference = URLReference(cleaned)
    if let scheme = reference.scheme?.lowercased() {
      guard WebURL.Scheme(rawValue: scheme) != nil else {
        self = .other(scheme: scheme, uri: String(location.trimmingBlanks))
        return
      }
      reference.path = Self.withoutDotSegments(reference.path)
      self = .web(try WebURL(reference))
      return
    }
    reference.scheme = base.scheme.rawValue
    if reference.authority == nil {
      reference.authority = base.hostField
      if reference.path.isEmpty {
        reference.path = base.path
        if reference.query == nil { reference.query = base.query }
      } else if !reference.path.hasPrefix("/") {
        let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? "/"
        reference.path = folder + reference.path
      }
    }
    reference.path = Self.withoutDotSegments(reference.path)
    self = .web(try WebURL(reference))
  }

  /// RFC 3986, 5.2.4.
  static func withoutDotSegments(_ path: String) -> String {
    guard path.contains(".") else { return path }
    var output: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (position, segment) in segments.enumerated() {
      let isLast = position == segments.count - 1
      switch segment {
      case ".":
        if isLast { output.append("") }
      case "..":
        if output.count > 1 { output.removeLast() }
        if isLast { output.append("") }
      default:
        output.append(segment)
      }
    }
    let joined = output.joined(separator: "/")
    return path.hasPrefix("/") && !joined.hasPrefix("/") ? "/" + joined : joined
  }
}

extension String {
  /// The text without leading and trailing spaces and tabs.
  var trimmingBlanks: Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var rest = drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}

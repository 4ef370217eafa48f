import Web

/// The cookies of one chain (RFC 6265). It lives only as long as the chain.
public struct CookieJar: Sendable {
  static let maximumCount = 100
  /// Bytes of one Cookie field; cookies that do not fit are left out.
  static let maximumFieldBytes = 16_384
  private var cookies: [Cookie] = []

  public init() {}

  /// Reads the Set-Cookie fields of an answer.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Returns: the names of the cookies that were set, and of those that were deleted.
  @discardableResult
  public mutating func store(_ fields: [String], from url: WebURL, now: Int64) -> [String] {
    var names: [String] = []
    for field in fields {
      guard let cookie = Cookie(field, from: url, now: now), url.scheme == .https || !shadows(cookie) else { continue }
      let same = { (other: Cookie) in
        (other.name, other.domain, other.path) == (cookie.name, cookie.domain, cookie.path)
      }
      // An updated cookie keeps its place in the order.
      if let index = cookies.firstIndex(where: same) {
        cookies[index] = cookie
        names.append(cookie.name)
      } else if cookies.count < Self.maximumCount {
        cookies.append(cookie)
        names.append(cookie.name)
      }
    }
    cookies.removeAll { ($0.expiry ?? .max) <= now }
    return names
  }

  /// Whether a cookie would replace or precede a secure cookie. Anybody on the way of a cleartext
  /// answer can set one (RFC 6265bis, 5.7, "leave secure cookies alone").
  private func shadows(_ cookie: Cookie) -> Bool {
    cookies.contains { other in
      other.isSecure && other.name == cookie.name
        && (Cookie.isDomain(other.domain, within: cookie.domain)
          || Cookie.isDomain(cookie.domain, within: other.domain))
        && Cookie.isPath(cookie.path, within: other.path)
    }
  }

  /// The Cookie field for a request, longer paths first (RFC 6265, 5.4), and the names in it; nil
  /// without cookies.
  public func header(for url: WebURL, now: Int64) -> (value: String, names: [String])? {
    var left = Self.maximumFieldBytes
    let going = cookies.enumerated()
      .filter { $0.element.goes(with: url) && ($0.element.expiry ?? .max) > now }
      .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
      .map(\.element)
      .prefix { cookie in
        left -= cookie.name.utf8.count + cookie.value.utf8.count + 3
        return left >= 0
      }
    guard !going.isEmpty else { return nil }
    return (going.map { "\($0.name)=\($0.value)" }.joined(separator: "; "), going.map(\.name))
  }
}

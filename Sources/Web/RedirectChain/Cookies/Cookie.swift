import Web

/// A cookie as one Set-Cookie field made it (RFC 6265, 5.2 and 5.3).
struct Cookie: Hashable, Sendable {
  static let maximumBytes = 4096

  let name: String
  let value: String
  let domain: String
  let isHostOnly: Bool
  let path: String
  let isSecure: Bool
  /// Seconds since 1970; nil for the lifetime of the chain.
  let expiry: Int64?

  /// Reads a Set-Cookie field; nil if the field must be ignored.
  init?(_ field: String, from url: WebURL, now: Int64) {
    guard field.utf8.count <= Self.maximumBytes, !field.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f })
    else { return nil }
    var parts = field.split(separator: ";", omittingEmptySubsequences: false)[...]
    guard let pair = parts.popFirst(), let equals = pair.firstIndex(of: "=") else { return nil }
    name = String(String(pair[..<equals]).trimmingBlanks)
    value = String(String(pair[pair.index(after: equals)...]).trimmingBlanks)
    guard !name.isEmpty else { return nil }
    let attributes = CookieAttributes(parts)
    if let domain = attributes.domain, domain != url.host {
      guard Self.isDomain(url.host, within: domain), !Site.isPublicSuffix(domain), url.address == nil
      else { return nil }
      self.domain = domain
      isHostOnly = false
    } else {
      domain = url.host
      // A host that is itself a public suffix gets a host-only cookie (RFC 6265, 5.3, step 5).
      isHostOnly = attributes.domain == nil || Site.isPublicSuffix(url.host)
    }
    path = attributes.path ?? Self.defaultPath(of: url)
    isSecure = attributes.isSecure
    // Cleartext must not set a secure cookie, and a cookie must fulfil what its name prefix
    // promises (RFC 6265bis, 4.1.3).
    guard !isSecure || url.scheme == .https else { return nil }
    if name.hasPrefix("__Secure-"), !isSecure { return nil }
    if name.hasPrefix("__Host-"), !isSecure || !isHostOnly || path != "/" { return nil }
    expiry =
      attributes.maximumAge.map { $0 <= 0 ? Int64.min : Self.sum(now, $0) }
      ?? attributes.expires
  }

  private static func sum(_ now: Int64, _ age: Int64) -> Int64 {
    let (sum, isOver) = now.addingReportingOverflow(age)
    return isOver ? .max : sum
  }

  /// Whether it is sent with a request (RFC 6265, 5.4).
  func goes(with url: WebURL) -> Bool {
    let isHost = isHostOnly ? url.host == domain : Self.isDomain(url.host, within: domain)
    return isHost && (!isSecure || url.scheme == .https) && Self.isPath(url.path, within: path)
  }

  /// Label by label: b.example is within example, but bexample is not (RFC 6265, 5.1.3).
  static func isDomain(_ host: String, within domain: String) -> Bool {
    host == domain || host.hasSuffix("." + domain)
  }

  /// RFC 6265, 5.1.4.
  static func isPath(_ path: String, within folder: String) -> Bool {
    guard path.hasPrefix(folder) else { return false }
    return path.utf8.count == folder.utf8.count || folder.hasSuffix("/")
      || path.dropFirst(folder.count).first == "/"
  }

  private static func defaultPath(of url: WebURL) -> String {
    guard let slash = url.path.lastIndex(of: "/"), slash != url.path.startIndex else { return "/" }
    return String(url.path[..<slash])
  }
}

/// The attributes after a cookie's value. Unknown and malformed ones are ignored, and the last of a
/// kind counts.
private struct CookieAttributes {
  var domain: String?
  var path: String?
  var isSecure = false
  var maximumAge: Int64?
  var expires: Int64?

  init(_ parts: ArraySlice<Substring>) {
    for part in parts {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = halves.count > 1 ? String(String(halves[1]).trimmingBlanks) : ""
      switch String(String(halves[0]).trimmingBlanks).lowercased() {
      case "secure": isSecure = true
      case "path": path = value.hasPrefix("/") ? value : nil
      case "domain":
        let name = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
        if !name.isEmpty { domain = name }
      case "max-age":
        let digits = value.hasPrefix("-") ? value.dropFirst() : value[...]
        if !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit) {
          maximumAge = Int64(value) ?? (value.hasPrefix("-") ? 0 : Int64(Int32.max))
        }
      case "expires": if let time = CookieDate.seconds(value) { expires = time }
      default: break
      }
    }
  }
}

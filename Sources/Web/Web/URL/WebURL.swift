import NetworkAddress

/// An http or https URL that can be fetched. Percent-encoding stays as received.
public struct WebURL: Hashable, Sendable {
  public enum Scheme: String, Sendable {
    case http, https

    public var defaultPort: Int { self == .https ? 443 : 80 }
  }

  /// What a connection can be reused for.
  public struct Origin: Hashable, Sendable {
    public let scheme: Scheme
    public let host: String
    public let port: Int
  }

  /// Why a text is not a URL that can be fetched. It never holds the text itself, which may contain
  /// secrets.
  public struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
  }

  public let scheme: Scheme
  /// In lower case; an IPv6 address without its brackets.
  public let host: String
  /// 1 to 65535.
  public let port: Int
  /// Begins with `/`.
  public let path: String
  public let query: String?

  /// Reads an absolute http or https URL. Surrounding blanks are dropped, and so is the fragment,
  /// which is never sent.
  ///
  /// - Throws: `Invalid`.
  public init(_ text: String) throws(Invalid) {
    try self.init(URLReference(try Self.cleaned(text)))
  }

  package init(_ reference: URLReference) throws(Invalid) {
    guard let name = reference.scheme?.lowercased() else { throw Invalid(description: "the URL has no scheme") }
    guard let scheme = Scheme(rawValue: name) else {
      throw Invalid(description: "the scheme \(name) is not http or https")
    }
    guard let authority = reference.authority else {
      throw Invalid(description: "the URL has no host: expected \(name)://host")
    }
    self.scheme = scheme
    (host, port) = try Self.hostAndPort(authority, scheme)
    path = reference.path.isEmpty ? "/" : reference.path
    query = reference.query
  }

  /// A place on the host of another URL, or of a name that is written in this program. It cannot
  /// fail.
  package init(_ scheme: Scheme, _ host: String, _ port: Int, path: String, query: String?) {
    (self.scheme, self.host, self.port) = (scheme, host, port)
    let path = Self.encoded(path)
    self.path = path.hasPrefix("/") ? path : "/" + path
    self.query = query.map(Self.encoded)
  }

  public var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

  /// The target in the request line.
  public var requestTarget: String { query.map { "\(path)?\($0)" } ?? path }

  /// The host as an address, if it is one.
  public var address: IPAddress? { IPAddress(host) }

  /// The value of the Host field. It only holds the port if it is not the scheme's default (RFC
  /// 9110, 7.2).
  public var hostField: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == scheme.defaultPort ? name : "\(name):\(port)"
  }

  /// The whole URL. It may hold secrets: not for logs.
  public var text: String { "\(scheme.rawValue)://\(hostField)\(requestTarget)" }

  /// Drops surrounding blanks and encodes characters that a URL must not hold, as browsers do.
  /// Control characters are refused.
  package static func cleaned(_ text: String) throws(Invalid) -> String {
    let bytes = text.utf8
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else { throw Invalid(description: "the URL is empty") }
    var cleaned = ""
    for byte in bytes[first...last] {
      switch byte {
      case 0x21...0x7e: cleaned.unicodeScalars.append(UnicodeScalar(byte))
      case 0x20, 0x80...0xff: cleaned += PercentEncoding.encode(byte)
      default: throw Invalid(description: "the URL holds a control character")
      }
    }
    return cleaned
  }

  /// Encodes everything that a path or a query must not hold, including control characters.
  private static func encoded(_ text: String) -> String {
    text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
      ? text
      : text.utf8.map { (0x21...0x7e).contains($0) ? String(UnicodeScalar($0)) : PercentEncoding.encode($0) }.joined()
  }

  private static func hostAndPort(_ authority: String, _ scheme: Scheme) throws(Invalid) -> (String, Int) {
    // A name before the host only serves to mislead people; nobody sends one to an operator.
    guard !authority.contains("@") else { throw Invalid(description: "the URL holds a user name before its host") }
    var rest = Substring(authority)
    let host: String
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]"), let address = IPv6Address(rest[..<end].dropFirst()) else {
        throw Invalid(description: "the URL's host is not an IPv6 address in brackets")
      }
      host = address.description
      rest = rest[rest.index(after: end)...]
    } else {
      let end = rest.firstIndex(of: ":") ?? rest.endIndex
      host = try name(String(rest[..<end]).lowercased())
      rest = rest[end...]
    }
    guard !rest.isEmpty else { return (host, scheme.defaultPort) }
    guard rest.first == ":" else { throw Invalid(description: "something stands behind the URL's host") }
    let digits = rest.dropFirst()
    if digits.isEmpty { return (host, scheme.defaultPort) }
    guard digits.utf8.allSatisfy(\.isASCIIDigit), let port = Int(digits), (1...65_535).contains(port) else {
      throw Invalid(description: "the URL's port is not a number from 1 to 65535")
    }
    return (host, port)
  }

  private static func name(_ host: String) throws(Invalid) -> String {
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...253).contains(name.utf8.count),
      labels.allSatisfy({ label in
        (1...63).contains(label.utf8.count)
          && label.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2d || $0 == 0x5f }
      })
    else { throw Invalid(description: "the URL's host is not a name of letters, digits, dashes and dots") }
    // Some resolvers read 0x7f.1 and 2130706433 as addresses. Here a final number must be part of a
    // complete IPv4 address.
    if let last = labels.last, last.utf8.allSatisfy(\.isASCIIDigit) || last.hasPrefix("0x"), IPv4Address(name) == nil {
      throw Invalid(description: "the URL's host looks like an IPv4 address and is none")
    }
    return name
  }
}

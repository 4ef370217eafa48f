/// Who gave an answer or announced a redirect: the origin that was asked, as the connection proves
/// it.
///
/// Only the code that makes the exchange creates it: its initialiser is for modules that import
/// this one with `@_spi(Exchange)`. A flow's machines do not, so they cannot attribute an answer to
/// anybody.
public struct AnswerSource: Hashable, Sendable {
  /// Scheme, host and port of the requested URL. The host is in lower case, without a trailing dot
  /// and without a user name.
  public let origin: WebURL.Origin

  /// - Parameter url: the requested URL. For https, the server has proved by TLS that it is the
  ///   URL's host: no request leaves before.
  @_spi(Exchange) public init(asked url: WebURL) { origin = url.origin }

  /// Whether TLS proved it. A cleartext answer may come from anybody.
  public var isProven: Bool { origin.scheme == .https }
}

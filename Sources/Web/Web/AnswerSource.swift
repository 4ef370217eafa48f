/// Who gave an answer, or announced a redirect: the origin that was asked, as the connection proves it.
///
/// It is made where the exchange took place, and nowhere else: its initialiser is for who imports this module with `@_spi(Exchange)`. A flow's
/// machines do not, and so cannot say of any answer whose it is.
public struct AnswerSource: Hashable, Sendable {
  /// Scheme, host and port of the URL that was asked. The host is in lower case, without a dot at its end and without a user's name.
  public let origin: WebURL.Origin

  /// - Parameter url: what was asked. For https its server has proved by TLS that it is the host which the URL names: no request leaves before.
  @_spi(Exchange) public init(asked url: WebURL) { origin = url.origin }

  /// Whether TLS proved it. What comes in clear may be anybody's.
  public var isProven: Bool { origin.scheme == .https }
}

import AuthCore
import JSONTree

/// The answer of an operator's token endpoint.
public struct MobileConnectTokens: Hashable, Sendable {
  public var accessToken: Secret
  /// As in `Bearer`; nil if it is missing.
  public var type: String?
  /// Seconds from when it came.
  public var expiresIn: Int?
  public var refreshToken: Secret?
  public var idToken: Secret?
  /// The content of the ID token, once it was validated.
  public var claims: JSONValue?

  public init(accessToken: Secret) { self.accessToken = accessToken }

  /// The pseudonymous customer reference: this client's identifier of the user.
  public var subject: Secret? { claims?["sub"]?.string.map { Secret($0) } }

  init(_ text: String, _ members: JSONValue) {
    self.init(accessToken: Secret(text))
    type = members["token_type"]?.string
    expiresIn = members["expires_in"]?.integer
    refreshToken = members["refresh_token"]?.string.map { Secret($0) }
    idToken = members["id_token"]?.string.map { Secret($0) }
  }
}

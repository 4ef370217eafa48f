import AuthCore
import JSONTree

/// What an operator's token endpoint gave.
public struct MobileConnectTokens: Hashable, Sendable {
  public var accessToken: Secret
  /// As in `Bearer`; nil where it was not said.
  public var type: String?
  /// Seconds from when it came.
  public var expiresIn: Int?
  public var refreshToken: Secret?
  public var idToken: Secret?
  /// What the ID token says, once it was validated.
  public var claims: JSONValue?

  public init(accessToken: Secret) { self.accessToken = accessToken }

  /// The pseudonymous customer reference: who the user is to this client.
  public var subject: Secret? { claims?["sub"]?.string.map { Secret($0) } }

  init(_ text: String, _ members: JSONValue) {
    self.init(accessToken: Secret(text))
    type = members["token_type"]?.string
    expiresIn = members["expires_in"]?.integer
    refreshToken = members["refresh_token"]?.string.map { Secret($0) }
    idToken = members["id_token"]?.string.map { Secret($0) }
  }
}

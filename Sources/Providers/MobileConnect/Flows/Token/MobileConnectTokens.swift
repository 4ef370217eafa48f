import AuthCore
import JSONTree

/// The answer of an operator's token endpoint.
package struct MobileConnectTokens: Hashable, Sendable {
  package var accessToken: Secret
  /// As in `Bearer`; nil if it is missing.
  package var type: String?
  /// Seconds from when it came.
  package var expiresIn: Int?
  package var refreshToken: Secret?
  package var idToken: Secret?
  /// The content of the ID token, once it was validated.
  package var claims: JSONValue?

  package init(accessToken: Secret) { self.accessToken = accessToken }

  /// The pseudonymous customer reference: this client's identifier of the user.
  package var subject: Secret? { claims?["sub"]?.string.map { Secret($0) } }

  init(_ text: String, _ members: JSONValue) {
    self.init(accessToken: Secret(text))
    type = members["token_type"]?.string
    expiresIn = members["expires_in"]?.integer
    refreshToken = members["refresh_token"]?.string.map { Secret($0) }
    idToken = members["id_token"]?.string.map { Secret($0) }
  }
}

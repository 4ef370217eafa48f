import AuthCore
import JSONTree

/// The content of an ID token, read and **not verified**: its signature and audience must be
/// checked by the backend that trusts it.
package struct IDToken: Hashable, Sendable {
  /// The user's id in the project: `user_id`, else `sub`.
  package let user: String?
  /// `phone_number`.
  package let number: SubscriberNumber?
  /// Seconds since 1970: `exp`.
  package let expires: Int?

  /// Reads the payload of a JSON Web Token (RFC 7519, 3); nil for any other text.
  package init?(_ token: Secret) {
    let parts = token.revealed.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64.decode(parts[1]), let payload = JSONValue(parsing: bytes),
      case .object = payload
    else { return nil }
    user = payload["user_id"]?.string ?? payload["sub"]?.string
    number = payload["phone_number"]?.string.flatMap { try? SubscriberNumber($0) }
    expires = payload["exp"]?.integer
  }
}

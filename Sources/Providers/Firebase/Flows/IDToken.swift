import AuthCore
import JSONTree

/// The content of an ID token, read and **not verified**: its signature and audience must be
/// checked by the backend that trusts it.
public struct IDToken: Hashable, Sendable {
  /// The user's id in the project: `user_id`, else `sub`.
  public let user: String?
  /// `phone_number`.
  public let number: SubscriberNumber?
  /// Seconds since 1970: `exp`.
  public let expires: Int?

  /// Reads the payload of a JSON Web Token (RFC 7519, 3); nil for any other text.
  public init?(_ token: Secret) {
    let parts = token.revealed.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64.decode(parts[1]), let payload = JSONValue(parsing: bytes),
      case .object = payload
    else { return nil }
    user = payload["user_id"]?.string ?? payload["sub"]?.string
    number = payload["phone_number"]?.string.flatMap { try? SubscriberNumber($0) }
    expires = payload["exp"]?.integer
  }
}

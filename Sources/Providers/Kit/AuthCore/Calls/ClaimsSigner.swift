import JSONTree

/// Makes signed tokens (RFC 7519) with a key of its own. It is a parameter of what needs one, so that no flow links a signing library.
public protocol ClaimsSigner: Sendable {
  /// The claims as a signed token in compact form.
  ///
  /// - Parameter claims: an object.
  /// - Throws: `AuthError` `notConfigured` where the key cannot sign.
  func sign(_ claims: JSONValue) async throws(AuthError) -> Secret
}

import JSONTree

/// Makes signed tokens (RFC 7519) with its own key. Code that needs one takes it as a parameter, so
/// that no flow links a signing library.
package protocol ClaimsSigner: Sendable {
  /// The claims as a signed token in compact form.
  ///
  /// - Parameter claims: an object.
  /// - Throws: `AuthError` `notConfigured` if the key cannot sign.
  func sign(_ claims: JSONValue) async throws(AuthError) -> Secret
}

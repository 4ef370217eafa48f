import JSONTree

/// Whether one of the provider's keys signed a token (RFC 7515, 5.2).
package enum SignatureVerdict: String, Hashable, Sendable, CaseIterable {
  case good
  /// It is not a token of three parts with a header.
  case malformed
  /// Its algorithm is `none`, uses a shared key, or is unknown here.
  case algorithmRefused
  /// No key in the set has the token's id and fits its algorithm.
  case keyMissing
  /// The key did not sign this token.
  case forged
}

/// Checks the signature of a token in compact form against a key set (RFC 7517, 5). Code that needs
/// it takes it as a parameter, so that no flow links a signing library.
package typealias SignatureCheck = @Sendable (_ token: Secret, _ keys: JSONValue) async -> SignatureVerdict

import JSONTree

/// Whether a key of a provider's made the signature of a token (RFC 7515, 5.2).
public enum SignatureVerdict: String, Hashable, Sendable, CaseIterable {
  case good
  /// It is no token of three parts with a header.
  case malformed
  /// Its algorithm is `none`, one of a shared key, or one that is not known here.
  case algorithmRefused
  /// No key of the set has the token's id and fits its algorithm.
  case keyMissing
  /// The key did not sign this.
  case forged
}

/// Compares the signature of a token in compact form with a key set (RFC 7517, 5). It is a parameter of what needs one, so that no flow
/// links a signing library.
public typealias SignatureCheck = @Sendable (_ token: Secret, _ keys: JSONValue) async -> SignatureVerdict

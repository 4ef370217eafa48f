import AuthCore
import JSONTree

/// A public key of a key set (RFC 7517) that checks a provider's signatures. Only RSA (RFC 8017,
/// 8.2): the drafts of HTTP signatures that providers follow name nothing else.
package enum PublishedKey {
  /// Whether a key made a signature.
  ///
  /// - Parameters:
  ///   - key: with `kty`, `n` and `e`; at least 2048 bits.
  ///   - algorithm: `rsa-sha256`, `rsa-sha512`, or `hs2019` with the digest of the key's `alg`; nil
  ///     also means the latter.
  ///   - message: what was signed.
  package static func signed(_ key: JSONValue, _ algorithm: String?, _ message: [UInt8], _ signature: [UInt8]) -> Bool {
    guard key["kty"]?.string == "RSA", let scheme = scheme(algorithm, key["alg"]?.string), let publicKey = rsa(key)
    else { return false }
    return publicKey.signed(message, signature, scheme)
  }

  private static func scheme(_ algorithm: String?, _ keys: String?) -> SignatureScheme? {
    switch (algorithm, keys) {
    case ("rsa-sha256", nil), ("rsa-sha256", "RS256"): .pkcs1SHA256
    case ("rsa-sha512", nil), ("rsa-sha512", "RS512"): .pkcs1SHA512
    case (nil, "RS256"), ("hs2019", "RS256"): .pkcs1SHA256
    case (nil, "RS512"), ("hs2019", "RS512"): .pkcs1SHA512
    default: nil
    }
  }

  /// The numbers of an RSA key (RFC 7518, 6.3.1); nil where they make none of at least 2048 bits.
  static func rsa(_ key: JSONValue) -> LibcryptoKey? {
    guard let modulus = number(key["n"]), let exponent = number(key["e"]) else { return nil }
    return LibcryptoKey(modulus: modulus, exponent: exponent)
  }

  /// The point of a key on P-256 (RFC 7518, 6.2.1); nil where it is none.
  static func p256(_ key: JSONValue) -> LibcryptoKey? {
    guard let x = number(key["x"]), let y = number(key["y"]) else { return nil }
    return LibcryptoKey(x: x, y: y)
  }

  private static func number(_ value: JSONValue?) -> [UInt8]? { value?.string.flatMap { Base64.decode($0) } }
}

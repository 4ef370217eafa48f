import AuthCore
import Crypto
import CryptoExtras
import JSONTree

/// A public key of a key set (RFC 7517) that checks a provider's signatures. Only RSA (RFC 8017,
/// 8.2): the drafts of HTTP signatures that providers follow name nothing else.
public enum PublishedKey {
  /// Whether a key made a signature.
  ///
  /// - Parameters:
  ///   - key: with `kty`, `n` and `e`; at least 2048 bits.
  ///   - algorithm: `rsa-sha256`, `rsa-sha512`, or `hs2019` with the digest of the key's `alg`; nil
  ///     also means the latter.
  ///   - message: what was signed.
  public static func signed(_ key: JSONValue, _ algorithm: String?, _ message: [UInt8], _ signature: [UInt8]) -> Bool {
    guard key["kty"]?.string == "RSA", let modulus = number(key["n"]), let exponent = number(key["e"]),
      let publicKey = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
    else { return false }
    let proof = _RSA.Signing.RSASignature(rawRepresentation: signature)
    switch digest(algorithm, key["alg"]?.string) {
    case .sha256?:
      return publicKey.isValidSignature(proof, for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
    case .sha512?:
      return publicKey.isValidSignature(proof, for: SHA512.hash(data: message), padding: .insecurePKCS1v1_5)
    case nil: return false
    }
  }

  private enum Length {
    case sha256, sha512
  }

  private static func digest(_ algorithm: String?, _ keys: String?) -> Length? {
    switch (algorithm, keys) {
    case ("rsa-sha256", nil), ("rsa-sha256", "RS256"): .sha256
    case ("rsa-sha512", nil), ("rsa-sha512", "RS512"): .sha512
    case (nil, "RS256"), ("hs2019", "RS256"): .sha256
    case (nil, "RS512"), ("hs2019", "RS512"): .sha512
    default: nil
    }
  }

  private static func number(_ value: JSONValue?) -> [UInt8]? { value?.string.flatMap { Base64.decode($0) } }
}

import AuthCore
internal import CCrypto
import ModemModel

/// SHA-256 (FIPS 180-4), for PKCE and CAMARA's hashed numbers.
package enum Digest {
  /// 32 bytes.
  package static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let message = Array(bytes)
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    guard SHA256(message, message.count, &digest) != nil
    // Impossible: only a machine without memory, or whose openssl.cnf leaves no SHA-256, has none;
    // any value would be a wrong one.
    else { preconditionFailure("libcrypto has no SHA-256; look at openssl.cnf") }
    return digest
  }

  /// Two lower-case digits for each byte.
  package static func hex(_ bytes: [UInt8]) -> String { Hexadecimal.text(of: bytes) }
}

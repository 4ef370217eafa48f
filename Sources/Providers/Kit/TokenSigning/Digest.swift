import AuthCore
import Crypto

/// SHA-256 (FIPS 180-4), for PKCE and CAMARA's hashed numbers.
public enum Digest {
  /// 32 bytes.
  public static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    Array(SHA256.hash(data: Array(bytes)))
  }

  /// Two lower-case digits for each byte.
  public static func hex(_ bytes: [UInt8]) -> String { Hexadecimal.encode(bytes) }
}

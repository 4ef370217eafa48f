internal import CCrypto

/// SHA-256 of public values.
enum Digest {
  /// - Throws: `MPinError` with `library` where libcrypto has no SHA-256, as its openssl.cnf may
  ///   say.
  static func sha256(_ parts: [UInt8]...) throws(MPinError) -> [UInt8] {
    let whole = parts.flatMap(\.self)
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    guard SHA256(whole, whole.count, &digest) != nil else {
      throw MPinError(.library, "libcrypto has no SHA-256; look at openssl.cnf")
    }
    return digest
  }
}

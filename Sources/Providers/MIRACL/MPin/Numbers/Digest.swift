internal import CCrypto

/// SHA-256 of public values.
enum Digest {
  static func sha256(_ parts: [UInt8]...) -> [UInt8] {
    let whole = parts.flatMap(\.self)
    return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
      _ = SHA256(whole, whole.count, buffer.baseAddress)
      count = Int(SHA256_DIGEST_LENGTH)
    }
  }
}

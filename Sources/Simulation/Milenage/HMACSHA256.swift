import CCrypto

/// HMAC (RFC 2104) with SHA-256, by libcrypto.
enum HMACSHA256 {
  /// 32 bytes.
  static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    guard HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, &count) != nil, count == 32 else {
      fatalError("libcrypto makes no HMAC with SHA-256")
    }
    return code
  }
}

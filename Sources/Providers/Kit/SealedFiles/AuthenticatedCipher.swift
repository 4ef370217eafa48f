internal import CCrypto

/// AES-256-GCM (NIST SP 800-38D) of libcrypto's, with a nonce of 12 random bytes ahead of what is
/// sealed and a tag of 16 bytes behind it.
struct AuthenticatedCipher: Sendable {
  private static let (keyLength, nonceLength, tagLength) = (32, 12, 16)

  private let key: [UInt8]

  /// A key that is derived from a secret; nil where libcrypto refuses.
  ///
  /// - Parameters:
  ///   - secret: of any length.
  ///   - info: what the key is for.
  init?(deriving secret: [UInt8], for info: [UInt8]) {
    guard let key = Self.derive(secret, for: info, count: Self.keyLength) else { return nil }
    self.key = key
  }

  /// Bytes that nobody finds without the secret (HKDF with SHA-256 and no salt, RFC 5869); nil
  /// where libcrypto refuses.
  static func derive(_ secret: [UInt8], for info: [UInt8], count: Int) -> [UInt8]? {
    defer { ERR_clear_error() }
    guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    var (key, derived) = ([UInt8](repeating: 0, count: count), count)
    guard let (length, infoLength) = Self.lengths(secret, info), EVP_PKEY_derive_init(context) == 1,
      EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1,
      EVP_PKEY_CTX_set1_hkdf_key(context, secret, length) == 1,
      EVP_PKEY_CTX_add1_hkdf_info(context, info, infoLength) == 1,
      EVP_PKEY_derive(context, &key, &derived) == 1, derived == count
    else { return nil }
    return key
  }

  /// What only the same key opens, and only with the same name; nil where libcrypto refuses.
  func seal(_ plain: [UInt8], as name: [UInt8]) -> [UInt8]? {
    defer { ERR_clear_error() }
    guard let (length, nameLength) = Self.lengths(plain, name), let context = EVP_CIPHER_CTX_new() else { return nil }
    defer { EVP_CIPHER_CTX_free(context) }
    var random = SystemRandomNumberGenerator()
    let nonce = (0..<Self.nonceLength).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    var sealed = [UInt8](repeating: 0, count: plain.count)
    var (tag, count) = ([UInt8](repeating: 0, count: Self.tagLength), Int32(0))
    guard EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1,
      EVP_EncryptUpdate(context, nil, &count, name, nameLength) == 1,
      EVP_EncryptUpdate(context, &sealed, &count, plain, length) == 1, count == length,
      // GCM has nothing left to write here.
      EVP_EncryptFinal_ex(context, nil, &count) == 1,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagLength), &tag) == 1
    else { return nil }
    return nonce + sealed + tag
  }

  /// What was sealed; nil where it is damaged, has another name, or another key sealed it.
  func open(_ sealed: [UInt8], as name: [UInt8]) -> [UInt8]? {
    defer { ERR_clear_error() }
    guard sealed.count >= Self.nonceLength + Self.tagLength else { return nil }
    let nonce = Array(sealed.prefix(Self.nonceLength))
    var tag = Array(sealed.suffix(Self.tagLength))
    let body = Array(sealed.dropFirst(Self.nonceLength).dropLast(Self.tagLength))
    guard let (length, nameLength) = Self.lengths(body, name), let context = EVP_CIPHER_CTX_new() else { return nil }
    defer { EVP_CIPHER_CTX_free(context) }
    var (plain, count) = ([UInt8](repeating: 0, count: body.count), Int32(0))
    guard EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1,
      EVP_DecryptUpdate(context, nil, &count, name, nameLength) == 1,
      EVP_DecryptUpdate(context, &plain, &count, body, length) == 1, count == length,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagLength), &tag) == 1,
      // The tag is compared here: before, nothing of what was read may be used.
      EVP_DecryptFinal_ex(context, nil, &count) == 1
    else { return nil }
    return plain
  }

  /// As libcrypto counts; nil for more.
  private static func lengths(_ first: [UInt8], _ second: [UInt8]) -> (Int32, Int32)? {
    guard let first = Int32(exactly: first.count), let second = Int32(exactly: second.count) else { return nil }
    return (first, second)
  }
}

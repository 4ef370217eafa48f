import CCrypto

/// AES with a key of 128 bits, one block at a time (FIPS 197), by libcrypto.
struct AES128: Hashable, Sendable {
  static let blockLength = 16

  /// 16 bytes.
  let key: [UInt8]

  /// Encrypts one block of 16 bytes.
  func encrypt(_ block: [UInt8]) -> [UInt8] {
    guard let context = EVP_CIPHER_CTX_new() else { fatalError("libcrypto has no memory for a cipher") }
    defer { EVP_CIPHER_CTX_free(context) }
    var result = [UInt8](repeating: 0, count: Self.blockLength)
    var count: Int32 = 0
    guard EVP_EncryptInit_ex(context, EVP_aes_128_ecb(), nil, key, nil) == 1,
      EVP_CIPHER_CTX_set_padding(context, 0) == 1,
      EVP_EncryptUpdate(context, &result, &count, block, Int32(block.count)) == 1, count == Self.blockLength
    else { fatalError("libcrypto does not encrypt one block by AES-128") }
    return result
  }
}

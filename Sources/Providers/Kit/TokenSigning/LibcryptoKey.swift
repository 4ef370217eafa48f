internal import CCrypto

/// A key of libcrypto's: RSA of 2048 to 16384 bits, or EC on P-256. No other is made.
///
/// `@unchecked Sendable`: nothing changes a key once it is made, and libcrypto counts references to
/// it, and locks what it keeps in it, by itself (openssl-threads(7)).
final class LibcryptoKey: @unchecked Sendable {
  enum Kind {
    case rsa, p256
  }

  let pointer: OpaquePointer
  let kind: Kind

  private static let rsaBits = 2048...16384
  /// Longer exponents cost time and are in no use.
  private static let exponentBits: Int32 = 33
  private static let curve = SN_X9_62_prime256v1
  /// A PEM of an RSA key of 16384 bits has 13,000 bytes.
  private static let longestPEM = 65536

  /// Owns `pointer`, unless it is no key of those; then it is freed.
  private init?(_ pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    guard let kind = Self.kind(of: pointer) else {
      EVP_PKEY_free(pointer)
      return nil
    }
    self.pointer = pointer
    self.kind = kind
  }

  deinit { EVP_PKEY_free(pointer) }

  private static func kind(of key: OpaquePointer) -> Kind? {
    if EVP_PKEY_is_a(key, "RSA") == 1 {
      return rsaBits.contains(Int(EVP_PKEY_get_bits(key))) && hasFittingExponent(key) ? .rsa : nil
    }
    guard EVP_PKEY_is_a(key, "EC") == 1 else { return nil }
    var name = [CChar](repeating: 0, count: 80)
    var length = 0
    guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1,
      name.prefix(length).elementsEqual(curve.utf8.map { CChar(bitPattern: $0) })
    else { return nil }
    return .p256
  }

  /// Odd and at least 3: with an exponent of 1 everybody could sign.
  private static func hasFittingExponent(_ key: OpaquePointer) -> Bool {
    var exponent: OpaquePointer?
    guard EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &exponent) == 1 else { return false }
    defer { BN_free(exponent) }
    return BN_is_odd(exponent) == 1 && BN_is_one(exponent) == 0 && BN_num_bits(exponent) <= exponentBits
  }

  /// Bytes of a signature that the key makes, in the form that tokens have.
  var signatureLength: Int {
    switch kind {
    case .rsa: Int(EVP_PKEY_get_size(pointer))
    case .p256: 64
    }
  }
}

extension LibcryptoKey {
  /// A public RSA key (RFC 7518, 6.3.1); nil for numbers that make none.
  ///
  /// - Parameters:
  ///   - modulus: the highest byte first.
  ///   - exponent: odd, 3 or more, of at most 33 bits.
  convenience init?(modulus: [UInt8], exponent: [UInt8]) {
    // libcrypto would take numbers of any length.
    guard modulus.count <= Self.rsaBits.upperBound / 8 + 1, exponent.count <= 8, let last = modulus.last, last & 1 == 1
    else { return nil }
    defer { ERR_clear_error() }
    let (n, e) = (BN_bin2bn(modulus, Int32(modulus.count), nil), BN_bin2bn(exponent, Int32(exponent.count), nil))
    defer { for number in [n, e] { BN_free(number) } }
    guard n != nil, e != nil else { return nil }
    self.init(ccrypto_rsa_public_key(n, e))
  }

  /// A public key on P-256 (RFC 7518, 6.2.1); nil where the coordinates are not of 32 bytes each,
  /// or of no point of the curve.
  convenience init?(x: [UInt8], y: [UInt8]) {
    guard x.count == 32, y.count == 32 else { return nil }
    defer { ERR_clear_error() }
    let point = [0x04] + x + y
    guard let key = ccrypto_p256_public_key(point, point.count) else { return nil }
    self.init(key)
    guard isOnCurve else { return nil }
  }

  private var isOnCurve: Bool {
    guard let context = EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
    defer { EVP_PKEY_CTX_free(context) }
    return withExtendedLifetime(self) { EVP_PKEY_public_check(context) == 1 }
  }

  /// A private key of a PEM text, in the form of PKCS #8 or of its own kind; nil for anything else,
  /// and for one that a passphrase protects.
  convenience init?(pem: String) {
    defer { ERR_clear_error() }
    var text = pem
    let pointer: OpaquePointer? = text.withUTF8 { bytes in
      guard bytes.count <= Self.longestPEM, let input = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else {
        return nil
      }
      defer { BIO_free(input) }
      // libcrypto's own way to ask for a passphrase would be the terminal.
      return PEM_read_bio_PrivateKey(input, nil, { _, _, _, _ in -1 }, nil)
    }
    self.init(pointer)
  }
}

internal import CCrypto

/// How a key signs (RFC 7518, 3.3 to 3.5; RFC 8017, 8.2 for SHA-512).
enum SignatureScheme {
  /// RSASSA-PKCS1-v1_5.
  case pkcs1SHA256, pkcs1SHA512
  /// RSASSA-PSS with MGF1 of the same hash, and a salt as long as the hash.
  case pssSHA256
  /// ECDSA on P-256; the signature is r and s, of 32 bytes each.
  case ecdsaSHA256

  var kind: LibcryptoKey.Kind { self == .ecdsaSHA256 ? .p256 : .rsa }
  fileprivate var digest: String { self == .pkcs1SHA512 ? "SHA512" : "SHA256" }

  /// Tells libcrypto of the padding.
  fileprivate func prepare(_ context: OpaquePointer?) -> Bool {
    switch self {
    case .pkcs1SHA256, .pkcs1SHA512: EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
    case .pssSHA256:
      EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
    case .ecdsaSHA256: true
    }
  }
}

extension LibcryptoKey {
  /// Whether this key made a signature of a message.
  ///
  /// - Parameter signature: exactly as long as the key makes them.
  func signed(_ message: [UInt8], _ signature: [UInt8], _ scheme: SignatureScheme) -> Bool {
    defer { ERR_clear_error() }
    guard scheme.kind == kind, signature.count == signatureLength,
      let proof = kind == .p256 ? ECDSAForm.encode(signature) : signature, let context = EVP_MD_CTX_new()
    else { return false }
    defer { EVP_MD_CTX_free(context) }
    var padding: OpaquePointer?
    return withExtendedLifetime(self) {
      EVP_DigestVerifyInit_ex(context, &padding, scheme.digest, nil, nil, pointer, nil) == 1
        && scheme.prepare(padding) && EVP_DigestVerify(context, proof, proof.count, message, message.count) == 1
    }
  }

  /// A signature of a message by a private key; nil where libcrypto refuses.
  func sign(_ message: [UInt8], _ scheme: SignatureScheme) -> [UInt8]? {
    defer { ERR_clear_error() }
    guard scheme.kind == kind, let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    var padding: OpaquePointer?
    // DER around r and s is a few bytes longer than both.
    var proof = [UInt8](repeating: 0, count: max(Int(EVP_PKEY_get_size(pointer)), signatureLength))
    var count = proof.count
    let isMade = withExtendedLifetime(self) {
      EVP_DigestSignInit_ex(context, &padding, scheme.digest, nil, nil, pointer, nil) == 1
        && scheme.prepare(padding) && EVP_DigestSign(context, &proof, &count, message, message.count) == 1
    }
    guard isMade else { return nil }
    let whole = Array(proof.prefix(count))
    let signature = kind == .p256 ? ECDSAForm.decode(whole) : whole
    return signature?.count == signatureLength ? signature : nil
  }

  /// Whether a private key signs what its public half takes.
  func isWhole(_ scheme: SignatureScheme) -> Bool {
    let message = Array("modemd".utf8)
    return sign(message, scheme).map { signed(message, $0, scheme) } ?? false
  }
}

/// The two forms of an ECDSA signature on P-256: tokens have both numbers side by side (RFC 7518,
/// 3.4), libcrypto has DER.
enum ECDSAForm {
  private static let half = 32

  static func encode(_ raw: [UInt8]) -> [UInt8]? {
    guard raw.count == 2 * half, let signature = ECDSA_SIG_new() else { return nil }
    defer { ECDSA_SIG_free(signature) }
    let (r, s) = (
      BN_bin2bn(Array(raw.prefix(half)), Int32(half), nil), BN_bin2bn(Array(raw.suffix(half)), Int32(half), nil)
    )
    // It owns both numbers when it has taken them.
    guard r != nil, s != nil, ECDSA_SIG_set0(signature, r, s) == 1 else {
      for number in [r, s] { BN_free(number) }
      return nil
    }
    let count = i2d_ECDSA_SIG(signature, nil)
    guard count > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    let written = bytes.withUnsafeMutableBufferPointer { buffer in
      var place = buffer.baseAddress
      return i2d_ECDSA_SIG(signature, &place)
    }
    return written == count ? bytes : nil
  }

  static func decode(_ bytes: [UInt8]) -> [UInt8]? {
    let parsed = bytes.withUnsafeBufferPointer { buffer in
      var place = buffer.baseAddress
      return d2i_ECDSA_SIG(nil, &place, buffer.count)
    }
    guard let signature = parsed else { return nil }
    defer { ECDSA_SIG_free(signature) }
    var raw = [UInt8](repeating: 0, count: 2 * half)
    let isWritten = raw.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return false }
      return BN_bn2binpad(ECDSA_SIG_get0_r(signature), start, Int32(half)) == half
        && BN_bn2binpad(ECDSA_SIG_get0_s(signature), start + half, Int32(half)) == half
    }
    return isWritten ? raw : nil
  }
}

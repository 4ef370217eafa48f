import AuthCore
internal import CCrypto
import JSONTree

/// A private key, or a shared one, that signs tokens (RFC 7515).
package struct SigningKey: ClaimsSigner {
  /// The signature algorithm (RFC 7518, 3.1).
  package enum Algorithm: String, Hashable, Sendable, CaseIterable {
    case rs256 = "RS256"
    case ps256 = "PS256"
    case es256 = "ES256"
    case hs256 = "HS256"
  }

  package let algorithm: Algorithm
  /// `kid` in the tokens' header: identifies one of the client's registered keys; nil for none.
  package let id: String?
  private let material: Material

  private enum Material: Sendable {
    case own(LibcryptoKey, SignatureScheme)
    case shared(Secret)

    func sign(_ message: [UInt8]) -> [UInt8]? {
      switch self {
      case .own(let key, let scheme): key.sign(message, scheme)
      case .shared(let secret): Self.code(message, Array(secret.revealed.utf8))
      }
    }

    /// HMAC with SHA-256 (RFC 2104).
    private static func code(_ message: [UInt8], _ secret: [UInt8]) -> [UInt8]? {
      var code = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
      var count: UInt32 = 0
      guard HMAC(EVP_sha256(), secret, Int32(secret.count), message, message.count, &code, &count) != nil,
        count == code.count
      else { return nil }
      return code
    }
  }

  /// Reads a key.
  ///
  /// - Parameters:
  ///   - text: PEM of a private key, RSA of at least 2048 bits or EC on P-256; for HS256 the shared
  ///     secret of at least 32 bytes (RFC 7518, 3.2).
  ///   - id: `kid`.
  /// - Throws: `AuthError` `notConfigured`, which never holds the key.
  package init(_ text: Secret, _ algorithm: Algorithm, id: String? = nil) throws(AuthError) {
    self.algorithm = algorithm
    self.id = id
    guard let material = Self.material(text, algorithm) else { throw Self.unusable(algorithm) }
    self.material = material
  }

  private static func material(_ text: Secret, _ algorithm: Algorithm) -> Material? {
    let scheme: SignatureScheme
    switch algorithm {
    case .rs256: scheme = .pkcs1SHA256
    case .ps256: scheme = .pssSHA256
    case .es256: scheme = .ecdsaSHA256
    case .hs256: return (32...65536).contains(text.revealed.utf8.count) ? .shared(text) : nil
    }
    guard let key = LibcryptoKey(pem: text.revealed), key.isWhole(scheme) else { return nil }
    return .own(key, scheme)
  }

  private static func unusable(_ algorithm: Algorithm) -> AuthError {
    let expected =
      switch algorithm {
      case .rs256, .ps256: "PEM of an RSA private key of at least 2048 bits"
      case .es256: "PEM of an EC private key on P-256"
      case .hs256: "a secret of at least 32 bytes"
      }
    return AuthError(.notConfigured, "the key cannot be used for \(algorithm.rawValue); expected \(expected)")
  }

  package func sign(_ claims: JSONValue) async throws(AuthError) -> Secret {
    var header: [String: JSONValue] = ["alg": .string(algorithm.rawValue), "typ": .string("JWT")]
    header["kid"] = id.map { .string($0) }
    guard let token = CompactToken.make(.object(header), claims, signature: material.sign) else {
      throw AuthError(
        .notConfigured, "the key for \(algorithm.rawValue) does not sign; check the credential that holds it")
    }
    return Secret(token)
  }
}

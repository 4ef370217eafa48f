import AuthCore
import JSONTree
import JWTKit

/// A private or shared key that signs tokens (RFC 7515). Only this file uses jwt-kit to sign.
public struct SigningKey: ClaimsSigner {
  /// The signature algorithm (RFC 7518, 3.1).
  public enum Algorithm: String, Hashable, Sendable, CaseIterable {
    case rs256 = "RS256"
    case ps256 = "PS256"
    case es256 = "ES256"
    case hs256 = "HS256"
  }

  public let algorithm: Algorithm
  /// `kid` in the tokens' header: identifies one of the client's registered keys; nil for none.
  public let id: String?
  private let material: Material

  private enum Material: Sendable {
    case rsa(Insecure.RSA.PrivateKey)
    case ec(ES256PrivateKey)
    case shared(HMACKey)
  }

  /// Reads a key.
  ///
  /// - Parameters:
  ///   - text: PEM of a private key, RSA of at least 2048 bits or EC on P-256; for HS256 the shared
  ///     secret of at least 32 bytes (RFC 7518, 3.2).
  ///   - id: `kid`.
  /// - Throws: `AuthError` `notConfigured`, which never holds the key.
  public init(_ text: Secret, _ algorithm: Algorithm, id: String? = nil) throws(AuthError) {
    self.algorithm = algorithm
    self.id = id
    guard let material = try? Self.material(text.revealed, algorithm) else { throw Self.unusable(algorithm) }
    self.material = material
  }

  private static func material(_ text: String, _ algorithm: Algorithm) throws -> Material? {
    switch algorithm {
    case .rs256, .ps256: .rsa(try Insecure.RSA.PrivateKey(pem: text))
    case .es256: .ec(try ES256PrivateKey(pem: text))
    case .hs256: text.utf8.count >= 32 ? .shared(HMACKey(from: text)) : nil
    }
  }

  private static func unusable(_ algorithm: Algorithm) -> AuthError {
    let expected =
      switch algorithm {
      case .rs256, .ps256: "PEM of an RSA private key of at least 2048 bits"
      case .es256: "PEM of an EC private key on P-256"
      case .hs256: "a secret of at least 32 bytes"
      }
    return AuthError(.notConfigured, "the key cannot be used for \(algorithm.rawValue); expected is \(expected)")
  }

  public func sign(_ claims: JSONValue) async throws(AuthError) -> Secret {
    var header = JWTHeader()
    if let id { header.kid = id }
    do {
      // The collection holds one key, with any id.
      return Secret(try await collection().sign(SignedClaims(claims), header: header))
    } catch {
      throw AuthError(
        .notConfigured, "the key for \(algorithm.rawValue) does not sign; check the credential that holds it")
    }
  }

  private func collection() async -> JWTKeyCollection {
    let keys = JWTKeyCollection()
    switch material {
    case .rsa(let key) where algorithm == .ps256: await keys.add(pss: key, digestAlgorithm: .sha256)
    case .rsa(let key): await keys.add(rsa: key, digestAlgorithm: .sha256)
    case .ec(let key): await keys.add(ecdsa: key)
    case .shared(let key): await keys.add(hmac: key, digestAlgorithm: .sha256)
    }
    return keys
  }
}

/// Arbitrary claims for jwt-kit. They are checked where their meaning is known.
struct SignedClaims: JWTPayload {
  let value: JSONValue

  init(_ value: JSONValue) { self.value = value }

  init(from decoder: any Decoder) throws { value = try JSONValue(from: decoder) }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

  func verify(using algorithm: some JWTAlgorithm) throws {}
}

import AuthCore
import JSONTree
import JWTKit

/// A private key, or a shared one, that signs tokens (RFC 7515). It is the one place where jwt-kit is used.
public struct SigningKey: ClaimsSigner {
  /// How it signs (RFC 7518, 3.1).
  public enum Algorithm: String, Hashable, Sendable, CaseIterable {
    case rs256 = "RS256"
    case ps256 = "PS256"
    case es256 = "ES256"
    case hs256 = "HS256"
  }

  public let algorithm: Algorithm
  /// `kid` of the tokens' header: which of the client's registered keys this is; nil for none.
  public let id: String?
  private let keys: JWTKeyCollection

  /// Reads a key.
  ///
  /// - Parameters:
  ///   - text: PEM of a private key, RSA of at least 2048 bits or EC on P-256; for HS256 the shared secret of at least 32 bytes (RFC 7518, 3.2).
  ///   - id: `kid`.
  /// - Throws: `AuthError` `notConfigured`, which never holds the key.
  public init(_ text: Secret, _ algorithm: Algorithm, id: String? = nil) async throws(AuthError) {
    self.algorithm = algorithm
    self.id = id
    keys = JWTKeyCollection()
    do {
      switch algorithm {
      case .rs256: await keys.add(rsa: try Insecure.RSA.PrivateKey(pem: text.revealed), digestAlgorithm: .sha256)
      case .ps256: await keys.add(pss: try Insecure.RSA.PrivateKey(pem: text.revealed), digestAlgorithm: .sha256)
      case .es256: await keys.add(ecdsa: try ES256PrivateKey(pem: text.revealed))
      case .hs256:
        guard text.revealed.utf8.count >= 32 else { throw Self.unusable(algorithm) }
        await keys.add(hmac: HMACKey(from: text.revealed), digestAlgorithm: .sha256)
      }
    } catch {
      throw Self.unusable(algorithm)
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
    do {
      var header = JWTHeader()
      if let id { header.kid = .string(id) }
      // The collection holds one key, whatever its id.
      return Secret(try await keys.sign(SignedClaims(claims), header: header))
    } catch {
      throw AuthError(
        .notConfigured, "the key for \(algorithm.rawValue) does not sign; check the credential that holds it")
    }
  }
}

/// Any claims, as jwt-kit takes them. What they must say is checked where it is known.
struct SignedClaims: JWTPayload {
  let value: JSONValue

  init(_ value: JSONValue) { self.value = value }

  init(from decoder: any Decoder) throws { value = try JSONValue(from: decoder) }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

  func verify(using algorithm: some JWTAlgorithm) throws {}
}

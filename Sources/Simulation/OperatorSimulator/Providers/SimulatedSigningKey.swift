import Crypto
import CryptoExtras
import JSONTree

/// An RSA key that a simulated service signs tokens with, by RS256 (RFC 7518, 3.3), and publishes as a key set (RFC 7517).
package struct SimulatedSigningKey: Sendable {
  /// `kid` of its tokens.
  package let id: String
  private let key: _RSA.Signing.PrivateKey

  /// Makes a new key of 2048 bits.
  ///
  /// - Throws: the library's error where there is no memory for it.
  package init(id: String) throws {
    self.id = id
    key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
  }

  /// The key set with this key alone.
  package var keySet: JSONValue {
    get throws { .object(["keys": .array([try published()])]) }
  }

  /// The key as it stands in a key set.
  ///
  /// - Parameter id: another `kid`; nil for its own.
  package func published(as id: String? = nil) throws -> JSONValue {
    let numbers = try key.publicKey.getKeyPrimitives()
    return .object([
      "kid": .string(id ?? self.id), "kty": .string("RSA"), "alg": .string("RS256"), "use": .string("sig"),
      "n": .string(Base64URL.encode(numbers.modulus)), "e": .string(Base64URL.encode(numbers.publicExponent)),
    ])
  }

  /// A signed token with these claims (RFC 7515).
  package func sign(_ claims: JSONValue) throws -> String { try sign(claims, as: id) }

  /// - Parameters:
  ///   - id: `kid` of the token.
  ///   - isForged: whether the signature is that of another text.
  package func sign(_ claims: JSONValue, as id: String, isForged: Bool = false) throws -> String {
    let header = JSONValue.object(["alg": .string("RS256"), "typ": .string("JWT"), "kid": .string(id)])
    let signed = [header, claims].map { Base64URL.encode($0.text.utf8) }.joined(separator: ".")
    return "\(signed).\(Base64URL.encode(try signature(of: isForged ? signed + "." : signed)))"
  }

  /// The signature of a text by RS256.
  package func signature(of text: String) throws -> [UInt8] {
    let digest = SHA256.hash(data: Array(text.utf8))
    return Array(try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
  }

  /// The claims of a token; nil where none of a key set's keys signed it by RS256.
  package static func claims(of token: String, signedBy keySet: JSONValue) -> JSONValue? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decode(parts[0]).flatMap({ JSONValue(parsing: $0) }),
      header["alg"]?.string == "RS256", let signature = Base64URL.decode(parts[2])
    else { return nil }
    let digest = SHA256.hash(data: Array("\(parts[0]).\(parts[1])".utf8))
    let isSigned = (keySet["keys"]?.items ?? []).contains { key in
      guard key["kid"] == header["kid"], let modulus = key["n"]?.string.flatMap({ Base64URL.decode($0) }),
        let exponent = key["e"]?.string.flatMap({ Base64URL.decode($0) }),
        let publicKey = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
      else { return false }
      let proof = _RSA.Signing.RSASignature(rawRepresentation: signature)
      return publicKey.isValidSignature(proof, for: digest, padding: .insecurePKCS1v1_5)
    }
    return isSigned ? Base64URL.decode(parts[1]).flatMap { JSONValue(parsing: $0) } : nil
  }
}

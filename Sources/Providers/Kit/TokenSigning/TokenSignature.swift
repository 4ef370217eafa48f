import AuthCore
import JSONTree
import JWTKit

/// Checks the signature of a provider's token against the provider's published keys.
public enum TokenSignature {
  /// The signature algorithms of published keys (RFC 7518, 3.1). `none` and shared keys, which
  /// every reader could use, are excluded.
  private enum Algorithm: String {
    case rs256 = "RS256"
    case ps256 = "PS256"
    case es256 = "ES256"

    var keyType: String { self == .es256 ? "EC" : "RSA" }
  }

  /// Whether a key of a set made the signature of a token.
  ///
  /// A key counts if its `kid` is the token's, its type fits the algorithm, its `use` is signing or
  /// missing, and its `alg` is the token's or missing. A token without `kid` may be signed by any
  /// such key (OpenID Connect Core, 10.1).
  ///
  /// - Parameters:
  ///   - token: in compact form.
  ///   - keys: a key set (RFC 7517, 5). RSA keys have at least 2048 bits.
  public static func verdict(on token: Secret, by keys: JSONValue) async -> SignatureVerdict {
    let parts = token.revealed.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64.decode(parts[0]), let header = JSONValue(parsing: bytes),
      // A critical extension that is not supported (RFC 7515, 4.1.11).
      let name = header["alg"]?.string, header["crit"] == nil
    else { return .malformed }
    guard let algorithm = Algorithm(rawValue: name) else { return .algorithmRefused }
    let id = header["kid"]?.string
    let fitting = (keys["keys"]?.items ?? []).filter { fits($0, algorithm, id) }
    guard !fitting.isEmpty else { return .keyMissing }
    for key in fitting where await isSigned(token, by: key, algorithm) { return .good }
    return .forged
  }

  private static func fits(_ key: JSONValue, _ algorithm: Algorithm, _ id: String?) -> Bool {
    key["kty"]?.string == algorithm.keyType && (id == nil || key["kid"]?.string == id)
      && (key["alg"].map { $0.string == algorithm.rawValue } ?? true)
      && (key["use"].map { $0.string == "sig" } ?? true)
      && (algorithm != .es256 || key["crv"]?.string == "P-256")
  }

  private static func isSigned(_ token: Secret, by key: JSONValue, _ algorithm: Algorithm) async -> Bool {
    // The collection holds one key, with any id.
    let keys = JWTKeyCollection()
    guard (try? await add(key, algorithm, to: keys)) != nil else { return false }
    return (try? await keys.verify(token.revealed, as: SignedClaims.self)) != nil
  }

  private static func add(_ key: JSONValue, _ algorithm: Algorithm, to keys: JWTKeyCollection) async throws {
    let member = { (name: String) in key[name]?.string ?? "" }
    switch algorithm {
    case .rs256:
      await keys.add(
        rsa: try Insecure.RSA.PublicKey(modulus: member("n"), exponent: member("e")), digestAlgorithm: .sha256)
    case .ps256:
      await keys.add(
        pss: try Insecure.RSA.PublicKey(modulus: member("n"), exponent: member("e")), digestAlgorithm: .sha256)
    case .es256: await keys.add(ecdsa: try ES256PublicKey(parameters: (x: member("x"), y: member("y"))))
    }
  }
}

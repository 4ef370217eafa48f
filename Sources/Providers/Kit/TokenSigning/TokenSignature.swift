import AuthCore
import JSONTree

/// Checks the signature of a provider's token against the provider's published keys.
package enum TokenSignature {
  /// The signature algorithms of published keys (RFC 7518, 3.1). `none` and shared keys, which
  /// every reader could use, are excluded.
  private enum Algorithm: String {
    case rs256 = "RS256"
    case ps256 = "PS256"
    case es256 = "ES256"

    var keyType: String { self == .es256 ? "EC" : "RSA" }

    var scheme: SignatureScheme {
      switch self {
      case .rs256: .pkcs1SHA256
      case .ps256: .pssSHA256
      case .es256: .ecdsaSHA256
      }
    }
  }

  /// Whether a key of a set made the signature of a token.
  ///
  /// A key counts where its `kid` is the token's, its type fits the algorithm, its `use` is signing
  /// or left out, its `key_ops` name checking or are left out, and its own `alg` is the token's or
  /// left out. The algorithms are this list: a token chooses among them, and never what kind of key
  /// a key is. A token without `kid` may be of any such key (OpenID Connect Core, 10.1).
  ///
  /// - Parameters:
  ///   - token: in compact form.
  ///   - keys: a key set (RFC 7517, 5). RSA keys have at least 2048 bits.
  package static func verdict(on token: Secret, by keys: JSONValue) async -> SignatureVerdict {
    guard let read = CompactToken(token.revealed), case .object(let header) = read.header,
      let name = read.header["alg"]?.string,
      // An extension that must be understood is not (RFC 7515, 4.1.11).
      header["crit"] == nil
    else { return .malformed }
    guard let algorithm = Algorithm(rawValue: name) else { return .algorithmRefused }
    let id = read.header["kid"]?.string
    let fitting = (keys["keys"]?.items ?? []).filter { fits($0, algorithm, id) }
    guard !fitting.isEmpty else { return .keyMissing }
    return fitting.contains { isSigned(read, by: $0, algorithm) } ? .good : .forged
  }

  private static func fits(_ key: JSONValue, _ algorithm: Algorithm, _ id: String?) -> Bool {
    key["kty"]?.string == algorithm.keyType && (id == nil || key["kid"]?.string == id)
      && (key["alg"].map { $0.string == algorithm.rawValue } ?? true)
      && (key["use"].map { $0.string == "sig" } ?? true)
      && (key["key_ops"].map { $0.items.contains(.string("verify")) } ?? true)
      && (algorithm != .es256 || key["crv"]?.string == "P-256")
  }

  private static func isSigned(_ token: CompactToken, by key: JSONValue, _ algorithm: Algorithm) -> Bool {
    let publicKey = algorithm == .es256 ? PublishedKey.p256(key) : PublishedKey.rsa(key)
    return publicKey?.signed(token.signed, token.signature, algorithm.scheme) ?? false
  }
}

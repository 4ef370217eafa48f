import Crypto
import CryptoExtras
import FoundationEssentials
import JSONTree
import OperatorSimulator

/// The operator's keys: one that signs tokens, and one for which the exchange encrypts numbers.
struct MobileConnectKeys: Sendable {
  private let signing: SimulatedSigningKey
  /// PEM; the exchange has the public one alone.
  private let privateCipher: String
  private let publicCipher: String
  private let other = P256.KeyAgreement.PrivateKey().publicKey

  /// The name of the signing key, where a test says no other.
  var id: String { signing.id }

  /// - Throws: where no key can be made.
  init() throws {
    signing = try SimulatedSigningKey(id: "operator-1")
    let cipher = try _RSA.Encryption.PrivateKey(keySize: .bits2048)
    (privateCipher, publicCipher) = (cipher.pemRepresentation, cipher.publicKey.pemRepresentation)
  }

  // MARK: Tokens

  /// A token with RS256 (RFC 7518, 3.3).
  ///
  /// - Parameter isForged: whether the signature is that of another text.
  func sign(_ claims: JSONValue, keyID: String, isForged: Bool = false) throws -> String {
    try signing.sign(claims, as: keyID, isForged: isForged)
  }

  /// The key set that the operator publishes (RFC 7517). The first key is for something else.
  func published(keyID: String) throws -> JSONValue {
    let point = other.rawRepresentation
    let decoy: [String: JSONValue] = [
      "kid": .string("encryption"), "kty": .string("EC"), "use": .string("enc"), "crv": .string("P-256"),
      "x": .string(Base64URL.encode(point.prefix(32))), "y": .string(Base64URL.encode(point.suffix(32))),
    ]
    return .object(["keys": .array([.object(decoy), try signing.published(as: keyID)])])
  }

  /// Whether a token is signed with RS256 by the key of a PEM; its header and claims where it is.
  static func read(_ token: String, signedBy key: String) -> (header: JSONValue, claims: JSONValue)? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let publicKey = try? _RSA.Signing.PublicKey(pemRepresentation: key),
      let signature = Base64URL.decode(parts[2]),
      let header = Base64URL.decode(parts[0]).flatMap({ JSONValue(parsing: $0) }),
      let claims = Base64URL.decode(parts[1]).flatMap({ JSONValue(parsing: $0) }),
      header["alg"]?.string == "RS256",
      publicKey.isValidSignature(
        .init(rawRepresentation: signature), for: SHA256.hash(data: Array("\(parts[0]).\(parts[1])".utf8)),
        padding: .insecurePKCS1v1_5)
    else { return nil }
    return (header, claims)
  }

  // MARK: Numbers

  /// A number as the exchange passes it on: RSA with PKCS #1 v1.5 padding (RFC 8017, 7.2) over `MSISDN|PADDING`, in hexadecimal
  /// digits.
  ///
  /// - Parameter padding: random text; up to 200 characters.
  func encrypt(number: String, padding: String) throws -> String {
    let plain = Array("\(number.filter { $0 != "+" })|\(padding)".utf8)
    let key = try _RSA.Encryption.PublicKey(pemRepresentation: publicCipher)
    return Hexadecimal.text(of: try key.encrypt(plain, padding: ._WEAK_AND_INSECURE_PKCS_V1_5))
  }

  /// The digits of a number that the exchange encrypted; nil for anything else.
  func decrypt(_ text: String) -> String? {
    guard let bytes = Hexadecimal.bytes(of: text),
      let key = try? _RSA.Encryption.PrivateKey(pemRepresentation: privateCipher),
      let plain = try? key.decrypt(bytes, padding: ._WEAK_AND_INSECURE_PKCS_V1_5)
    else { return nil }
    let halves = String(decoding: plain, as: UTF8.self).split(separator: "|", maxSplits: 1)
    return halves.count == 2 && String(halves[0]).isDigits ? String(halves[0]) : nil
  }

  /// SHA-256 of a text, in lower-case hexadecimal digits.
  static func hash(_ text: String) -> String { Hexadecimal.text(of: SHA256.hash(data: Array(text.utf8))) }
}

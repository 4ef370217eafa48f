import AuthCore
import Crypto
import JSONTree

/// Encrypts identity files with AES-256-GCM (NIST SP 800-38D), under a key derived from a
/// credential of the service (HKDF, RFC 5869). systemd can bind that credential to this machine's
/// TPM or host key (systemd-creds(1)).
public struct SealingKey: Sendable {
  /// The credential's name.
  public static let credential = "identity-key"
  /// Its least number of bytes.
  static let least = 32
  /// The word in an encrypted document for its algorithm.
  private static let way = "aes-256-gcm"

  private let key: SymmetricKey

  /// - Parameter secret: the credential, at least 32 random bytes in any form.
  /// - Throws: `AuthError` `notConfigured` for less.
  public init(_ secret: [UInt8]) throws(AuthError) {
    guard secret.count >= Self.least else {
      throw AuthError(
        .notConfigured,
        "the credential \(Self.credential) has \(secret.count) bytes; expected are at least \(Self.least), as of `openssl rand -base64 48`"
      )
    }
    key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: secret), info: Array("modemd identity".utf8), outputByteCount: 32)
  }

  /// A document that can only be opened with the same key, and only as the file of this name.
  func seal(_ document: JSONValue, as file: String) -> JSONValue {
    let plain = Array(document.text.utf8)
    guard let box = try? AES.GCM.seal(plain, using: key, authenticating: Array(file.utf8)), let bytes = box.combined
    // Impossible: the key is derived with 32 bytes, and the nonce is the library's own.
    else { preconditionFailure("AES-256-GCM takes a key of 32 bytes") }
    return .object(["sealed": .string(Self.way), "content": .string(Base64.encode(Array(bytes)))])
  }

  /// Whether a document is sealed.
  static func isSealed(_ document: JSONValue) -> Bool { document["sealed"] != nil }

  /// The content of an encrypted document; nil if it is damaged, another file's, or encrypted with
  /// another key.
  func open(_ document: JSONValue, as file: String) -> JSONValue? {
    guard document["sealed"]?.string == Self.way,
      let bytes = document["content"]?.string.flatMap({ Base64.decode($0) }),
      let box = try? AES.GCM.SealedBox(combined: bytes),
      let plain = try? AES.GCM.open(box, using: key, authenticating: Array(file.utf8))
    else { return nil }
    return JSONValue(parsing: Array(plain))
  }
}

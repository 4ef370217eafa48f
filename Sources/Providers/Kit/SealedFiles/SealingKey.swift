import AuthCore
import JSONTree
import ModemModel

/// Encrypts the files of one purpose with AES-256-GCM (NIST SP 800-38D), under a key derived from a
/// credential of the service (HKDF, RFC 5869). systemd can bind that credential to this machine's
/// TPM or host key (systemd-creds(1)).
package struct SealingKey: Sendable {
  /// What is sealed: files of one purpose do not open as those of another.
  package enum Purpose: String, Sendable {
    /// Identities of MIRACL's users.
    case identities = "modemd identity"
    /// Tokens of operators' entitlement servers.
    case tokens = "modemd token"
  }

  /// The credential's name.
  package static let credential = "identity-key"
  /// Its least number of bytes.
  package static let least = 32
  /// The word in an encrypted document for its algorithm.
  private static let way = "aes-256-gcm"

  private let cipher: AuthenticatedCipher
  private let names: [UInt8]

  /// - Parameters:
  ///   - secret: the credential, at least 32 random bytes in any form.
  ///   - purpose: what is sealed with it.
  /// - Throws: `AuthError` `notConfigured` for less.
  package init(_ secret: [UInt8], for purpose: Purpose) throws(AuthError) {
    guard secret.count >= Self.least else {
      throw AuthError(
        .notConfigured,
        "the credential \(Self.credential) has \(secret.count) bytes; expected are at least \(Self.least), as of `openssl rand -base64 48`"
      )
    }
    guard let cipher = AuthenticatedCipher(deriving: secret, for: Array(purpose.rawValue.utf8)),
      let names = AuthenticatedCipher.derive(secret, for: Array("\(purpose.rawValue) name".utf8), count: 32)
    else {
      throw AuthError(
        .notConfigured,
        "libcrypto makes no key of the credential \(Self.credential); look at openssl.cnf, which may refuse HKDF")
    }
    self.cipher = cipher
    self.names = names
  }

  /// The name of a file, for what it belongs to. It tells nothing of that: without the key, even
  /// whoever tries all numbers of a kind cannot tell which one a name is of.
  ///
  /// - Parameter parts: in a fixed order; together at most 900 bytes.
  /// - Returns: 32 hexadecimal digits; nil where libcrypto refuses.
  package func name(of parts: [String]) -> String? {
    let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
    return AuthenticatedCipher.derive(names, for: Array(text.utf8), count: 16).map { Hexadecimal.text(of: $0) }
  }

  /// A document that only the same key opens, and only as the file of this name; nil where
  /// libcrypto refuses to seal.
  package func seal(_ document: JSONValue, as file: String) -> JSONValue? {
    cipher.seal(Array(document.text.utf8), as: Array(file.utf8)).map { bytes in
      .object(["sealed": .string(Self.way), "content": .string(Base64.encode(bytes))])
    }
  }

  /// Whether a document is sealed.
  package static func isSealed(_ document: JSONValue) -> Bool { document["sealed"] != nil }

  /// The content of an encrypted document; nil if it is damaged, another file's, or encrypted with
  /// another key.
  package func open(_ document: JSONValue, as file: String) -> JSONValue? {
    guard document["sealed"]?.string == Self.way,
      let bytes = document["content"]?.string.flatMap({ Base64.decode($0) }),
      let plain = cipher.open(bytes, as: Array(file.utf8))
    else { return nil }
    return JSONValue(parsing: plain)
  }
}

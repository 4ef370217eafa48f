// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import Crypto
import CryptoExtras
import TokenSigning

/// Keys that are made for one run, and what their public halves say of a token: checked without the
/// library that signs.
enum TestKeys {
  static let rsa = try! _RSA.Signing.PrivateKey(keySize: .bits2048)
  static let ec = P256.Signing.PrivateKey()
  static let shared = Secret("a shared key of more than 32 bytes, for tests")
  static let shortRSA = Secret(try! _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024)).pemRepresentation)

  static func text(for algorithm: SigningKey.Algorithm) -> Secret {
    switch algorithm {
    case .rs256, .ps256: Secret(rsa.pemRepresentation)
    case .es256: Secret(ec.pemRepresentation)
    case .hs256: shared
    }
  }

  static func isValid(_ token: Secret, _ algorithm: SigningKey.Algorithm) throws -> Bool {
    let parts = token.revealed.split(separator: ".")
    let signature = Base64.decode(parts[2]) ?? []
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    switch algorithm {
    case .rs256, .ps256:
      return rsa.publicKey.isValidSignature(
        .init(rawRepresentation: signature), for: SHA256.hash(data: signed),
        padding: algorithm == .rs256 ? .insecurePKCS1v1_5 : .PSS)
    case .es256:
      return ec.publicKey.isValidSignature(
        try P256.Signing.ECDSASignature(rawRepresentation: signature), for: signed)
    case .hs256:
      return HMAC<SHA256>.isValidAuthenticationCode(
        signature, authenticating: signed, using: SymmetricKey(data: Array(shared.revealed.utf8)))
    }
  }
}

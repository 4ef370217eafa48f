// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import Crypto
import CryptoExtras
import Testing
import TokenSigning

/// Private keys that are in the wrong place, damaged, or of somebody who wants them taken for
/// others.
@Suite("Keys that sign, and keys that must not")
struct HostileKeyTests {
  /// On P-256, under the passphrase "secret". Nobody is asked for it.
  private static let encrypted = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIHrMFYGCSqGSIb3DQEFDTBJMCgGCSqGSIb3DQEFDDAbBAjh0/+JR/NkiQIBATAM
    BggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBAgQQuGKlsJwO1FvZVdKbkoeeCQSBkNFA
    SLilUApS4aGUXm8oHBvOLVXexL1h2wa1qDXr8vSVyOtQ/BtvsEZl1xERnn3YAK6S
    3Zsv15tw5s870ZYuyRxVhPE0wBzLXBeSBbl8VUTloR9J0CV/tdvhyUUfn7jV6Y3i
    i4DUnSdE72MQUi2PaHWnaB0eGvMdnf0JLCp2HdS6JuEks0OLBHCdP2IpYWIhtQ==
    -----END ENCRYPTED PRIVATE KEY-----
    """
  private static let edwards = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEID27oz1vxLSEugPfJdMDUdXFMjr7LEkOYWf7H72ybdPK
    -----END PRIVATE KEY-----
    """

  @Test("A key is taken in the form of PKCS #8 and in its own")
  func forms() async throws {
    for pem in [TestKeys.rsa.pemRepresentation, TestKeys.rsa.pkcs8PEMRepresentation] {
      let token = try await SigningKey(Secret(pem), .rs256).sign(.object([:]))
      #expect(try TestKeys.isValid(token, .rs256))
    }
    let token = try await SigningKey(Secret(TestKeys.ec.pemRepresentation), .es256).sign(.object([:]))
    #expect(try TestKeys.isValid(token, .es256))
  }

  static let refused: [(String, String)] = [
    ("a passphrase", encrypted), ("Ed25519", edwards),
    ("P-384", P384.Signing.PrivateKey().pemRepresentation),
    ("a public RSA key", TestKeys.rsa.publicKey.pemRepresentation),
    ("a public EC key", TestKeys.ec.publicKey.pemRepresentation),
    ("a cut key", String(TestKeys.rsa.pemRepresentation.prefix(800))),
    ("a long text", String(repeating: "x", count: 1 << 20) + TestKeys.rsa.pemRepresentation),
    ("another's public half", mixed),
  ]

  /// A key whose public half is another's: what it signs would tell of the private one, or be good
  /// for nobody.
  private static let mixed: String = {
    let der = Array(TestKeys.ec.derRepresentation)
    let point = Array(P256.Signing.PrivateKey().publicKey.x963Representation)
    let lines = Base64.encode(der.dropLast(point.count) + point)
    return
      "-----BEGIN PRIVATE KEY-----\n\(lines.prefix(64))\n\(lines.dropFirst(64).prefix(64))\n\(lines.dropFirst(128))\n-----END PRIVATE KEY-----\n"
  }()

  @Test("No other key signs", arguments: refused.indices)
  func other(index: Int) {
    for algorithm in [SigningKey.Algorithm.rs256, .ps256, .es256] {
      let error = #expect(throws: AuthError.self, "\(Self.refused[index].0), \(algorithm)") {
        try SigningKey(Secret(Self.refused[index].1), algorithm)
      }
      #expect(error?.code == .notConfigured)
    }
  }

  @Test("A shared secret has at least 32 bytes", arguments: [(31, false), (32, true), (64, true)])
  func shared(count: Int, isTaken: Bool) {
    let key = try? SigningKey(Secret(String(repeating: "k", count: count)), .hs256)
    #expect((key != nil) == isTaken)
  }
}

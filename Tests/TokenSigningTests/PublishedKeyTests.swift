import AuthCore
import Crypto
import CryptoExtras
import JSONTree
import Testing
import TokenSigning

@Suite("Keys that providers publish")
struct PublishedKeyTests {
  static let key = try! _RSA.Signing.PrivateKey(keySize: .bits2048)
  static let message = Array("(request-target): get /back?check_id=1".utf8)

  static func published(_ alg: String? = nil, kty: String = "RSA") throws -> JSONValue {
    let numbers = try key.publicKey.getKeyPrimitives()
    var members: [String: JSONValue] = [
      "kid": .string("k"), "kty": .string(kty), "n": .string(Base64.encodeURL(Array(numbers.modulus))),
      "e": .string(Base64.encodeURL(Array(numbers.publicExponent))),
    ]
    members["alg"] = alg.map { .string($0) }
    return .object(members)
  }

  static func sign(_ isLong: Bool) throws -> [UInt8] {
    let signature =
      isLong
      ? try key.signature(for: SHA512.hash(data: message), padding: .insecurePKCS1v1_5)
      : try key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
    return Array(signature.rawRepresentation)
  }

  @Test(
    "A signature is compared by the algorithm that signature and key agree on",
    arguments: [
      ("rsa-sha256", String?.none, false, true), ("rsa-sha256", "RS256", false, true), (nil, "RS256", false, true),
      ("hs2019", "RS512", true, true), ("rsa-sha512", nil, true, true), ("rsa-sha512", nil, false, false),
      ("rsa-sha256", "RS512", false, false), (nil, nil, false, false), ("hmac-sha256", nil, false, false),
    ] as [(String?, String?, Bool, Bool)])
  func algorithms(algorithm: String?, alg: String?, isLong: Bool, isGood: Bool) throws {
    #expect(
      PublishedKey.signed(try Self.published(alg), algorithm, Self.message, try Self.sign(isLong)) == isGood)
  }

  @Test("Nothing that was changed passes")
  func changed() throws {
    let signature = try Self.sign(false)
    let key = try Self.published()
    #expect(!PublishedKey.signed(key, "rsa-sha256", Self.message + [0x20], signature))
    #expect(!PublishedKey.signed(key, "rsa-sha256", Self.message, signature.dropLast() + [signature.last! ^ 1]))
    #expect(!PublishedKey.signed(key, "rsa-sha256", Self.message, []))
    #expect(!PublishedKey.signed(try Self.published(kty: "oct"), "rsa-sha256", Self.message, signature))
    #expect(!PublishedKey.signed(.object(["kty": .string("RSA")]), "rsa-sha256", Self.message, signature))
  }
}

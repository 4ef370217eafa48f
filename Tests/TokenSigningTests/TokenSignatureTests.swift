// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import Crypto
import CryptoExtras
import JSONTree
import Testing
import TokenSigning

@Suite("Signatures of providers' tokens")
struct TokenSignatureTests {
  static let claims = JSONValue.object(["iss": .string("https://op.example"), "sub": .string("pcr")])
  static let other = try! _RSA.Signing.PrivateKey(keySize: .bits2048)

  static func rsa(
    _ key: _RSA.Signing.PrivateKey = TestKeys.rsa, kid: String? = "k1", alg: String? = nil, use: String? = nil
  ) -> JSONValue {
    let numbers = try! key.publicKey.getKeyPrimitives()
    var members: [String: JSONValue] = [
      "kty": .string("RSA"), "n": .string(Base64.encodeURL(Array(numbers.modulus))),
      "e": .string(Base64.encodeURL(Array(numbers.publicExponent))),
    ]
    for (name, value) in [("kid", kid), ("alg", alg), ("use", use)] { members[name] = value.map { .string($0) } }
    return .object(members)
  }

  static func ec(kid: String? = "k1") -> JSONValue {
    let point = Array(TestKeys.ec.publicKey.rawRepresentation)
    var members: [String: JSONValue] = [
      "kty": .string("EC"), "crv": .string("P-256"), "x": .string(Base64.encodeURL(Array(point.prefix(32)))),
      "y": .string(Base64.encodeURL(Array(point.suffix(32)))),
    ]
    members["kid"] = kid.map { .string($0) }
    return .object(members)
  }

  static func set(_ keys: JSONValue...) -> JSONValue { .object(["keys": .array(keys)]) }

  static func token(_ algorithm: SigningKey.Algorithm = .rs256, kid: String? = "k1") async throws -> Secret {
    try await SigningKey(TestKeys.text(for: algorithm), algorithm, id: kid).sign(claims)
  }

  /// A token with this header and the signature of another.
  static func token(header: String, signature: String = "c2ln") -> Secret {
    Secret([header, claims.text].map { Base64.encodeURL(Array($0.utf8)) }.joined(separator: ".") + ".\(signature)")
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var algorithm = SigningKey.Algorithm.rs256
    var kid: String? = "k1"
    let keys: JSONValue
    let verdict: SignatureVerdict
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "RS256, the key without alg", keys: set(rsa()), verdict: .good),
    Row(name: "RS256, the key's alg and use said", keys: set(rsa(alg: "RS256", use: "sig")), verdict: .good),
    Row(name: "the right one of two", keys: set(rsa(other, kid: "k0"), rsa()), verdict: .good),
    Row(name: "two of the same id", keys: set(rsa(other), rsa()), verdict: .good),
    Row(name: "no id, one key", kid: nil, keys: set(rsa(kid: nil)), verdict: .good),
    Row(name: "no id in the token, ids in the set", kid: nil, keys: set(rsa(other, kid: "k0"), rsa()), verdict: .good),
    Row(name: "PS256", algorithm: .ps256, keys: set(rsa()), verdict: .good),
    Row(name: "ES256", algorithm: .es256, keys: set(ec()), verdict: .good),
    Row(name: "the right one of two kinds", algorithm: .es256, keys: set(rsa(), ec()), verdict: .good),
    Row(name: "another key of that id", keys: set(rsa(other)), verdict: .forged),
    Row(name: "another id", keys: set(rsa(kid: "k2")), verdict: .keyMissing),
    Row(name: "a key without id, a token with one", keys: set(rsa(kid: nil)), verdict: .keyMissing),
    Row(name: "a key of another alg", keys: set(rsa(alg: "PS256")), verdict: .keyMissing),
    Row(name: "a key for encryption", keys: set(rsa(use: "enc")), verdict: .keyMissing),
    Row(name: "a key of another kind", keys: set(ec()), verdict: .keyMissing),
    Row(name: "an empty set", keys: set(), verdict: .keyMissing),
    Row(name: "no set", keys: .object([:]), verdict: .keyMissing),
    Row(
      name: "a key that is none", keys: set(.object(["kty": .string("RSA"), "kid": .string("k1")])), verdict: .forged),
    Row(
      name: "a shared key, published", algorithm: .hs256,
      keys: set(
        .object([
          "kty": .string("oct"), "kid": .string("k1"),
          "k": .string(Base64.encodeURL(Array(TestKeys.shared.revealed.utf8))),
        ])), verdict: .algorithmRefused),
  ]

  @Test("A key counts by id, kind, use and algorithm, and only its own signature passes", arguments: rows)
  func verdicts(row: Row) async throws {
    let token = try await Self.token(row.algorithm, kid: row.kid)
    #expect(await TokenSignature.verdict(on: token, by: row.keys) == row.verdict)
  }

  @Test(
    "What is no token, or not signed with a published key, never passes",
    arguments: [
      (token(header: #"{"alg":"none","kid":"k1"}"#, signature: ""), SignatureVerdict.algorithmRefused),
      (token(header: #"{"alg":"None","kid":"k1"}"#), .algorithmRefused),
      (token(header: #"{"alg":"RS1","kid":"k1"}"#), .algorithmRefused),
      (token(header: #"{"alg":"RS512","kid":"k1"}"#), .algorithmRefused), (token(header: #"{"kid":"k1"}"#), .malformed),
      (token(header: #"{"alg":"RS256","kid":"k1","crit":["exp"]}"#), .malformed), (Secret(""), .malformed),
      (Secret("a.b"), .malformed), (Secret("a.b.c.d.e"), .malformed), (Secret("!.!.!"), .malformed),
      (token(header: #"{"alg":"RS256","kid":"k1"}"#), .forged),
      (token(header: #"{"alg":"RS256","kid":"k1"}"#, signature: ""), .forged),
    ])
  func refused(token: Secret, verdict: SignatureVerdict) async {
    #expect(await TokenSignature.verdict(on: token, by: Self.set(Self.rsa())) == verdict)
  }

  @Test("Nothing that was changed passes")
  func changed() async throws {
    let token = try await Self.token().revealed
    let parts = token.split(separator: ".").map(String.init)
    let claims = Base64.encodeURL(Array(#"{"sub":"other"}"#.utf8))
    #expect(await TokenSignature.verdict(on: Secret(token), by: Self.set(Self.rsa())) == .good)
    for changed in [
      "\(parts[0]).\(claims).\(parts[2])", token.dropLast(4) + "AAAA", "\(parts[0]).\(parts[1]).\(parts[1])",
    ] {
      #expect(await TokenSignature.verdict(on: Secret(String(changed)), by: Self.set(Self.rsa())) == .forged)
    }
  }

  @Test("A key that signs for one algorithm is not taken for another")
  func confusion() async throws {
    // An attacker who takes the public RSA key for a shared one.
    let header = #"{"alg":"HS256","kid":"k1"}"#
    let signed = [header, Self.claims.text].map { Base64.encodeURL(Array($0.utf8)) }.joined(separator: ".")
    let code = HMAC<SHA256>.authenticationCode(
      for: Array(signed.utf8), using: SymmetricKey(data: Array(TestKeys.rsa.publicKey.pemRepresentation.utf8)))
    let token = Secret(signed + "." + Base64.encodeURL(Array(code)))
    #expect(await TokenSignature.verdict(on: token, by: Self.set(Self.rsa())) == .algorithmRefused)
    let pss = try await Self.token(.ps256)
    #expect(await TokenSignature.verdict(on: pss, by: Self.set(Self.rsa(alg: "RS256"))) == .keyMissing)
  }
}

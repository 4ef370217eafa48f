// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import Crypto
import CryptoExtras
import JSONTree
import Testing
import TokenSigning

/// Tokens and keys as somebody makes them who has no key of the provider's, or one reader too many.
@Suite("Hostile tokens and keys", .timeLimit(.minutes(2)))
struct HostileTokenTests {
  private static let header = #"{"alg":"RS256","kid":"k1"}"#
  private static let claims = #"{"sub":"pcr"}"#

  private static func encode(_ text: String) -> String { Base64.encodeURL(Array(text.utf8)) }

  /// A token whose signature by the test's RSA key is right.
  private static func signed(
    header: String = header, claims: String = claims, by key: _RSA.Signing.PrivateKey = TestKeys.rsa,
    padding: _RSA.Signing.Padding = .insecurePKCS1v1_5
  ) -> String {
    let text = "\(encode(header)).\(encode(claims))"
    let signature = try! key.signature(for: SHA256.hash(data: Array(text.utf8)), padding: padding)
    return "\(text).\(Base64.encodeURL(Array(signature.rawRepresentation)))"
  }

  private static func verdict(_ token: String, _ keys: JSONValue...) async -> SignatureVerdict {
    let keys = keys.isEmpty ? [TokenSignatureTests.rsa(), TokenSignatureTests.ec()] : keys
    return await TokenSignature.verdict(on: Secret(token), by: .object(["keys": .array(keys)]))
  }

  private static func ec(_ raw: [UInt8]) -> String {
    "\(encode(#"{"alg":"ES256","kid":"k1"}"#)).\(encode(claims)).\(Base64.encodeURL(raw))"
  }

  @Test("The right token is good")
  func right() async {
    #expect(await Self.verdict(Self.signed()) == .good)
  }

  static let shapes: [@Sendable (String) -> String] = [
    { "\($0)." }, { ".\($0)" }, { "\($0).\(encode("x"))" }, { $0 + "=" }, { $0 + "==" }, { " \($0)" }, { $0 + "\n" },
    { $0.replacing(".", with: ".\n", maxReplacements: 1) }, { $0.replacing(".", with: "", maxReplacements: 1) },
    { $0 + "\u{0}" }, { $0.replacing(".", with: "=.", maxReplacements: 1) },
    { $0.replacing(".", with: "\u{2024}") }, { _ in String(repeating: ".", count: 100_000) },
    { _ in String(repeating: "A", count: 2 << 20) + ".e30." },
    { token in
      let parts = token.split(separator: ".")
      return #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","signature":"\#(parts[2])"}"#
    },
    // The last character of 256 bytes has four bits that say nothing.
    { $0.dropLast() + String(UnicodeScalar($0.utf8.last! + 1)) },
  ]

  @Test("A token has one text: what has another is none", arguments: shapes.indices)
  func shape(index: Int) async {
    #expect(await Self.verdict(Self.shapes[index](Self.signed())) == .malformed)
  }

  @Test("The other alphabet inside a signature is refused")
  func alphabet() async {
    // Until there is one with both characters.
    var (token, number) = (Self.signed(), 0)
    while !(token.contains("-") && token.contains("_")) {
      number += 1
      token = Self.signed(claims: #"{"sub":"\(number)"}"#)
    }
    #expect(await Self.verdict(token) == .good)
    #expect(await Self.verdict(token.replacing("-", with: "+")) == .malformed)
    #expect(await Self.verdict(token.replacing("_", with: "/")) == .malformed)
  }

  @Test(
    "A header that two readers could take differently is none, however it is signed",
    arguments: [
      #"{"alg":"RS256","alg":"none","kid":"k1"}"#, #"{"alg":["RS256"],"kid":"k1"}"#, #"{"alg":1,"kid":"k1"}"#,
      #"{"alg":null,"kid":"k1"}"#, #"{"alg":"","kid":"k1"}"#, #"{"alg":"RS256","crit":[],"kid":"k1"}"#,
      #"{"alg":"RS256","crit":null,"kid":"k1"}"#, #"{"alg":"RS256","b64":false,"crit":["b64"],"kid":"k1"}"#, "[]",
      "\"RS256\"", "", "{", #"{"alg":"RS256"} {}"#,
    ])
  func header(text: String) async {
    #expect(await Self.verdict(Self.signed(header: text)) == .malformed)
  }

  @Test("Claims that are no object are none", arguments: ["", "[]", "1", "{", #"{"sub":"a","sub":"b"}"#])
  func claims(text: String) async {
    #expect(await Self.verdict(Self.signed(claims: text)) == .malformed)
  }

  @Test(
    "An algorithm is one of the list, letter by letter",
    arguments: ["none", "NONE", "nOnE", "rs256", "RS256 ", "RS384", "RS512", "HS256", "EdDSA", "ES256K", "RSA1_5"])
  func algorithm(name: String) async {
    #expect(await Self.verdict(Self.signed(header: #"{"alg":"\#(name)","kid":"k1"}"#)) == .algorithmRefused)
  }

  @Test("A key that a token brings along is not used", arguments: ["jwk", "jku", "x5u", "x5c"])
  func ownKey(member: String) async {
    let own = TokenSignatureTests.rsa(TokenSignatureTests.other)
    let value = member == "jwk" ? own.text : member == "x5c" ? #"["MIIB"]"# : #""https://thief.example/keys""#
    let token = Self.signed(
      header: #"{"alg":"RS256","kid":"k1","\#(member)":\#(value)}"#, by: TokenSignatureTests.other)
    #expect(await Self.verdict(token) == .forged)
  }

  @Test("Another padding than the algorithm's is refused")
  func padding() async {
    #expect(await Self.verdict(Self.signed(padding: .PSS)) == .forged)
    let pss = #"{"alg":"PS256","kid":"k1"}"#
    #expect(await Self.verdict(Self.signed(header: pss, padding: .PSS)) == .good)
    #expect(await Self.verdict(Self.signed(header: pss)) == .forged)
  }

  @Test("With an exponent of 1 the padded hash is its own signature; such a key is none")
  func exponentOne() async {
    let text = "\(Self.encode(Self.header)).\(Self.encode(Self.claims))"
    // DigestInfo of SHA-256 (RFC 8017, 9.2, note 1).
    let info: [UInt8] = [
      0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20,
    ]
    let hash = info + Array(SHA256.hash(data: Array(text.utf8)))
    let padded = [0, 1] + [UInt8](repeating: 0xff, count: 256 - 3 - hash.count) + [0] + hash
    let token = "\(text).\(Base64.encodeURL(padded))"
    for exponent: [UInt8] in [[1], [0, 0, 1], [0], [], [2], [1, 0, 0], [1, 0, 0, 0, 0, 0, 1]] {
      #expect(await Self.verdict(token, Self.rsa(exponent: exponent)) == .forged, "\(exponent)")
    }
  }

  /// The test's RSA key with other numbers.
  private static func rsa(modulus: [UInt8]? = nil, exponent: [UInt8]? = nil) -> JSONValue {
    guard case .object(var members) = TokenSignatureTests.rsa() else { return .null }
    if let modulus { members["n"] = .string(Base64.encodeURL(modulus)) }
    if let exponent { members["e"] = .string(Base64.encodeURL(exponent)) }
    return .object(members)
  }

  @Test("A short, even, empty or endless modulus makes no key")
  func moduli() async throws {
    let short = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024))
    #expect(await Self.verdict(Self.signed(by: short), TokenSignatureTests.rsa(short)) == .forged)
    let modulus = Array(try TestKeys.rsa.publicKey.getKeyPrimitives().modulus)
    #expect(await Self.verdict(Self.signed(), Self.rsa(modulus: [0] + modulus)) == .good)
    let even = Array(modulus.dropLast()) + [modulus.last! & 0xfe]
    let all: [[UInt8]] = [
      [], [0], [1], even, [UInt8](repeating: 0, count: 256), [UInt8](repeating: 0xff, count: 100_000),
    ]
    for wrong in all {
      #expect(await Self.verdict(Self.signed(), Self.rsa(modulus: wrong)) == .forged)
    }
  }

  @Test("A signature that is longer or shorter than the key makes them is refused")
  func lengths() async {
    let parts = Self.signed().split(separator: ".")
    let signature = Base64.decode(parts[2]) ?? []
    for wrong in [[0] + signature, signature + [0], Array(signature.dropLast()), Array(signature.dropFirst())] {
      #expect(await Self.verdict("\(parts[0]).\(parts[1]).\(Base64.encodeURL(wrong))") == .forged)
    }
  }

  @Test("ES256 takes r and s of 32 bytes, and neither may be zero or as large as the group")
  func ecdsa() async throws {
    let text = Self.ec([]).dropLast()
    let signature = try TestKeys.ec.signature(for: Array(text.utf8))
    let raw = Array(signature.rawRepresentation)
    #expect(await Self.verdict(Self.ec(raw)) == .good)
    let order: [UInt8] =
      [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0] + [UInt8](repeating: 0xff, count: 8)
      + [0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51]
    let zero = [UInt8](repeating: 0, count: 32)
    let (r, s) = (Array(raw.prefix(32)), Array(raw.suffix(32)))
    for wrong in [
      zero + zero, zero + s, r + zero, order + order, r + order, order + s, s + r, raw + [0], Array(raw.dropLast()), [],
      Array(signature.derRepresentation), [UInt8](repeating: 0xff, count: 64),
    ] {
      #expect(await Self.verdict(Self.ec(wrong)) == .forged)
    }
  }

  @Test("A point that is not of P-256 makes no key")
  func points() async throws {
    let token = Self.ec(Array(try TestKeys.ec.signature(for: Array(Self.ec([]).dropLast().utf8)).rawRepresentation))
    let point = Array(TestKeys.ec.publicKey.rawRepresentation)
    let (x, y) = (Array(point.prefix(32)), Array(point.suffix(32)))
    let zero = [UInt8](repeating: 0, count: 32)
    for (x, y) in [
      (y, x), (zero, zero), (x, x), ([0] + x, y), (Array(x.dropLast()), y), (x, []),
      ([UInt8](repeating: 0xff, count: 32), y),
    ] {
      let key = JSONValue.object([
        "kty": .string("EC"), "crv": .string("P-256"), "kid": .string("k1"), "x": .string(Base64.encodeURL(x)),
        "y": .string(Base64.encodeURL(y)),
      ])
      #expect(await Self.verdict(token, key) == .forged)
    }
  }

  @Test("A key for another use, or of another curve, does not count")
  func uses() async {
    func with(_ name: String, _ value: JSONValue, _ key: JSONValue) -> JSONValue {
      guard case .object(var members) = key else { return .null }
      members[name] = value
      return .object(members)
    }
    let rsa = TokenSignatureTests.rsa()
    #expect(await Self.verdict(Self.signed(), with("key_ops", .array([.string("verify")]), rsa)) == .good)
    #expect(await Self.verdict(Self.signed(), with("key_ops", .array([.string("encrypt")]), rsa)) == .keyMissing)
    #expect(await Self.verdict(Self.signed(), with("kty", .string("oct"), rsa)) == .keyMissing)
    let ec = TokenSignatureTests.ec()
    for curve in ["P-384", "secp256k1", "p-256", ""] {
      #expect(await Self.verdict(Self.ec([]), with("crv", .string(curve), ec)) == .keyMissing)
    }
  }
}

import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import RedirectChain
import Testing
import TokenSigning
import Web

@Suite("Signing of tokens")
struct SigningKeyTests {
  static let claims = JSONValue.object(["iss": .string("app-1"), "exp": .int(1_700_000_300), "flag": .bool(true)])

  static func parts(_ token: Secret) -> [JSONValue?] {
    token.revealed.split(separator: ".").map { Base64.decode($0).flatMap { JSONValue(parsing: $0) } }
  }

  @Test("A key signs what it is given, with its algorithm and id", arguments: SigningKey.Algorithm.allCases)
  func signs(algorithm: SigningKey.Algorithm) async throws {
    let key = try SigningKey(TestKeys.text(for: algorithm), algorithm, id: "key-7")
    let token = try await key.sign(Self.claims)
    let parts = Self.parts(token)
    #expect(parts.count == 3)
    #expect(parts[0]?["alg"]?.string == algorithm.rawValue && parts[0]?["kid"]?.string == "key-7")
    #expect(parts[1] == Self.claims)
    #expect(try TestKeys.isValid(token, algorithm))
    let changed = Secret(token.revealed.replacing("ey", with: "ex", maxReplacements: 1))
    #expect(try TestKeys.isValid(changed, algorithm) == false)
  }

  @Test("What is no key is refused, without telling it", arguments: SigningKey.Algorithm.allCases)
  func refused(algorithm: SigningKey.Algorithm) {
    for text in ["", "hunter2", "-----BEGIN PRIVATE KEY-----\naGVsbG8=\n-----END PRIVATE KEY-----\n"] {
      if algorithm == .hs256, text.utf8.count >= 32 { continue }
      do {
        _ = try SigningKey(Secret(text), algorithm)
        Issue.record("\(algorithm) takes a key that is none")
      } catch {
        #expect(error.code == .notConfigured)
        #expect(text.isEmpty || !error.message.contains(text))
      }
    }
  }

  @Test("A key of the other kind, or a short one, is refused")
  func otherKind() {
    #expect(throws: AuthError.self) { try SigningKey(TestKeys.text(for: .es256), .rs256) }
    #expect(throws: AuthError.self) { try SigningKey(TestKeys.text(for: .rs256), .es256) }
    #expect(throws: AuthError.self) { try SigningKey(TestKeys.shortRSA, .rs256) }
  }

  @Test(
    "A client's assertion names client, audience and a new id, and lives at most 300 seconds",
    arguments: [
      (60, 60), (300, 300), (4000, 300), (0, 1),
    ])
  func assertion(lifetime: Int, lives: Int) async throws {
    let key = try SigningKey(TestKeys.text(for: .es256), .es256)
    let client = OpenIDClient(id: "app-1", .signature(key, audience: nil))
    let tools = OpenIDTools(sha256: { Digest.sha256($0) })
    let now = Timestamp(milliseconds: 1_700_000_000_999)
    let endpoint = try WebURL("https://auth.example/token")
    var ids: Set<String> = []
    for _ in 0..<2 {
      guard case .assertion(let token) = try await client.proof(for: endpoint, lifetime: lifetime, tools, at: now)
      else {
        Issue.record("no assertion")
        return
      }
      let claims = try #require(Self.parts(token)[1])
      #expect(claims["iss"] == .string("app-1") && claims["sub"] == .string("app-1"))
      #expect(claims["aud"] == .string("https://auth.example/token"))
      #expect(claims["iat"] == .int(1_700_000_000) && claims["exp"] == .int(1_700_000_000 + lives))
      ids.insert(try #require(claims["jti"]?.string))
    }
    #expect(ids.count == 2)
    let named = OpenIDClient(id: "app-1", .signature(key, audience: "https://issuer.example"))
    guard case .assertion(let token) = try await named.proof(for: endpoint, tools, at: now) else { return }
    #expect(Self.parts(token)[1]?["aud"] == .string("https://issuer.example"))
  }
}

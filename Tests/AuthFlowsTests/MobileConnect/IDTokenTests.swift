import AuthCore
import JSONTree
import RedirectChain
import Testing

@testable import AuthFlows
@testable import MobileConnectFlows

@Suite("Mobile Connect: validation of ID tokens")
struct IDTokenTests {
  typealias Stage = MobileConnectStage

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var version = MobileConnectVersion.v2_3
    /// The check that refuses; nil for a token that is good.
    let check: String?
    var signature = "good"
    var request: @Sendable (inout MobileConnectRequest) -> Void = { $0.loginHint = .number(MobileConnectStage.number) }
    var change: @Sendable (inout [String: JSONValue]) -> Void = { _ in }
    var testDescription: String { name }
  }

  static let now = Stage.seconds
  static let parties: [Row] = [
    Row(name: "all is right", check: nil),
    Row(name: "another key's signature", check: "signature", signature: "forged"),
    Row(name: "a key that is not published", check: "signature", signature: "unknown"),
    Row(name: "alg none, in version 1.1 too", version: .v1_1, check: "alg", signature: "none"),
    Row(name: "a header that is odd", check: "form", signature: "odd"),
    Row(name: "another issuer", check: "iss", change: { $0["iss"] = .string("https://other.example") }),
    Row(
      name: "the issuer with a slash is another", check: "iss", change: { $0["iss"] = .string("https://op.example/") }),
    Row(name: "no issuer", check: "iss", change: { $0["iss"] = nil }),
    Row(name: "another audience", check: "aud", change: { $0["aud"] = .string("app-2") }),
    Row(name: "no audience, although azp is right", check: "aud", change: { $0["aud"] = nil }),
    Row(name: "one audience in a list", check: nil, change: { $0["aud"] = .array([.string("app-1")]) }),
    Row(
      name: "several audiences and azp", check: nil, change: { $0["aud"] = .array([.string("x"), .string("app-1")]) }),
    Row(
      name: "several audiences without azp", check: "azp",
      change: {
        $0["aud"] = .array([.string("x"), .string("app-1")])
        $0["azp"] = nil
      }),
    Row(name: "one audience without azp", check: nil, change: { $0["azp"] = nil }),
    Row(name: "another azp", check: "azp", change: { $0["azp"] = .string("app-2") }),
    Row(name: "another nonce", check: "nonce", change: { $0["nonce"] = .string("other") }),
    Row(name: "no nonce", check: "nonce", change: { $0["nonce"] = nil }),
    Row(name: "no subject", check: "sub", change: { $0["sub"] = nil }),
  ]

  static let times: [Row] = [
    Row(name: "over", check: "exp", change: { $0["exp"] = .int(now - 61) }),
    Row(name: "over within the clocks' difference", check: nil, change: { $0["exp"] = .int(now - 59) }),
    Row(name: "no end", check: "exp", change: { $0["exp"] = nil }),
    Row(name: "an end that is no number", check: "exp", change: { $0["exp"] = .string("soon") }),
    Row(name: "the greatest end", check: "exp", change: { $0["exp"] = .int(.max) }),
    Row(name: "made in the future", check: "iat", change: { $0["iat"] = .int(now + 61) }),
    Row(name: "no time of making", check: "iat", change: { $0["iat"] = nil }),
    Row(name: "older than was asked for", check: "iat", change: { $0["iat"] = .int(now - 3661) }),
    Row(name: "as old as was asked for", check: nil, change: { $0["iat"] = .int(now - 3600) }),
    Row(
      name: "a fresh authentication was asked for", check: "iat",
      request: { $0.maximumAge = 0 }, change: { $0["iat"] = .int(now - 61) }),
    Row(name: "authenticated too long ago", check: "auth_time", change: { $0["auth_time"] = .int(now - 4000) }),
    Row(name: "authenticated lately", check: nil, change: { $0["auth_time"] = .int(now - 60) }),
  ]

  static let assurance: [Row] = [
    Row(name: "another access token's hash", check: "at_hash", change: { $0["at_hash"] = .string("AAAA") }),
    Row(
      name: "another's hash in 1.1 too", version: .v1_1, check: "at_hash", change: { $0["at_hash"] = .string("AAAA") }),
    Row(name: "no hash in 2.3", check: "at_hash", change: { $0["at_hash"] = nil }),
    Row(name: "no hash in 3.0", version: .v3_0, check: "at_hash", change: { $0["at_hash"] = nil }),
    Row(name: "no hash in 2.0", version: .v2_0, check: nil, change: { $0["at_hash"] = nil }),
    Row(name: "no hash in 1.1", version: .v1_1, check: nil, change: { $0["at_hash"] = nil }),
    Row(name: "no acr in 2.3", check: "acr", change: { $0["acr"] = nil }),
    Row(name: "no acr in 1.2", version: .v1_2, check: nil, change: { $0["acr"] = nil }),
    Row(name: "a lower acr", check: "acr", request: { $0.acr = ["3"] }),
    Row(name: "a lower acr in 1.1 too", version: .v1_1, check: "acr", request: { $0.acr = ["3"] }),
    Row(name: "a higher acr", check: nil, change: { $0["acr"] = .string("3") }),
    Row(name: "the lower of two that were asked for", check: nil, request: { $0.acr = ["3", "2"] }),
    Row(name: "acr as a number", check: nil, change: { $0["acr"] = .int(2) }),
    Row(name: "acr that is a word", check: "acr", change: { $0["acr"] = .string("loa2") }),
    Row(name: "no amr in 2.3", check: "amr", change: { $0["amr"] = nil }),
    Row(name: "an empty amr in 3.0", version: .v3_0, check: "amr", change: { $0["amr"] = .array([]) }),
    Row(name: "amr as text", check: nil, change: { $0["amr"] = .string("SEAM_OK") }),
    Row(name: "no amr in 2.0", version: .v2_0, check: nil, change: { $0["amr"] = nil }),
    Row(name: "another login hint", check: "hashed_login_hint", change: { $0["hashed_login_hint"] = .string("00") }),
    Row(
      name: "the hash of the digits alone", check: "hashed_login_hint",
      change: { $0["hashed_login_hint"] = .string("2f5a") }),
    Row(name: "no hashed login hint in 2.3", check: "hashed_login_hint", change: { $0["hashed_login_hint"] = nil }),
    Row(name: "no hashed login hint in 1.2", version: .v1_2, check: nil, change: { $0["hashed_login_hint"] = nil }),
    Row(
      name: "no hint was sent, and none is hashed", check: nil, request: { _ in },
      change: { $0["hashed_login_hint"] = nil }),
    Row(
      name: "what is hashed of an encrypted number is not known", check: nil,
      request: { $0.loginHint = .encrypted(Secret("ab12")) }, change: { $0["hashed_login_hint"] = .string("00") }),
    Row(
      name: "but it must be there", check: "hashed_login_hint",
      request: { $0.loginHint = .encrypted(Secret("ab12")) }, change: { $0["hashed_login_hint"] = nil }),
  ]

  @Test("Each check refuses by its name", arguments: parties + times + assurance)
  func checks(row: Row) async throws {
    var claims = Stage.claims
    row.change(&claims)
    let stage = Stage(Stage.login(Stage.tokens(Stage.token(claims, signature: row.signature))))
    let end = try await stage.flow(Stage.settings { $0.version = row.version })
      .login(Stage.request(row.request), OperatorQuery())
    #expect(end.outcome.result == (row.check == nil ? .signedIn : .tokenRefused), "\(end.outcome)")
    #expect(end.outcome.code == row.check)
    #expect((end.answer?.tokens?.claims == .object(claims)) == (row.check == nil))
    for secret in Stage.secrets { #expect(!end.outcome.text.contains(secret)) }
  }

  @Test(
    "What is no ID token is refused, whatever the version",
    arguments: [
      (String?.none, "id_token"), ("opaque", "form"), ("a.b", "form"), ("a.b.c.d.e", "form"), ("e30.W10.good", "form"),
    ])
  func form(token: String?, check: String) async throws {
    for version in MobileConnectVersion.known {
      let stage = Stage(Stage.login(Stage.tokens(token)))
      let end = try await stage.flow(Stage.settings { $0.version = version }).login(Stage.request(), OperatorQuery())
      #expect(end.outcome.result == .tokenRefused && end.outcome.code == check && end.answer?.tokens == nil)
    }
  }

  @Test("Without keys or issuer no token is good, in version 1.1 neither", arguments: ["signature", "iss"])
  func unknown(what: String) async throws {
    var found = Stage.endpoints
    if what == "iss" { found.issuer = nil } else { found.endpoints[.keys] = nil }
    let settings = Stage.settings { [found] in
      $0.source = .endpoints(found)
      $0.version = .v1_1
    }
    let end = try await Stage(Stage.login()).flow(settings).login(Stage.request(), OperatorQuery())
    #expect(end.outcome.result == .tokenRefused && end.outcome.code == what)
  }

  @Test("Keys are kept; one that is not among them is asked for once, and no more")
  func keys() async throws {
    let stage = Stage(Stage.login())
    let settings = Stage.settings()
    for _ in 1...2 { _ = try await stage.flow(settings).login(Stage.request(), OperatorQuery()) }
    #expect(stage.asked.count { $0 == "readKeys" } == 1)
    stage.set("exchangeCode", Stage.tokens(Stage.token(signature: "new")))
    stage.set("readKeys", .reply(200, #"{"keys":[{"kid":"k1"},{"kid":"k2"}]}"#))
    #expect(try await stage.flow(settings).login(Stage.request(), OperatorQuery()).outcome.result == .signedIn)
    #expect(stage.asked.count { $0 == "readKeys" } == 2)
    stage.set("exchangeCode", Stage.tokens(Stage.token(signature: "unknown")))
    let end = try await stage.flow(settings).login(Stage.request(), OperatorQuery())
    #expect(end.outcome.code == "signature" && stage.asked.count { $0 == "readKeys" } == 3)
  }

  @Test("Keys that cannot be had are the end, and not a token that passes")
  func noKeys() async throws {
    let stage = Stage(Stage.login().merging(["readKeys": [.failure(.timeout)]]) { $1 })
    let end = try await stage.flow(Stage.settings()).login(Stage.request(), OperatorQuery())
    #expect(end.outcome.result == .timeout && end.answer?.tokens == nil)
  }
}

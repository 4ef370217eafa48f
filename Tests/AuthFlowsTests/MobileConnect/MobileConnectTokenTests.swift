import AuthCore
import JSONTree
import RedirectChain
import Testing
import Web

@testable import AuthFlows
@testable import MobileConnectFlows

@Suite("Mobile Connect: tokens")
struct MobileConnectTokenTests {
  typealias Stage = MobileConnectStage

  @Test("The code is exchanged once, with Basic and without credentials in the form")
  func exchange() async throws {
    let stage = Stage(Stage.login())
    let end = try await stage.flow(Stage.settings()).login(Stage.request(), OperatorQuery())
    let call = try #require(stage.call("exchangeCode"))
    #expect(
      Stage.form(call) == [
        "grant_type": "authorization_code", "code": "the-code", "redirect_uri": Stage.back,
        "correlation_id": Stage.uuid,
      ])
    #expect(Stage.header("Authorization", call.headers) == "Basic YXBwLTE6czNjcmV0" && call.url.query == nil)
    let tokens = try #require(end.answer?.tokens)
    #expect(tokens.accessToken == Secret("access-1") && tokens.refreshToken == Secret("refresh-1"))
    #expect(tokens.type == "Bearer" && tokens.expiresIn == 3600 && tokens.subject == Secret("pcr-1"))
    #expect(end.outcome.result == .signedIn && stage.asked == ["authorize", "exchangeCode", "readKeys"])
  }

  @Test("A code that the app has is exchanged without the bearer, and its nonce must be its authorization's")
  func knownCode() async throws {
    let stage = Stage(Stage.login())
    let request = Stage.request {
      $0.nonce = nil
      $0.state = nil
    }
    let end = try await stage.flow(Stage.settings())
      .exchange(Secret("the-code"), nonce: Secret("the-nonce"), request, OperatorQuery())
    #expect(end.outcome.result == .signedIn && end.answer?.tokens?.accessToken == Secret("access-1"))
    #expect(stage.asked == ["exchangeCode", "readKeys"] && stage.opened.withLock { $0.isEmpty })
    #expect(Stage.form(stage.call("exchangeCode"))["code"] == "the-code")
    let other = try await Stage(Stage.login()).flow(Stage.settings())
      .exchange(Secret("the-code"), nonce: Secret("another"), request, OperatorQuery())
    #expect(other.outcome.result == .tokenRefused && other.outcome.code == "nonce" && other.answer?.tokens == nil)
    let without = try await Stage([:]).flow(Stage.settings { $0.redirect = nil })
      .exchange(Secret("the-code"), nonce: Secret("n"), request, OperatorQuery())
    #expect(without.outcome.result == .notConfigured)
  }

  @Test("By the bearer where the configuration says so, and the authorization always")
  func route() async throws {
    let stage = Stage(Stage.login().merging(["exchangeCode": [.end(400, #"{"error":"invalid_grant"}"#)]]) { $1 })
    let end = try await stage.flow(Stage.settings { $0.route = .bearer }).login(Stage.request(), OperatorQuery())
    #expect(end.outcome.result == .expired && stage.calls.withLock { $0.isEmpty })
    #expect(stage.opened.withLock { $0.map(\.step) } == ["authorize", "exchangeCode"])
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let reaction: Reaction
    let result: FlowResult
    var code: String?
    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "a code that is over", reaction: .reply(400, #"{"error":"invalid_grant"}"#), result: .expired,
      code: "invalid_grant"),
    Row(
      name: "another client", reaction: .reply(401, #"{"error":"invalid_client"}"#), result: .clientRefused,
      code: "invalid_client"),
    Row(name: "401 without a word", reaction: .reply(401, ""), result: .clientRefused),
    Row(
      name: "an error with 200", reaction: .reply(200, #"{"error":"server_error"}"#), result: .operatorError,
      code: "server_error"),
    Row(name: "no access token", reaction: .reply(200, #"{"token_type":"Bearer"}"#), result: .badAnswer),
    Row(name: "no JSON", reaction: .reply(200, "<html>"), result: .badAnswer),
    Row(
      name: "a token bound to a proof", reaction: .reply(200, #"{"access_token":"a","token_type":"DPoP"}"#),
      result: .notConfigured, code: "DPoP"),
    Row(
      name: "another correlation id", reaction: Stage.tokens(Stage.token(), #","correlation_id":"other""#),
      result: .stateMismatch),
    Row(name: "500", reaction: .reply(500, ""), result: .providerUnavailable),
    Row(name: "429", reaction: .reply(429, ""), result: .rateLimited),
    Row(name: "no answer", reaction: .failure(.timeout), result: .timeout),
  ]

  @Test("What the token endpoint refuses", arguments: rows)
  func refusals(row: Row) async throws {
    let stage = Stage(Stage.login(row.reaction))
    let end = try await stage.flow(Stage.settings()).login(Stage.request(), OperatorQuery())
    #expect(end.outcome.result == row.result && end.outcome.code == row.code, "\(end.outcome)")
    #expect(end.answer?.tokens == nil && stage.asked == ["authorize", "exchangeCode"])
  }

  // MARK: Refresh

  static var refreshed: [String: JSONValue] {
    Stage.claims.filter { !["nonce", "hashed_login_hint"].contains($0.key) }
  }

  @Test("Tokens are refreshed at their own endpoint, else at the token's; an ID token need not come, and has no nonce")
  func refresh() async throws {
    let stage = Stage([
      "refreshTokens": [Stage.tokens(Stage.token(Self.refreshed)), Stage.tokens(nil)], "readKeys": [Stage.keys],
    ])
    var found = Stage.endpoints
    let settings = Stage.settings()
    let end = try await stage.flow(settings)
      .refresh(Secret("refresh-0"), scope: ["openid"], subject: Secret("pcr-1"), OperatorQuery())
    #expect(end.outcome.result == .authorized && end.answer?.tokens?.subject == Secret("pcr-1"), "\(end.outcome)")
    #expect(stage.call("refreshTokens")?.url.path == "/token")
    #expect(
      Stage.form(stage.call("refreshTokens")) == [
        "grant_type": "refresh_token", "refresh_token": "refresh-0", "scope": "openid", "correlation_id": Stage.uuid,
      ])
    found.endpoints[.refresh] = try WebURL("https://op.example/refresh")
    let without = try await stage.flow(Stage.settings { [found] in $0.source = .endpoints(found) })
      .refresh(Secret("refresh-0"), OperatorQuery())
    #expect(without.outcome.result == .authorized && without.answer?.tokens?.claims == nil)
    #expect(stage.call("refreshTokens")?.url.path == "/refresh")
  }

  @Test(
    "A refreshed ID token is validated as any",
    arguments: [("sub", "good"), ("signature", "forged"), ("alg", "none")])
  func refreshedToken(check: String, signature: String) async throws {
    let token = Stage.token(Self.refreshed, signature: signature)
    let stage = Stage(["refreshTokens": [Stage.tokens(token)], "readKeys": [Stage.keys]])
    let end = try await stage.flow(Stage.settings())
      .refresh(Secret("refresh-0"), subject: Secret(check == "sub" ? "pcr-2" : "pcr-1"), OperatorQuery())
    #expect(end.outcome.result == .tokenRefused && end.outcome.code == check && end.answer?.tokens == nil)
  }

  // MARK: Revocation

  @Test(
    "A token is taken back by its kind, and one that nobody knows is as good as revoked",
    arguments: [
      (Reaction.reply(200, ""), FlowResult.authorized), (.reply(204, ""), .authorized),
      (.reply(400, #"{"error":"unsupported_token_type"}"#), .badRequest), (.reply(401, ""), .clientRefused),
      (.reply(503, ""), .providerUnavailable), (.failure(.timeout), .timeout),
    ])
  func revoke(reaction: Reaction, result: FlowResult) async throws {
    for kind in MobileConnectTokenKind.allCases {
      let stage = Stage(["revokeToken": [reaction]])
      let end = try await stage.flow(Stage.settings()).revoke(Secret("token-9"), kind, OperatorQuery())
      #expect(end.outcome.result == result)
      #expect(Stage.form(stage.call("revokeToken")) == ["token": "token-9", "token_type_hint": kind.rawValue])
      #expect(Stage.header("Authorization", stage.call("revokeToken")?.headers)?.hasPrefix("Basic ") == true)
    }
  }

  @Test("An operator without revocation is told by name")
  func noRevocation() async throws {
    var found = Stage.endpoints
    found.endpoints[.revocation] = nil
    let end = try await Stage([:]).flow(Stage.settings { [found] in $0.source = .endpoints(found) })
      .revoke(Secret("t"), .access, OperatorQuery())
    #expect(end.outcome.result == .notConfigured && end.outcome.text.contains("tokenrevoke"))
  }
}

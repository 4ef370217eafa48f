import AuthCore
import JSONTree
import RedirectChain
import Synchronization
import Testing
import Web

@testable import AuthFlows
@testable import MobileConnectFlows

@Suite("Mobile Connect: the server-initiated mode")
struct ServerInitiatedTests {
  typealias Stage = MobileConnectStage

  /// Keeps what it is to sign.
  final class Signer: ClaimsSigner {
    let claims = Mutex<JSONValue>(.null)

    func sign(_ claims: JSONValue) async throws(AuthError) -> Secret {
      self.claims.withLock { $0 = claims }
      return Secret("signed.request.object")
    }
  }

  static let made = Base64.encodeURL(Array(repeating: 7, count: 32))
  static let accepted = Reaction.reply(200, #"{"auth_req_id":"req-1","expires_in":60,"interval":2}"#)
  static let pending = Reaction.reply(400, #"{"error":"authorization_pending"}"#)

  static func settings(
    _ signer: Signer = Signer(), _ change: (inout MobileConnectServerInitiated) -> Void = { _ in }
  ) throws -> MobileConnectSettings {
    var mode = MobileConnectServerInitiated(signer: signer)
    mode.endpoint = try WebURL("https://op.example/si-authorize")
    change(&mode)
    return Stage.settings { [mode] in
      $0.serverInitiated = mode
      $0.version = .v2_0
    }
  }

  static func tokens(_ change: (inout [String: JSONValue]) -> Void = { _ in }) -> Reaction {
    var claims = Stage.claims
    claims["nonce"] = .string(made)
    change(&claims)
    return Stage.tokens(Stage.token(claims))
  }

  static func request(_ change: (inout MobileConnectRequest) -> Void = { _ in }) -> MobileConnectRequest {
    var request = MobileConnectRequest()
    request.scope = ["mc_atp"]
    change(&request)
    return request
  }

  @Test("The signed request says all that the profile wants, and nothing goes over the bearer")
  func asked() async throws {
    let signer = Signer()
    let stage = Stage([
      "askOperator": [Self.accepted], "askForAnswer": [Self.pending, Self.tokens()], "readKeys": [Stage.keys],
    ])
    let end = try await stage.flow(try Self.settings(signer)).askAtHandset(Self.request(), OperatorQuery())
    #expect(end.outcome.result == .signedIn && end.answer?.tokens?.subject == Secret("pcr-1"), "\(end.outcome)")
    #expect(
      Stage.form(stage.call("askOperator")) == [
        "response_type": "mc_si_async_code", "client_id": "app-1", "scope": "openid mc_atp",
        "request": "signed.request.object", "correlation_id": Stage.uuid,
      ])
    #expect(
      signer.claims.withLock { $0 }
        == .object([
          "response_type": .string("mc_si_async_code"), "client_id": .string("app-1"),
          "scope": .string("openid mc_atp"),
          "version": .string("mc_si_r2_v1.0"), "nonce": .string(Self.made),
          "login_hint": .string("MSISDN:447700900123"),
          "acr_values": .string("2"), "iss": .string("app-1"), "aud": .string(Stage.issuer),
          "iat": .int(Stage.seconds), "exp": .int(Stage.seconds + 300),
        ]))
    #expect(
      Stage.form(stage.call("askForAnswer")) == [
        "grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": "req-1",
      ])
    #expect(Stage.header("Authorization", stage.call("askForAnswer")?.headers)?.hasPrefix("Basic ") == true)
    #expect(stage.asked == ["askOperator", "askForAnswer", "askForAnswer", "readKeys"])
    #expect(stage.opened.withLock { $0.isEmpty })
  }

  @Test("A notification's address is told only where it is configured, with a token for it")
  func notification() async throws {
    let signer = Signer()
    let stage = Stage(["askOperator": [.reply(500, "")]])
    let settings = try Self.settings(signer) {
      $0.notificationURI = "https://app.example/told"
      $0.audience = "https://aud.example"
    }
    _ = try await stage.flow(settings).askAtHandset(
      Self.request { $0.loginHint = .customer(Secret("pcr-1")) }, OperatorQuery())
    let claims = signer.claims.withLock { $0 }
    #expect(
      claims["notification_uri"]?.string == "https://app.example/told" && claims["aud"]?.string == "https://aud.example"
    )
    #expect(claims["client_notification_token"]?.string != nil && claims["login_hint"]?.string == "PCR:pcr-1")
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var begin = ServerInitiatedTests.accepted
    var polls: [Reaction] = []
    let result: FlowResult
    var code: String?
    /// How often the answer is asked for; nil where it does not matter.
    var count: Int?
    var testDescription: String { name }
  }

  static let slow = Reaction.reply(400, #"{"error":"slow_down"}"#)
  static let rows = [
    Row(
      name: "refused at once", begin: .reply(400, #"{"error":"invalid_request_object"}"#), result: .badRequest,
      code: "invalid_request_object", count: 0),
    Row(
      name: "a client that may not", begin: .reply(401, #"{"error":"unauthorized_client"}"#), result: .clientRefused,
      code: "unauthorized_client", count: 0),
    Row(
      name: "an unknown user", begin: .reply(400, #"{"error":"unknown_user_id"}"#), result: .subscriberUnknown,
      code: "unknown_user_id", count: 0),
    Row(name: "no request id", begin: .reply(200, "{}"), result: .badAnswer, count: 0),
    Row(
      name: "another correlation id", begin: .reply(200, #"{"auth_req_id":"r","correlation_id":"x"}"#),
      result: .stateMismatch, count: 0),
    Row(name: "the operator is gone", begin: .failure(.connect), result: .providerUnavailable, count: 0),
    Row(
      name: "the user says no", polls: [pending, .reply(400, #"{"error":"access_denied"}"#)], result: .userRefused,
      code: "access_denied", count: 2),
    Row(
      name: "the operator gave up", polls: [.reply(400, #"{"error":"expired_token"}"#)], result: .expired,
      code: "expired_token", count: 1),
    Row(name: "nobody answers for 60 s, every 2 s", polls: [pending], result: .expired, count: 30),
    Row(name: "slower each time it is told to", polls: [slow], result: .expired, count: 5),
    Row(
      name: "a question that got lost is asked again", polls: [.failure(.timeout), tokens()], result: .signedIn,
      count: 2),
    Row(
      name: "an answer that cannot be trusted is not waited for", polls: [.failure(.tls)], result: .tlsError, count: 1),
    Row(
      name: "another nonce", polls: [tokens { $0["nonce"] = .string("x") }], result: .tokenRefused, code: "nonce",
      count: 1),
    Row(
      name: "another number", polls: [.reply(400, #"{"error":"access_denied","error_description":"MSISDN_mismatch"}"#)],
      result: .notVerified, code: "MSISDN_mismatch", count: 1),
  ]

  @Test("Every answer, at once and when it is asked for", arguments: rows)
  func ends(row: Row) async throws {
    let stage = Stage(["askOperator": [row.begin], "askForAnswer": row.polls, "readKeys": [Stage.keys]])
    let end = try await stage.flow(try Self.settings()).askAtHandset(Self.request(), OperatorQuery())
    #expect(end.outcome.result == row.result && end.outcome.code == row.code, "\(end.outcome)")
    if let count = row.count { #expect(stage.asked.count { $0 == "askForAnswer" } == count) }
  }

  @Test("Without the mode, or without anybody to ask, nothing is sent")
  func missing() async throws {
    let stage = Stage([:])
    #expect(
      try await stage.flow(Stage.settings()).askAtHandset(Self.request(), OperatorQuery()).outcome.result
        == .notConfigured)
    let nobody = try await stage.flow(try Self.settings(), of: .init(modem: "m0"))
      .askAtHandset(Self.request(), OperatorQuery())
    #expect(nobody.outcome.result == .badRequest && stage.asked.isEmpty)
  }

  @Test(
    "A request that nobody answers is asked about until it is over, however long that is", .timeLimit(.minutes(1)),
    arguments: [
      (#""expires_in":600,"interval":1"#, 600), (#""expires_in":9223372036854775807,"interval":-1"#, 600),
      (#""expires_in":1e308,"interval":"99999999999999999999""#, 10), (#""expires_in":-1,"interval":0"#, 1),
    ])
  func endless(times: String, questions: Int) async throws {
    let stage = Stage([
      "askOperator": [.reply(200, #"{"auth_req_id":"req-1",\#(times)}"#)], "askForAnswer": [Self.pending],
    ])
    let end = try await stage.flow(try Self.settings()).askAtHandset(Self.request(), OperatorQuery())
    #expect(end.outcome.result == .expired, "\(end.outcome)")
    #expect(stage.asked.filter { $0 == "askForAnswer" }.count == questions)
  }
}

import CAMARASimulation
import Crypto
import JSONTree
import ModemModel
import NetworkAddress
import OperatorSimulator
import Synchronization
import Testing

/// Operator tokens at the simulated CAMARA operator: what it must refuse, and what it must do once.
@Suite struct CAMARAGrantTests {
  static let number = "+4915112345678"
  static let scope = "openid dpv:FraudPreventionAndDetection number-verification:verify"
  static let reading = "openid dpv:FraudPreventionAndDetection number-verification:device-phone-number:read"

  struct Stage {
    let service: SimulatedCAMARAService
    let environment: ProviderEnvironment
    let clock = Clock()
    let key = P256.Signing.PrivateKey()

    init(_ change: (inout SimulatedCAMARAClient) -> Void = { _ in }) {
      var client = SimulatedCAMARAClient(
        id: "c", proof: .key(key.publicKey.pemRepresentation), redirectURI: "app:/back")
      client.pollSeconds = 5
      change(&client)
      let clock = clock
      environment = ProviderEnvironment(
        subscribers: SimulatedSubscribers([], numbers: [:], start: Timestamp(milliseconds: 0)), now: { clock.now })
      service = SimulatedCAMARAService(
        hosts: .init(auth: "auth.example", enrichment: "he.example", api: "api.example", backend: "b.example"),
        clients: [client], environment)
      for (token, operations) in [
        ("both", ["VerifyPhoneNumber", "GetPhoneNumber"]), ("verify", ["VerifyPhoneNumber"]),
      ] {
        environment.operatorTokens.give(
          token, .init(number: CAMARAGrantTests.number, operations: Set(operations), end: later(300)))
      }
    }

    func later(_ seconds: Int) -> Timestamp {
      Timestamp(milliseconds: clock.now.milliseconds + Int64(seconds) * 1000)
    }

    func assertion(_ changes: [String: JSONValue] = [:], key: P256.Signing.PrivateKey? = nil) throws -> String {
      let now = Int(clock.now.milliseconds / 1000)
      var claims: [String: JSONValue] = [
        "iss": .string("c"), "sub": .string("operatortoken:both"), "aud": .string("https://auth.example/token"),
        "iat": .int(now), "exp": .int(now + 300), "jti": .string("1"), "scope": .string(CAMARAGrantTests.scope),
      ]
      claims.merge(changes) { $1 }
      let text = [#"{"alg":"ES256"}"#, JSONValue.object(claims).text].map { Base64URL.encode(Array($0.utf8)) }
        .joined(separator: ".")
      let signature = try (key ?? self.key).signature(for: Array(text.utf8))
      return "\(text).\(Base64URL.encode(Array(signature.rawRepresentation)))"
    }

    func post(_ path: String, _ fields: [String: String]) async -> (status: Int, json: JSONValue) {
      let form = fields.map { "\($0.key)=\(FormFields.encoded($0.value))" }.joined(separator: "&")
      let answer = await service.answer(
        SimulatedRequest(
          method: "POST", isSecure: true, host: "auth.example", path: path,
          headers: ["content-type": "application/x-www-form-urlencoded"], body: Array(form.utf8),
          source: IPAddress("192.0.2.1")!))
      return (answer?.status ?? 0, answer.flatMap { JSONValue(parsing: $0.body.utf8) } ?? .null)
    }

    func grant(_ assertion: String, _ more: [String: String] = [:]) async -> (status: Int, json: JSONValue) {
      await post("/token", ["grant_type": CAMARAGrantTests.grant, "assertion": assertion].merging(more) { $1 })
    }

    /// A request at the back channel or a poll, with the client's own assertion.
    func ask(_ path: String, _ fields: [String: String], id: String) async throws -> (status: Int, json: JSONValue) {
      let proof = try assertion(["sub": .string("c"), "jti": .string(id)])
      return await post(
        path,
        fields.merging([
          "client_id": "c", "client_assertion": proof,
          "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        ]) { $1 })
    }

    func api(_ method: String, _ path: String, _ token: String, _ body: String = "") async -> (Int, JSONValue) {
      let answer = await service.answer(
        SimulatedRequest(
          method: method, isSecure: true, host: "api.example", path: path,
          headers: ["authorization": "Bearer \(token)", "content-type": "application/json"], body: Array(body.utf8),
          source: IPAddress("192.0.2.1")!))
      return (answer?.status ?? 0, answer.flatMap { JSONValue(parsing: $0.body.utf8) } ?? .null)
    }
  }

  static let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"

  final class Clock: Sendable {
    private let time = Mutex(Int64(1_790_000_000_000))
    var now: Timestamp { Timestamp(milliseconds: time.withLock { $0 }) }
    func goOn(seconds: Int64) { time.withLock { $0 += seconds * 1000 } }
  }

  @Test func `an operator token in an assertion gives one access token, for one question`() async throws {
    let stage = Stage()
    let answer = await stage.grant(try stage.assertion())
    #expect(answer.status == 200 && answer.json["refresh_token"] == nil)
    #expect(answer.json["expires_in"]?.integer == 300)
    let token = try #require(answer.json["access_token"]?.string)
    let path = "/number-verification/v2/verify"
    let verdict = await stage.api("POST", path, token, #"{"phoneNumber":"\#(Self.number)"}"#)
    #expect(verdict.0 == 200 && verdict.1["devicePhoneNumberVerified"] == .bool(true))
    #expect(await stage.api("POST", path, token, #"{"phoneNumber":"\#(Self.number)"}"#).0 == 401)
    // The operator token is spent.
    let again = await stage.grant(try stage.assertion(["jti": .string("2")]))
    #expect(again.status == 400 && again.json["error"] == .string("invalid_grant"))
  }

  static let refused: [(why: String, claims: [String: JSONValue], error: String)] = [
    ("another server", ["aud": .string("https://auth.example/other")], "invalid_grant"),
    ("an unknown client", ["iss": .string("d")], "invalid_request"),
    ("too long", ["exp": .int(1_790_000_301)], "invalid_grant"),
    ("over", ["iat": .int(1_789_999_000), "exp": .int(1_789_999_300)], "invalid_grant"),
    ("of the future", ["iat": .int(1_790_000_100), "exp": .int(1_790_000_200)], "invalid_grant"),
    ("no id", ["jti": .null], "invalid_grant"),
    ("a number", ["sub": .string("tel:+4915112345678")], "invalid_grant"),
    ("another token", ["sub": .string("operatortoken:none")], "invalid_grant"),
    ("another operation", ["sub": .string("operatortoken:verify"), "scope": .string(reading)], "invalid_grant"),
    ("no purpose", ["scope": .string("openid number-verification:verify")], "invalid_scope"),
    ("two operations", ["scope": .string(scope + " number-verification:device-phone-number:read")], "invalid_scope"),
    ("another interface", ["scope": .string("dpv:FraudPreventionAndDetection sim-swap:check")], "invalid_scope"),
  ]

  @Test(arguments: refused)
  func `an assertion is refused`(why: String, claims: [String: JSONValue], error: String) async throws {
    let stage = Stage()
    let answer = await stage.grant(try stage.assertion(claims))
    #expect(answer.status == 400 && answer.json["error"] == .string(error), "\(why)")
  }

  @Test func `an assertion works once, has the client's key, and comes with no other field`() async throws {
    let stage = Stage()
    let other = try stage.assertion(key: P256.Signing.PrivateKey())
    #expect(await stage.grant(other).json["error"] == .string("invalid_grant"))
    let more = try stage.assertion()
    #expect(await stage.grant(more, ["scope": Self.scope]).json["error"] == .string("invalid_request"))
    let wrong = try stage.assertion(["sub": .string("operatortoken:none"), "jti": .string("7")])
    #expect(await stage.grant(wrong).status == 400)
    #expect(await stage.grant(try stage.assertion(["jti": .string("7")])).status == 400)
    #expect(await stage.grant(try stage.assertion(["jti": .string("8")])).status == 200)
  }

  @Test func `CIBA is polled, not too often, and its answer is given once`() async throws {
    let stage = Stage { $0.pendingPolls = 1 }
    let begun = try await stage.ask(
      "/bc-authorize", ["login_hint": "operatortoken:both", "scope": Self.reading], id: "1")
    #expect(begun.status == 200 && begun.json["interval"]?.integer == 5)
    let id = try #require(begun.json["auth_req_id"]?.string)
    var errors: [String] = []
    var token: String?
    for (number, seconds) in [0, 0, 5, 5].enumerated() {
      stage.clock.goOn(seconds: Int64(seconds))
      let answer = try await stage.ask(
        "/token", ["grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": id], id: "p\(number)")
      errors.append(answer.json["error"]?.string ?? "-")
      token = answer.json["access_token"]?.string ?? token
    }
    #expect(errors == ["authorization_pending", "slow_down", "-", "invalid_grant"])
    let answer = await stage.api("GET", "/number-verification/v2/device-phone-number", try #require(token))
    #expect(answer.1["devicePhoneNumber"] == .string(Self.number))
  }

  @Test func `CIBA ends`() async throws {
    let stage = Stage {
      $0.pollError = "access_denied"; $0.pendingPolls = 0
    }
    for (hint, scope, error) in [
      ("operatortoken:none", Self.scope, "unknown_user_id"), ("tel:\(Self.number)", Self.scope, "invalid_request"),
      ("operatortoken:both", "dpv:FraudPreventionAndDetection number-verification:verify", "invalid_scope"),
    ] {
      let answer = try await stage.ask("/bc-authorize", ["login_hint": hint, "scope": scope], id: hint + error)
      #expect(answer.status == 400 && answer.json["error"] == .string(error))
    }
    let fields = ["login_hint": "operatortoken:both", "scope": Self.scope]
    let begun = try await stage.ask("/bc-authorize", fields, id: "1")
    let poll = [
      "grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": begun.json["auth_req_id"]?.string ?? "",
    ]
    #expect(try await stage.ask("/token", poll, id: "2").json["error"] == .string("access_denied"))
    let next = ["login_hint": "operatortoken:verify", "scope": Self.scope]
    let late = try await stage.ask("/bc-authorize", next, id: "3")
    stage.clock.goOn(seconds: 121)
    let second = poll.merging(["auth_req_id": late.json["auth_req_id"]?.string ?? ""]) { $1 }
    #expect(try await stage.ask("/token", second, id: "4").json["error"] == .string("expired_token"))
  }
}

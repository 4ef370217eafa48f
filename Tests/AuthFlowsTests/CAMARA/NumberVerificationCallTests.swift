// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import RedirectChain
import Testing
import Web
import CAMARAFlows

@Suite("CAMARA Number Verification, what is sent")
struct NumberVerificationCallTests {
  static func fields(_ call: BackendCall) -> [String: String] {
    RedirectURI.parameters(of: "https://x.example/?" + String(decoding: call.body?.bytes ?? [], as: UTF8.self))
  }

  static func query(_ call: BearerCall?) -> [String: String] {
    RedirectURI.parameters(of: call?.request.url.text ?? "")
  }

  static let verified = CAMARAReply.http(200, #"{"devicePhoneNumberVerified":true}"#)

  @Test("The authorization request carries PKCE, state, nonce, purpose and no prompt, over the bearer")
  func authorization() {
    let walk = CAMARAWalk(CAMARAKit.numberVerification(), [.code, .token(), Self.verified])
    let call = walk.opened.first
    #expect(call?.request.url.text.hasPrefix("https://auth.operator.example/authorize?response_type=code&") == true)
    #expect(
      Self.query(call) == [
        "response_type": "code", "client_id": "app-1", "redirect_uri": CAMARAKit.redirectURI,
        "scope": "openid dpv:FraudPreventionAndDetection number-verification:verify", "state": CAMARAReply.state,
        "nonce": "the-nonce", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        "code_challenge_method": "S256", "prompt": "none",
      ])
    #expect(call?.request.redirectURI != nil && call?.request.method == .get && call?.request.headers == [])
    #expect(walk.outcome?.result == .verified && walk.answer?.correlator == "corr-1" && walk.answer?.number == nil)
  }

  @Test("The code is exchanged once, with its verifier, and the token is used once, with no refresh")
  func calls() throws {
    let walk = CAMARAWalk(CAMARAKit.numberVerification(), [.code, .token(), Self.verified])
    try #require(walk.sent.count == 2)
    let exchange = walk.sent[0]
    #expect(exchange.method == .post && exchange.url.text == "https://auth.operator.example/token")
    #expect(exchange.headers.contains { $0.name == "Authorization" && $0.value == "Basic YXBwLTE6czNjcmV0" })
    #expect(
      Self.fields(exchange) == [
        "grant_type": "authorization_code", "code": "the-code", "redirect_uri": CAMARAKit.redirectURI,
        "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
      ])
    let verify = walk.sent[1]
    #expect(verify.method == .post)
    #expect(JSONValue(parsing: verify.body?.bytes ?? []) == .object(["phoneNumber": .string("+447700900123")]))
    #expect(verify.headers.contains { $0.name == "Authorization" && $0.value == "Bearer the-token" })
    #expect(verify.headers.contains { $0.name == "x-correlator" && $0.value == "corr-1" })
  }

  @Test("A number's hash is sent in its place: the hex SHA-256 of +E.164")
  func hashed() async throws {
    let provider = CAMARAProvider(name: "op", settings: CAMARAKit.settings { $0.hashesNumber = true })
    let walk = CAMARAWalk(
      CAMARAKit.numberVerification(provider.question(CAMARAKit.number)), [.code, .token(), Self.verified])
    let hash = "a8acc3a90a7b4e4dc65e93db9240ed26523050ef754d63b75b5161de76781436"
    let body = String(decoding: walk.sent.last?.body?.bytes ?? [], as: UTF8.self)
    #expect(body == #"{"hashedPhoneNumber":"\#(hash)"}"#)
    #expect(provider.question(CAMARAKit.number, isHashed: false) == .verify(CAMARAKit.number))
  }

  @Test(
    "The SIM's number is read by GET, and only one in international form counts",
    arguments: [
      (#"{"devicePhoneNumber":"+447700900123"}"#, FlowResult.numberRead),
      (#"{"devicePhoneNumber":"447700900123"}"#, .numberRead), (#"{"devicePhoneNumber":"07700900123"}"#, .badAnswer),
      (#"{"devicePhoneNumber":null}"#, .badAnswer), ("{}", .badAnswer), ("+447700900123", .badAnswer),
    ])
  func read(body: String, result: FlowResult) {
    let walk = CAMARAWalk(CAMARAKit.numberVerification(.read), [.code, .token(), .http(200, body)])
    #expect(walk.outcome?.result == result)
    #expect(walk.answer?.number == (result == .numberRead ? CAMARAKit.number : nil))
    #expect(walk.sent.last?.method == .get && walk.sent.last?.body == nil)
    #expect(walk.sent.last?.url.path == "/number-verification/v2/device-phone-number")
    #expect(Self.query(walk.opened.first)["scope"]?.hasSuffix("number-verification:device-phone-number:read") == true)
  }

  @Test(
    "The client proves itself as it is configured",
    arguments: [
      (ClientProof.none, ["client_id": "app-1"]), (.basic(Secret("s3cret")), [:]),
      (.post(Secret("a&b")), ["client_id": "app-1", "client_secret": "a&b"]),
      (
        .assertion(Secret("h.c.s")),
        [
          "client_id": "app-1", "client_assertion": "h.c.s",
          "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        ]
      ),
    ])
  func proofs(proof: ClientProof, expected: [String: String]) {
    let walk = CAMARAWalk(CAMARAKit.numberVerification(proof: proof), [.code, .token(), Self.verified])
    let fields = Self.fields(walk.sent[0]).filter { $0.key.hasPrefix("client") }
    #expect(fields == expected)
    #expect(walk.sent[0].headers.contains { $0.name == "Authorization" } == (proof == .basic(Secret("s3cret"))))
  }

  @Test("Version 0 knows no OpenID; paths, scopes, hint and prompt follow the settings")
  func settings() {
    let old = CAMARAWalk(
      CAMARAKit.numberVerification(.read, CAMARAKit.settings { $0.numberVerification = .v0 }), [.code])
    let query = Self.query(old.opened.first)
    #expect(query["scope"] == "dpv:FraudPreventionAndDetection number-verification:device-phone-number:read")
    #expect(query["nonce"] == nil)
    let own = CAMARAKit.settings {
      $0.numberVerificationPath = "/camara/number-verification/v031"
      $0.scopes[.verify] = "special"
      $0.sendsLoginHint = true
      $0.server.promptsNone = false
      $0.server.usesPKCE = false
      $0.server.route = .bearer
    }
    let walk = CAMARAWalk(
      CAMARAKit.numberVerification(.verify(CAMARAKit.number), own), [.code, .token(), Self.verified])
    let asked = Self.query(walk.opened.first)
    #expect(asked["scope"] == "special" && asked["login_hint"] == "tel:+447700900123")
    #expect(asked["prompt"] == nil && asked["code_challenge"] == nil)
    #expect(walk.sent.last?.url.path == "/camara/number-verification/v031/verify")
    #expect(Self.fields(walk.sent[0])["code_verifier"] == nil)
    #expect(walk.sent.allSatisfy { $0.route == .bearer })
  }

  @Test("A token that ends on the way is not used")
  func late() {
    let walk = CAMARAWalk(CAMARAKit.numberVerification(), [.code, .token(0)], each: .seconds(1))
    #expect(walk.outcome?.result == .expired && walk.steps == ["authorize", "exchangeCode"])
    let unlimited = CAMARAWalk(CAMARAKit.numberVerification(), [.code, .token(nil), Self.verified])
    #expect(unlimited.outcome?.result == .verified)
  }

  static let telefonica: CAMARASettings = {
    let client = OpenIDClient(id: "app-1", .basic(Secret("s3cret")))
    return CAMARAFrontEnd.telefonica.settings(
      client: client, redirectURI: try! WebURL(CAMARAKit.redirectURI), CAMARAKit.tools)
  }()

  @Test(
    "A redirect URI of the backend's is fetched over the bearer, and the backend's answer is read",
    arguments: [
      (CAMARAReply.http(200, #"{"devicePhoneNumberVerified":true}"#), FlowResult.verified),
      (.http(200, #"{"devicePhoneNumberVerified":false}"#), .notVerified),
      (.http(200, #"{"verified":true,"session":"s-1"}"#), .verified),
      (.http(200, #"{"verified":false}"#), .notVerified),
      (.http(200, "{}"), .badAnswer), (.http(200, "<html>"), .badAnswer),
      (.http(200, #"{"error":"invalid_grant"}"#), .expired),
      (.refusal(403, NumberVerificationTests.mobile), .notMobileIP),
      (.http(500, ""), .providerUnavailable), (.http(404, ""), .notConfigured),
      (.failure(.noDataPath, .bearerLost), .noDataPath),
    ])
  func fetched(reply: CAMARAReply, result: FlowResult) {
    var settings = Self.telefonica
    settings.backendAnswer = "verified"
    let walk = CAMARAWalk(CAMARAKit.numberVerification(.verify(CAMARAKit.number), settings), [.code, reply])
    #expect(walk.outcome?.result == result)
    let isVerdict = [.verified, .notVerified].contains(result)
    #expect((walk.answer?.serverAnswer != nil) == isVerdict)
    if case .http(_, let body, _, _) = reply, body.contains("s-1") {
      #expect(walk.answer?.serverAnswer?["session"] == .string("s-1"))
    }
    #expect(walk.steps == ["authorize", "fetchRedirect"] && walk.sent.isEmpty)
    let query = Self.query(walk.opened.first)
    #expect(query["scope"] == "dpv:FraudPreventionAndDetection#number-verification-verify-read")
    // The backend has no verifier, and the server honours state in its place.
    #expect(query["code_challenge"] == nil && query["state"] == CAMARAReply.state)
    #expect(walk.opened.last?.request.url.text == CAMARAKit.redirectURI + "?code=the-code&state=the-state")
    #expect(walk.opened.last?.request.redirectURI == nil)
  }

  @Test("Another's state is never handed to the backend")
  func fetchedState() {
    let walk = CAMARAWalk(
      CAMARAKit.numberVerification(.verify(CAMARAKit.number), Self.telefonica), [.redirect("code=c&state=other")])
    #expect(walk.outcome?.result == .stateMismatch && walk.steps == ["authorize"])
  }

  @Test("Without an authorization endpoint nothing is sent")
  func unconfigured() {
    let settings = CAMARAKit.settings { $0.server.authorizationEndpoint = nil }
    let walk = CAMARAWalk(CAMARAKit.numberVerification(.read, settings), [])
    #expect(walk.outcome?.result == .notConfigured && walk.steps.isEmpty)
    #expect(settings.numberVerifier(named: "op") == nil)
    #expect(CAMARAKit.settings().numberVerifier(named: "op")?.name == "op")
  }
}

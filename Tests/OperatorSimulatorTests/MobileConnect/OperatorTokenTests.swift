import Crypto
import CryptoExtras
import FoundationEssentials
import JSONTree
import OperatorSimulator
import MobileConnectSimulation
import Testing

/// The simulated operator's tokens, as they should be and as an application's fault makes them.
@Suite struct OperatorTokenTests {
  typealias Fault = SimulatedMobileConnectApplication.Fault

  let stage = MobileConnectStage.shared
  static let hint = "login_hint=MSISDN:4915112345678"

  /// The parts of a token in compact form.
  struct Parts {
    let header: JSONValue
    let claims: JSONValue
    let signature: [UInt8]
    let signed: String

    init?(_ token: String?) {
      let parts = (token ?? "").split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, let header = JSONValue(parsing: Self.decode(parts[0])),
        let claims = JSONValue(parsing: Self.decode(parts[1]))
      else { return nil }
      (self.header, self.claims, signature) = (header, claims, Self.decode(parts[2]))
      signed = "\(parts[0]).\(parts[1])"
    }

    static func decode(_ text: some StringProtocol) -> [UInt8] {
      let plain = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
      let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
      return Array(Data(base64Encoded: String(plain) + padding) ?? Data())
    }
  }

  /// Whether a token is signed by the key of its id in the operator's key set.
  func isSigned(_ parts: Parts) async throws -> Bool {
    let keys = try #require(await stage.send("https://op.example/jwks")).json["keys"]?.items ?? []
    guard parts.header["alg"]?.string == "RS256",
      let key = keys.first(where: { $0["kid"] == parts.header["kid"] && $0["kty"]?.string == "RSA" })
    else { return false }
    let publicKey = try _RSA.Signing.PublicKey(
      n: Parts.decode(key["n"]?.string ?? ""), e: Parts.decode(key["e"]?.string ?? ""))
    return publicKey.isValidSignature(
      .init(rawRepresentation: parts.signature), for: SHA256.hash(data: Array(parts.signed.utf8)),
      padding: .insecurePKCS1v1_5)
  }

  static func hex(_ text: String) -> String {
    SHA256.hash(data: Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test func `an ID token says what version 2.3 wants, and is signed`() async throws {
    let body = await stage.signIn("plain", Self.hint)
    let parts = try #require(Parts(body["id_token"]?.string))
    let claims = parts.claims
    #expect(try await isSigned(parts))
    #expect(claims["iss"]?.string == "https://op.example" && claims["aud"]?.string == "plain")
    #expect(claims["azp"]?.string == "plain" && claims["nonce"]?.string?.hasPrefix("n") == true)
    #expect(claims["acr"]?.string == "2" && claims["amr"]?.items == [.string("SEAM_OK")])
    let now = Int(stage.notes.now.milliseconds / 1000)
    #expect(claims["iat"]?.integer == now && (claims["exp"]?.integer ?? 0) > now)
    let half = Array(SHA256.hash(data: Array((body["access_token"]?.string ?? "").utf8)).prefix(16))
    #expect(claims["at_hash"]?.string.map { Parts.decode($0) } == half)
    #expect(claims["hashed_login_hint"]?.string == Self.hex("MSISDN:4915112345678"))
    #expect(body["token_type"]?.string == "Bearer" && body["expires_in"]?.integer == 3600)
    for (member, kind) in [
      ("access_token", "access token"), ("refresh_token", "refresh token"), ("id_token", "ID token"),
    ] {
      #expect(stage.notes.kind(of: try #require(body[member]?.string)) == kind)
    }
    let without = await stage.signIn()
    #expect(Parts(without["id_token"]?.string)?.claims["hashed_login_hint"] == nil, "without a hint")
  }

  /// What a fault must change of a token.
  struct Wrong: Sendable, CustomStringConvertible {
    let fault: Fault
    let isSo: @Sendable (Parts) -> Bool
    var isSigned = true
    var description: String { fault.rawValue }
  }

  static let now = 1_790_000_000
  static let wrongs: [Wrong] = [
    Wrong(fault: .signature, isSo: { $0.claims["aud"]?.string == "signature" }, isSigned: false),
    Wrong(fault: .unknownKey, isSo: { $0.header["kid"]?.string == "another" }, isSigned: false),
    Wrong(
      fault: .algorithmNone, isSo: { $0.header["alg"]?.string == "none" && $0.signature.isEmpty }, isSigned: false),
    Wrong(fault: .sharedKey, isSo: { $0.header["alg"]?.string == "HS256" }, isSigned: false),
    Wrong(fault: .iss, isSo: { $0.claims["iss"]?.string == "https://another.example" }),
    Wrong(fault: .aud, isSo: { $0.claims["aud"]?.string == "another" }),
    Wrong(fault: .azp, isSo: { $0.claims["azp"]?.string == "another" && $0.claims["aud"]?.items.count == 2 }),
    Wrong(fault: .missingAzp, isSo: { $0.claims["azp"] == nil && $0.claims["aud"]?.items.count == 2 }),
    Wrong(
      fault: .severalAudiences,
      isSo: { $0.claims["azp"]?.string == "severalAudiences" && $0.claims["aud"]?.items.count == 2 }),
    Wrong(fault: .nonce, isSo: { $0.claims["nonce"]?.string == "another" }),
    Wrong(fault: .missingNonce, isSo: { $0.claims["nonce"] == nil }),
    Wrong(fault: .exp, isSo: { ($0.claims["exp"]?.integer ?? .max) < now }),
    Wrong(fault: .missingExp, isSo: { $0.claims["exp"] == nil }),
    Wrong(fault: .iat, isSo: { ($0.claims["iat"]?.integer ?? .max) < now - 31_536_000 }),
    Wrong(fault: .futureIat, isSo: { ($0.claims["iat"]?.integer ?? 0) > now }),
    Wrong(fault: .atHash, isSo: { $0.claims["at_hash"]?.string?.count == 22 }),
    Wrong(fault: .missingAtHash, isSo: { $0.claims["at_hash"] == nil }),
    Wrong(fault: .acr, isSo: { $0.claims["acr"]?.string == "1" }),
    Wrong(fault: .missingAcr, isSo: { $0.claims["acr"] == nil }),
    Wrong(fault: .amr, isSo: { $0.claims["amr"] == nil }),
    Wrong(
      fault: .hashedLoginHint, isSo: { $0.claims["hashed_login_hint"]?.string != hex("MSISDN:4915112345678") }),
    Wrong(fault: .missingHashedLoginHint, isSo: { $0.claims["hashed_login_hint"] == nil }),
  ]

  @Test(arguments: wrongs)
  func `each wrong token is wrong in one thing`(wrong: Wrong) async throws {
    let body = await stage.signIn(wrong.fault.rawValue, Self.hint)
    let parts = try #require(Parts(body["id_token"]?.string))
    #expect(wrong.isSo(parts), "\(parts.claims.text)")
    #expect(try await isSigned(parts) == wrong.isSigned)
    if wrong.fault == .atHash {
      let half = Array(SHA256.hash(data: Array((body["access_token"]?.string ?? "").utf8)).prefix(16))
      #expect(parts.claims["at_hash"]?.string.map { Parts.decode($0) } != half)
    }
  }

  @Test func `answers without a token, with half of one, and with another correlation id`() async throws {
    #expect(await stage.signIn("missingIDToken")["id_token"] == nil)
    #expect(await stage.signIn("missingAccessToken")["access_token"] == nil)
    #expect(await stage.signIn("malformedIDToken")["id_token"]?.string?.split(separator: ".").count == 2)
    let id = "123e4567-e89b-42d3-a456-426614174000"
    for (application, answered) in [("plain", id), ("tokenCorrelation", "00000000-0000-4000-8000-000000000000")] {
      let code = await stage.authorize(application).fields["code"] ?? ""
      let form = "grant_type=authorization_code&code=\(code)&redirect_uri=app://back&correlation_id=\(id)"
      #expect(await stage.token(form, as: application).body["correlation_id"]?.string == answered)
    }
  }

  struct Refusal: Sendable, CustomStringConvertible {
    let description: String
    /// CODE stands for a good one.
    let form: String
    var headers: [String: String] = [:]
    var application = "plain"
    let status: Int
    let error: String
  }

  static let good = "grant_type=authorization_code&code=CODE&redirect_uri=app://back"

  @Test(arguments: [
    Refusal(
      description: "another secret", form: good, headers: MobileConnectStage.basic("plain", "other-secret"),
      status: 401,
      error: "invalid_client"),
    Refusal(
      description: "the exchange's credentials", form: good,
      headers: MobileConnectStage.basic("plain-ex", "plain-ex-secret"), status: 401, error: "invalid_client"),
    Refusal(
      description: "credentials in the body too", form: good + "&client_id=plain&client_secret=plain-secret",
      status: 400, error: "invalid_request"),
    Refusal(
      description: "JSON", form: good, headers: ["content-type": "application/json"], status: 400,
      error: "invalid_request"),
    Refusal(description: "another client", form: good, application: "other", status: 400, error: "invalid_grant"),
    Refusal(
      description: "another redirect URI", form: good.replacing("app://back", with: "app://b"), status: 400,
      error: "invalid_grant"),
    Refusal(
      description: "no redirect URI", form: "grant_type=authorization_code&code=CODE", status: 400,
      error: "invalid_request"),
    Refusal(description: "a code twice", form: good + "&code=CODE", status: 400, error: "invalid_request"),
    Refusal(
      description: "another grant", form: "grant_type=password&code=CODE", status: 400, error: "unsupported_grant_type"),
    Refusal(
      description: "a poll of nothing", form: "grant_type=urn:openid:params:grant-type:ciba&auth_req_id=x", status: 400,
      error: "invalid_grant"),
  ])
  func `a token request that is not as it must be is refused`(refusal: Refusal) async {
    let code = await stage.authorize().fields["code"] ?? ""
    let answer = await stage.token(
      refusal.form.replacing("CODE", with: code), as: refusal.application, headers: refusal.headers)
    #expect(answer.status == refusal.status && answer.body["error"]?.string == refusal.error, "\(answer.body.text)")
  }

  @Test func `a code is good once and not for long, and its second use ends the tokens of the first`() async throws {
    let own = MobileConnectStage()
    let code = try #require(await own.authorize().fields["code"])
    let form = Self.good.replacing("CODE", with: code)
    let token = try #require(await own.token(form).body["access_token"]?.string)
    let bearer = ["authorization": "Bearer \(token)"]
    #expect(await own.send("https://op.example/userinfo", headers: bearer)?.status == 200)
    #expect(await own.token(form).body["error"]?.string == "invalid_grant")
    #expect(await own.send("https://op.example/userinfo", headers: bearer)?.status == 401)
    let late = try #require(await own.authorize().fields["code"])
    own.notes.goOn(seconds: 61)
    #expect(await own.token(Self.good.replacing("CODE", with: late)).body["error"]?.string == "invalid_grant")
    #expect(await own.signIn("expiredCode")["error"]?.string == "invalid_grant")
    #expect(await own.signIn("tokenRateLimit")["error"]?.string == "slow_down")
  }

  @Test func `a refresh token is good once, gives no more than was granted, and goes with its grant`() async throws {
    let first = await stage.signIn()
    let refresh = try #require(first["refresh_token"]?.string)
    let form = "grant_type=refresh_token&refresh_token=\(refresh)"
    #expect(await stage.token(form + "&scope=openid%20profile").body["error"]?.string == "invalid_scope")
    #expect(await stage.token(form, as: "other").body["error"]?.string == "invalid_grant")
    let second = await stage.token(form, at: "refresh").body
    #expect(second["access_token"]?.string != nil && second["id_token"]?.string != nil)
    #expect(await stage.token(form).body["error"]?.string == "invalid_grant")
    let token = try #require(second["refresh_token"]?.string)
    #expect(
      await stage.token("token=\(token)&token_type_hint=cookie", at: "revoke").body["error"]?.string
        == "unsupported_token_type")
    #expect(await stage.token("token=\(token)&token_type_hint=refresh_token", at: "revoke").status == 200)
    let access = try #require(second["access_token"]?.string)
    #expect(
      await stage.send("https://op.example/userinfo", headers: ["authorization": "Bearer \(access)"])?.status == 401)
    #expect(await stage.token("token=nothing", at: "revoke").status == 200)
  }

  @Test func `a customer is known by a pseudonym for each application, which is a hint afterwards`() async throws {
    let own = try #require(Parts(await stage.signIn()["id_token"]?.string)?.claims["sub"]?.string)
    let other = try #require(Parts(await stage.signIn("other")["id_token"]?.string)?.claims["sub"]?.string)
    #expect(own != other)
    let end = await stage.authorize("plain", "login_hint=PCR:\(own)", from: MobileConnectStage.elsewhere)
    #expect(end.fields["code"] != nil)
  }

  @Test func `the signing key may get another name`() async throws {
    let own = MobileConnectStage()
    own.notes.say("mobileConnect.key", "operator-2")
    #expect(Parts(await own.signIn()["id_token"]?.string)?.header["kid"]?.string == "operator-2")
    let keys = try #require(await own.send("https://op.example/jwks")).json["keys"]?.items ?? []
    #expect(keys.contains { $0["kid"]?.string == "operator-2" } && !keys.contains { $0["kid"]?.string == "operator-1" })
  }
}

import Crypto
import CryptoExtras
import FoundationEssentials
import JSONTree
import OperatorSimulator
import MobileConnectSimulation
import Testing

/// What the simulated operator says of a customer, and its server-initiated mode.
@Suite struct OperatorAttributeTests {
  /// An application whose key signs requests, and one that gets attributes as tokens.
  struct Stage {
    // swift-format-ignore: NeverUseForceTry
    static let key = try! _RSA.Signing.PrivateKey(keySize: .bits2048)

    let stage = MobileConnectStage { settings in
      var asking = MobileConnectStage.application("asking")
      asking.key = Self.key.publicKey.pemRepresentation
      var tokens = MobileConnectStage.application("tokens")
      tokens.answersInTokens = true
      settings.applications += [asking, tokens]
    }

    /// Reads attributes with the token of a new authorization.
    func read(_ path: String, as application: String = "plain", scope: String, _ others: String = "") async throws
      -> SimulatedResponse
    {
      let query = stage.query(application, others).replacing("openid%20mc_authn", with: scope)
      let end = await stage.walk("https://op.example/authorize?\(query)")
      let form = "grant_type=authorization_code&code=\(end.fields["code"] ?? "")&redirect_uri=app://back"
      let token = try #require(await stage.token(form, as: application).body["access_token"]?.string)
      return try #require(
        await stage.send("https://op.example/\(path)", headers: ["authorization": "Bearer \(token)"]))
    }

    /// A request object with the claims that it should have, changed.
    func request(_ change: (inout [String: JSONValue]) -> Void = { _ in }, forged: Bool = false) throws -> String {
      var claims: [String: JSONValue] = [
        "response_type": .string("mc_si_async_code"), "client_id": .string("asking"), "scope": .string("openid mc_atp"),
        "version": .string("mc_si_r2_v1.0"), "nonce": .string("n\(stage.notes.next())"), "iss": .string("asking"),
        "aud": .string("https://op.example"), "login_hint": .string("MSISDN:4915112345678"), "acr_values": .string("2"),
      ]
      change(&claims)
      let header = JSONValue.object(["alg": .string("RS256"), "kid": .string("k1")])
      let text = [header, .object(claims)].map { Self.encode(Array($0.text.utf8)) }.joined(separator: ".")
      let signature = try Self.key.signature(
        for: SHA256.hash(data: Array((forged ? "x" + text : text).utf8)), padding: .insecurePKCS1v1_5)
      return text + "." + Self.encode(Array(signature.rawRepresentation))
    }

    private static func encode(_ bytes: [UInt8]) -> String {
      String(Data(bytes).base64EncodedString().compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
    }

    func ask(_ request: String, scope: String = "openid%20mc_atp") async throws -> SimulatedResponse {
      try #require(
        await stage.send(
          "https://op.example/si-authorize",
          form: "response_type=mc_si_async_code&client_id=asking&scope=\(scope)&request=\(request)"))
    }
  }

  static let shared = Stage()

  struct Case: Sendable, CustomStringConvertible {
    let path: String
    let scope: String
    /// Members that must be there, and one that must not.
    let members: [String]
    var without = "none"
    var description: String { "\(path) \(scope)" }
  }

  @Test(arguments: [
    Case(path: "userinfo", scope: "openid", members: ["sub"], without: "phone_number"),
    Case(path: "userinfo", scope: "openid%20profile", members: ["sub", "given_name", "family_name"], without: "email"),
    Case(path: "userinfo", scope: "openid%20email%20phone", members: ["email", "phone_number"], without: "address"),
    Case(path: "userinfo", scope: "openid%20address", members: ["address"], without: "email"),
    Case(path: "userinfo", scope: "openid%20mc_identity_phonenumber_hashed", members: ["phone_number"]),
    Case(
      path: "premiuminfo", scope: "openid%20mc_identity_phonenumber", members: ["phone_number"], without: "birthdate"),
    Case(
      path: "premiuminfo", scope: "openid%20mc_identity_signup", members: ["title", "birthdate", "street_address"],
      without: "national_identifier"),
    Case(
      path: "premiuminfo", scope: "openid%20mc_identity_nationalid", members: ["national_identifier", "postal_code"]),
  ])
  func `attributes come by scope`(test: Case) async throws {
    let response = try await Self.shared.read(test.path, scope: test.scope)
    #expect(response.status == 200)
    for member in test.members { #expect(response.json[member] != nil, "\(member) in \(response.body)") }
    #expect(response.json[test.without] == nil)
  }

  @Test func `a number that is validated comes as its hash`() async throws {
    let response = try await Self.shared.read(
      "userinfo", scope: "openid%20mc_mnv_validate_plus%20mc_identity_phonenumber_hashed",
      "login_hint=MSISDN:4915112345678")
    #expect(response.json["phone_number"]?.string == OperatorTokenTests.hex("4915112345678"))
  }

  @Test func `values that an application knows are compared`() async throws {
    let claims =
      "%7B%22premiuminfo%22:%7B%22name%22:%7B%22value%22:%22alex%20robin%20example%22%7D,%22address%22:%7B%22value%22:%22Moon%22%7D%7D%7D"
    let response = try await Self.shared.read("premiuminfo", scope: "openid%20mc_kyc_plain", "claims=\(claims)")
    #expect(response.json["name_match"]?.string == "Y" && response.json["address_match"]?.string == "N")
  }

  @Test func `attributes may be a signed token, and about another`() async throws {
    let response = try await Self.shared.read("userinfo", as: "tokens", scope: "openid%20email")
    #expect(response.header("Content-Type") == "application/jwt")
    let parts = try #require(OperatorTokenTests.Parts(response.body))
    #expect(parts.claims["email"]?.string == "alex@mail.example" && parts.claims["aud"]?.string == "tokens")
    #expect(
      try await Self.shared.read("userinfo", as: "otherSubject", scope: "openid").json["sub"]?.string == "another")
  }

  @Test func `a refusal stands in WWW-Authenticate alone`() async throws {
    let stage = Self.shared
    for (name, response, status, code) in [
      ("no token", try #require(await stage.stage.send("https://op.example/userinfo")), 401, "invalid_request"),
      ("fault", try await stage.read("userinfo", as: "refusedAttributes", scope: "openid"), 401, "invalid_token"),
      ("scope", try await stage.read("premiuminfo", scope: "openid%20profile"), 403, "insufficient_scope"),
    ] {
      #expect(response.status == status && response.body.isEmpty, "\(name)")
      #expect(response.header("WWW-Authenticate")?.contains("error=\"\(code)\"") == true, "\(name)")
    }
  }

  // MARK: Server-initiated

  @Test func `a signed request is pending, and then gives tokens`() async throws {
    let stage = Self.shared
    let begun = try await stage.ask(try stage.request())
    #expect(begun.status == 200, "\(begun.body)")
    let id = try #require(begun.json["auth_req_id"]?.string)
    let form = "grant_type=urn:openid:params:grant-type:ciba&auth_req_id=\(id)"
    #expect(await stage.stage.token(form, as: "plain").body["error"]?.string == "invalid_grant")
    for _ in 0..<2 {
      #expect(await stage.stage.token(form, as: "asking").body["error"]?.string == "authorization_pending")
    }
    let body = await stage.stage.token(form, as: "asking").body
    let claims = try #require(OperatorTokenTests.Parts(body["id_token"]?.string)).claims
    #expect(claims["hashed_login_hint"]?.string == OperatorTokenTests.hex("MSISDN:4915112345678"))
    #expect(claims["amr"]?.items == [.string("USSD_OK")])
    #expect(await stage.stage.token(form, as: "asking").body["error"]?.string == "invalid_grant")
  }

  @Test func `a user may refuse, or not answer in time`() async throws {
    let stage = Stage()
    let ask = { () async throws -> String in
      let id = try #require(try await stage.ask(try stage.request()).json["auth_req_id"]?.string)
      return "grant_type=urn:openid:params:grant-type:ciba&auth_req_id=\(id)"
    }
    let late = try await ask()
    stage.stage.notes.goOn(seconds: 121)
    #expect(await stage.stage.token(late, as: "asking").body["error"]?.string == "expired_token")
    stage.stage.notes.say("mobileConnect.user", "refuses")
    #expect(await stage.stage.token(try await ask(), as: "asking").body["error"]?.string == "access_denied")
  }

  struct Refusal: Sendable, CustomStringConvertible {
    let description: String
    let change: @Sendable (inout [String: JSONValue]) -> Void
    var isForged = false
    let error: String
  }

  @Test(arguments: [
    Refusal(description: "another's signature", change: { _ in }, isForged: true, error: "invalid_request_object"),
    Refusal(
      description: "another scope", change: { $0["scope"] = .string("openid mc_authz") },
      error: "invalid_request_object"),
    Refusal(description: "another audience", change: { $0["aud"] = .string("x") }, error: "invalid_request_object"),
    Refusal(description: "another issuer", change: { $0["iss"] = .string("x") }, error: "invalid_request_object"),
    Refusal(
      description: "levels as a list", change: { $0["acr_values"] = .array([.string("2")]) }, error: "invalid_request"),
    Refusal(description: "no nonce", change: { $0["nonce"] = nil }, error: "invalid_request"),
    Refusal(description: "no hint", change: { $0["login_hint"] = nil }, error: "invalid_request"),
    Refusal(description: "another version", change: { $0["version"] = .string("mc_v1.1") }, error: "invalid_request"),
    Refusal(
      description: "an unknown number", change: { $0["login_hint"] = .string("MSISDN:4917700000000") },
      error: "unknown_user_id"),
  ])
  func `a request that is not as it must be is refused`(refusal: Refusal) async throws {
    let stage = Self.shared
    let response = try await stage.ask(try stage.request(refusal.change, forged: refusal.isForged))
    #expect(response.json["error"]?.string == refusal.error, "\(response.body)")
  }
}

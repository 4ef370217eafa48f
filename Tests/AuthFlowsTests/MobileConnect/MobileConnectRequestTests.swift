// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Testing

@testable import AuthFlows
@testable import MobileConnectFlows

@Suite("Mobile Connect: parameters of an authorization, by version")
struct MobileConnectRequestTests {
  typealias Stage = MobileConnectStage
  typealias Change = @Sendable (inout MobileConnectRequest) -> Void

  /// What a request is sent with.
  static func fields(
    _ version: MobileConnectVersion?, _ found: MobileConnectOperator = Stage.endpoints, hint: LoginHint? = nil,
    _ settings: MobileConnectSettings = Stage.settings(), change: Change = { _ in }
  ) throws -> [String: String] {
    var settings = settings
    settings.version = version
    let authorization = try MobileConnectAuthorization(
      Stage.request(change), settings, found, hint: hint,
      ticket: AuthorizationTicket(state: "the-state", nonce: "the-nonce", verifier: "v", Stage.tools),
      correlationID: Stage.uuid)
    let query = authorization.query(client: Stage.client, redirect: settings.redirect!)
    #expect(Set(query.fields.map(\.name)).count == query.fields.count, "operators refuse parameters that come twice")
    return Dictionary(query.fields.map { ($0.name, $0.value) }) { first, _ in first }
  }

  @Test("The least request, in each version", arguments: MobileConnectVersion.known)
  func least(version: MobileConnectVersion) throws {
    #expect(
      try Self.fields(version) == [
        "client_id": "app-1", "redirect_uri": Stage.back, "response_type": "code", "scope": "openid",
        "acr_values": "2", "state": "the-state", "nonce": "the-nonce", "version": version.text,
        "correlation_id": Stage.uuid, "display": "page", "max_age": "3600",
      ])
  }

  @Test("A hint token stands in place of the SIM's own number, and beside a hint that the caller gives")
  func hintToken() throws {
    let own = LoginHint.encrypted(Secret("ab12"))
    let alone = try Self.fields(.v3_0, hint: own) { $0.loginHintToken = Secret("t") }
    #expect(alone["login_hint_token"] == "t" && alone["login_hint"] == nil)
    let both = try Self.fields(.v3_0, hint: own) {
      $0.loginHintToken = Secret("t")
      $0.loginHint = .customer(Secret("c"))
    }
    #expect(both["login_hint_token"] == "t" && both["login_hint"] == "PCR:c")
    #expect(try Self.fields(.v3_0, hint: own)["login_hint"] == "ENCR_MSISDN:ab12")
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var version = MobileConnectVersion.v2_3
    let change: Change
    /// Nil for a parameter that must not be there.
    let expected: [String: String?]
    var testDescription: String { name }
  }

  static let authorisation: Change = {
    $0.scope = ["openid", "mc_authz"]
    $0.clientName = "shop"
    $0.context = "Pay 5"
    $0.bindingMessage = "AB12"
  }

  static let rows: [Row] = [
    Row(name: "openid comes first", change: { $0.scope = ["mc_authn"] }, expected: ["scope": "openid mc_authn"]),
    Row(
      name: "openid stands once", change: { $0.scope = ["mc_authn", "openid"] }, expected: ["scope": "openid mc_authn"]),
    Row(name: "several levels in order", change: { $0.acr = ["3", "2"] }, expected: ["acr_values": "3 2"]),
    Row(name: "an underscore in max_age", change: { $0.maximumAge = 0 }, expected: ["max_age": "0", "max-age": nil]),
    Row(name: "display", change: { $0.display = .wap }, expected: ["display": "wap"]),
    Row(
      name: "locales",
      change: {
        $0.uiLocales = ["en", "de-AT"]
        $0.claimsLocales = ["fr"]
      }, expected: ["ui_locales": "en de-AT", "claims_locales": "fr"]),
    Row(
      name: "id_token_hint and dtbs",
      change: {
        $0.idTokenHint = Secret("h.c.s")
        $0.dtbs = "sign this"
      }, expected: ["id_token_hint": "h.c.s", "dtbs": "sign this"]),
    Row(name: "no response_mode", change: { _ in }, expected: ["response_mode": nil]),
    Row(
      name: "prompts below 3.0 stay", version: .v2_3, change: { $0.prompt = [.consent, .selectAccount] },
      expected: ["prompt": "consent select_account"]),
    Row(
      name: "3.0 drops consent", version: .v3_0, change: { $0.prompt = [.consent, .login] },
      expected: ["prompt": "login"]),
    Row(
      name: "3.0 drops select_account, and nothing stays", version: .v3_0, change: { $0.prompt = [.selectAccount] },
      expected: ["prompt": nil]),
    Row(name: "3.0 keeps no_seam", version: .v3_0, change: { $0.prompt = [.noSeam] }, expected: ["prompt": "no_seam"]),
    Row(name: "3.0 keeps none", version: .v3_0, change: { $0.prompt = [.none] }, expected: ["prompt": "none"]),
    Row(
      name: "a number as hint, digits alone", change: { $0.loginHint = .number(Stage.number) },
      expected: ["login_hint": "MSISDN:447700900123"]),
    Row(
      name: "an encrypted number as hint", change: { $0.loginHint = .encrypted(Secret("ab12")) },
      expected: ["login_hint": "ENCR_MSISDN:ab12"]),
    Row(
      name: "a reference as hint", change: { $0.loginHint = .customer(Secret("pcr-1")) },
      expected: ["login_hint": "PCR:pcr-1"]),
    Row(
      name: "hint and hint token, each its own value", version: .v3_0,
      change: {
        $0.loginHint = .number(Stage.number)
        $0.loginHintToken = Secret("token-x")
      }, expected: ["login_hint": "MSISDN:447700900123", "login_hint_token": "token-x"]),
    Row(
      name: "a hint token alone", version: .v3_0, change: { $0.loginHintToken = Secret("token-x") },
      expected: ["login_hint": nil, "login_hint_token": "token-x"]),
    Row(
      name: "claims", change: { $0.claims = .object(["userinfo": .object(["email": .null])]) },
      expected: ["claims": #"{"userinfo":{"email":null}}"#]),
    Row(
      name: "KYC values stand in claims",
      change: { $0.kyc = try! KYCClaims(["name": Secret("A B"), "address": Secret("C")]) },
      expected: ["claims": #"{"premiuminfo":{"address":{"value":"C"},"name":{"value":"A B"}}}"#]),
    Row(
      name: "KYC values beside claims",
      change: {
        $0.claims = .object(["premiuminfo": .object(["email": .null])])
        $0.kyc = try! KYCClaims(["name": Secret("A"), "address": Secret("C")])
      }, expected: ["claims": #"{"premiuminfo":{"address":{"value":"C"},"email":null,"name":{"value":"A"}}}"#]),
    Row(
      name: "an authorisation has its three, and prompt login", change: authorisation,
      expected: [
        "scope": "openid mc_authz", "client_name": "shop", "context": "Pay 5", "binding_message": "AB12",
        "prompt": "login",
      ]),
    Row(
      name: "a context without mc_authn makes an authorisation",
      change: {
        $0.scope = ["openid", "email"]
        $0.clientName = "shop"
        $0.context = "Pay 5"
      }, expected: ["context": "Pay 5", "prompt": "login"]),
    Row(
      name: "an authentication has no client name", change: { $0.clientName = "shop" },
      expected: ["client_name": nil, "prompt": nil]),
    Row(
      name: "1.1 asks for neither name nor context", version: .v1_1, change: { $0.scope = ["mc_authz"] },
      expected: ["prompt": "login", "context": nil]),
    Row(
      name: "3.0 asks for neither name nor context", version: .v3_0, change: { $0.scope = ["mc_authz"] },
      expected: ["prompt": "login", "client_name": nil]),
  ]

  @Test("Each rule", arguments: rows)
  func rules(row: Row) throws {
    let fields = try Self.fields(row.version, change: row.change)
    for (name, value) in row.expected { #expect(fields[name] == value, "\(name)") }
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let name: String
    var version = MobileConnectVersion.v2_3
    let argument: String
    let change: Change
    var testDescription: String { name }
  }

  static let refusals: [Refusal] = [
    Refusal(name: "a hint token before 3.0", argument: "loginHintToken", change: { $0.loginHintToken = Secret("x") }),
    Refusal(name: "none with another prompt", argument: "prompt", change: { $0.prompt = [.none, .login] }),
    Refusal(name: "1.2 without a client name", version: .v1_2, argument: "clientName", change: { $0.context = "x" }),
    Refusal(name: "2.0 without a client name", version: .v2_0, argument: "clientName", change: { $0.context = "x" }),
    Refusal(name: "2.3 without a client name", argument: "clientName", change: { $0.context = "x" }),
    Refusal(
      name: "2.3 without a context", argument: "context",
      change: {
        $0.scope = ["mc_authz"]
        $0.clientName = "shop"
      }),
    Refusal(
      name: "a context beside mc_authn", argument: "context",
      change: {
        $0.scope = ["mc_authn", "mc_authz"]
        $0.context = "x"
      }),
    Refusal(name: "a binding message alone", argument: "context", change: { $0.bindingMessage = "x" }),
    Refusal(name: "a blank in a scope", argument: "scope", change: { $0.scope = ["mc authn"] }),
    Refusal(name: "a level that is none", argument: "acr", change: { $0.acr = ["9"] }),
    Refusal(name: "no level", argument: "acr", change: { $0.acr = [] }),
    Refusal(name: "an age below zero", argument: "maximumAgeSeconds", change: { $0.maximumAge = -1 }),
    Refusal(name: "an age of years", argument: "maximumAgeSeconds", change: { $0.maximumAge = 40_000_000 }),
    Refusal(name: "a locale that is none", argument: "locales", change: { $0.uiLocales = ["e n"] }),
    Refusal(name: "a state with a blank", argument: "state", change: { $0.state = Secret("a b") }),
    Refusal(
      name: "an encrypted number that is not hex", argument: "subscriberID",
      change: { $0.loginHint = .encrypted(Secret("xyz")) }),
    Refusal(name: "an empty reference", argument: "customer", change: { $0.loginHint = .customer(Secret("")) }),
    Refusal(name: "claims that are no object", argument: "claims", change: { $0.claims = .string("x") }),
    Refusal(
      name: "KYC into claims that have no object there", argument: "claims",
      change: {
        $0.claims = .object(["premiuminfo": .string("x")])
        $0.kyc = try! KYCClaims(["name": Secret("A"), "address": Secret("C")])
      }),
    Refusal(
      name: "a context of kilobytes", argument: "context", change: { $0.context = String(repeating: "x", count: 1025) }),
  ]

  @Test("What no operator takes is refused by its name", arguments: refusals)
  func refused(row: Refusal) {
    let error = #expect(throws: AuthError.self) { try Self.fields(row.version, change: row.change) }
    guard case .invalidArgument(let name, _)? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(name == row.argument)
  }

  @Test("What the operator's metadata does not take is not sent")
  func metadata() throws {
    var found = Stage.endpoints
    found.metadata = MobileConnectMetadata(
      .object([
        "login_hint_methods_supported": .array([.string("PCR")]), "claims_parameter_supported": .bool(false),
      ]), within: TrustedOrigins([]))
    #expect(try Self.fields(.v2_3, found, hint: .encrypted(Secret("ab12")))["login_hint"] == nil)
    #expect(try Self.fields(.v2_3, found, change: { $0.loginHint = .customer(Secret("p")) })["login_hint"] == "PCR:p")
    #expect(throws: AuthError.self) { try Self.fields(.v2_3, found, change: { $0.loginHint = .number(Stage.number) }) }
    #expect(throws: AuthError.self) { try Self.fields(.v2_3, found, change: { $0.claims = .object([:]) }) }
  }

  @Test("A configured client name is an authorisation's, and discovery's where none is")
  func clientName() throws {
    var found = Stage.endpoints
    found.clientName = "told"
    #expect(try Self.fields(.v2_3, found, change: { $0.context = "x" })["client_name"] == "told")
    let settings = Stage.settings { $0.defaults.clientName = "configured" }
    #expect(try Self.fields(.v2_3, found, settings, change: { $0.context = "x" })["client_name"] == "configured")
  }

  // MARK: KYC

  @Test(
    "Name and address come together, each whole or in all its parts",
    arguments: [
      (["name", "address"], true), (["given_name", "family_name", "address"], true),
      (["name", "houseno_or_housename", "postal_code", "town", "country"], true),
      (["name", "address", "birthdate"], true), (["name_hashed", "address_hashed"], true),
      (["is_lost_stolen", "billing_segment", "account_state"], true), (["name"], false), (["address"], false),
      (["given_name", "address"], false), (["name", "given_name", "family_name", "address"], false),
      (["name", "town", "country"], false), (["name", "address", "town"], false), (["birthdate"], false),
      (["name", "address_hashed"], false), (["surname", "address"], false), ([], false),
    ])
  func kyc(names: [String], isWhole: Bool) {
    let values = Dictionary(uniqueKeysWithValues: names.map { ($0, Secret("Personal Value")) })
    do throws(AuthError) {
      let claims = try KYCClaims(values)
      #expect(isWhole && !"\(claims)".contains("Personal"))
    } catch {
      #expect(!isWhole && !error.message.contains("Personal"))
    }
  }

  // MARK: Login hints by default

  @Test(
    "Without a hint of the caller's: the number that discovery encrypted, the SIM's own where configured, else none",
    arguments: [
      (true, false, "ENCR_MSISDN:ab12"), (true, true, "ENCR_MSISDN:ab12"), (false, true, "MSISDN:447700900123"),
      (false, false, nil),
    ]
      as [(Bool, Bool, String?)])
  func defaultHint(isDiscovered: Bool, sendsNumber: Bool, hint: String?) async throws {
    let stage = Stage([
      "discoverByNetwork": [Stage.found()], "readMetadata": [Stage.metadata()], "authorize": [Stage.code],
    ])
    var settings = isDiscovered ? Stage.discovery() : Stage.settings()
    settings.defaults.sendsNumber = sendsNumber
    _ = try await stage.flow(settings).authorize(Stage.request(), OperatorQuery())
    #expect(Stage.query(stage.chain("authorize"))["login_hint"] == hint)
  }
}

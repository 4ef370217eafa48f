// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import JSONTree
import RedirectChain
import Testing
import Web
import FirebaseFlows

@Suite("Asking Firebase for a message")
struct SendCodeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var reply: SignInStage.Reply
    var result: FlowResult
    var code: String?
    var retryAfter: Int?

    var testDescription: String { "\(reply.status) \(code ?? reply.failure?.kind.rawValue ?? reply.json)" }
  }

  private static func row(
    _ message: String, _ result: FlowResult, code: String? = nil, status: Int = 400, more: String = ""
  ) -> Row {
    Row(reply: SignInStage.error(message, status: status, more: more), result: result, code: code ?? message)
  }

  static let rows: [Row] = [
    row("INVALID_PHONE_NUMBER", .badRequest),
    // The detail behind the first " : " is nobody's code, and may hold the number.
    row("INVALID_PHONE_NUMBER : Invalid format.", .badRequest, code: "INVALID_PHONE_NUMBER"),
    row("INVALID_PHONE_NUMBER : TOO_SHORT : +447700900000", .badRequest, code: "INVALID_PHONE_NUMBER"),
    row("MISSING_PHONE_NUMBER", .badRequest),
    row("CAPTCHA_CHECK_FAILED : Recaptcha verification failed - DUPE", .clientRefused, code: "CAPTCHA_CHECK_FAILED"),
    row("INVALID_APP_CREDENTIAL : Invalid app credential", .clientRefused, code: "INVALID_APP_CREDENTIAL"),
    row("MISSING_APP_CREDENTIAL", .clientRefused),
    row("MISSING_CLIENT_IDENTIFIER", .clientRefused),
    row("INVALID_RECAPTCHA_TOKEN", .clientRefused),
    row("QUOTA_EXCEEDED : Exceeded quota for verifying phone numbers.", .rateLimited, code: "QUOTA_EXCEEDED"),
    row("TOO_MANY_ATTEMPTS_TRY_LATER", .rateLimited),
    row("OPERATION_NOT_ALLOWED : SMS unable to be sent", .clientRefused, code: "OPERATION_NOT_ALLOWED"),
    row("PROJECT_DISABLED", .clientRefused),
    row("UNSUPPORTED_TENANT_OPERATION", .clientRefused),
    row("INVALID_TENANT_ID", .clientRefused),
    row(
      "The request is missing a valid API key.", .clientRefused, code: "PERMISSION_DENIED", status: 403,
      more: #","status":"PERMISSION_DENIED""#),
    row(
      "API key not valid. Please pass a valid API key.", .clientRefused, code: "API_KEY_INVALID",
      more: #","status":"INVALID_ARGUMENT","details":[{"@type":"x"},{"reason":"API_KEY_INVALID"}]"#),
    // A code that is not known stands beside the nearest result by status.
    row("SOMETHING_NEW : more", .badRequest, code: "SOMETHING_NEW"),
    row("SOMETHING_NEW", .clientRefused, status: 403),
    row("SOMETHING_NEW", .rateLimited, status: 429),
    row("SOMETHING_NEW", .providerUnavailable, status: 503),
    // A separator is " : " and nothing less.
    Row(reply: SignInStage.error("INVALID_PHONE_NUMBER:x"), result: .badRequest),
    Row(reply: .init(status: 404, json: "<html>not found</html>"), result: .badAnswer),
    Row(reply: .init(status: 302, json: ""), result: .badAnswer),
    Row(reply: .init(status: 400, json: #"{"error":[]}"#), result: .badRequest),
    Row(
      reply: .init(
        status: 429, json: #"{"error":{"message":"RESOURCE_EXHAUSTED"}}"#,
        headers: [.init(name: "retry-after", value: "30")]), result: .rateLimited, code: "RESOURCE_EXHAUSTED",
      retryAfter: 30),
    // A success without what a success is for.
    Row(reply: .init(), result: .badAnswer),
    Row(reply: .init(json: #"{"sessionInfo":""}"#), result: .badAnswer),
    Row(reply: .init(json: "no json"), result: .badAnswer),
    Row(reply: .init(failure: BackendFailure(.tls, "the certificate is another's")), result: .tlsError),
    Row(reply: .init(failure: BackendFailure(.timeout, "too late")), result: .timeout),
    Row(reply: .init(failure: BackendFailure(.closed, "closed")), result: .providerUnavailable),
    Row(reply: .init(failure: BackendFailure(.cancelled, "the caller left")), result: .cancelled),
  ]

  @Test("Each refusal has its result, and nothing is sent twice or waited for", arguments: rows)
  func refusals(_ row: Row) async throws {
    let stage = SignInStage([SignInStage.unchanged, row.reply], codes: [.message("123456")])
    let end = try await stage.signIn(.project)
    #expect(end.outcome.result == row.result)
    #expect(end.outcome.code == row.code)
    #expect(end.outcome.retryAfter == row.retryAfter)
    #expect(end.outcome.sim == .unchanged)
    #expect(!end.outcome.text.contains("447700900000"))
    #expect(stage.record.steps == ["simCheck", "sendVerificationCode"])
  }

  struct Form: Sendable, CustomTestStringConvertible {
    var json: String
    var isValid = true
    /// What the request's body has of it.
    var fields: [String: String] = [:]

    var testDescription: String { json }
  }

  static let forms: [Form] = [
    Form(json: #"{"recaptchaToken":"t"}"#, fields: ["recaptchaToken": "t"]),
    Form(json: #"{"playIntegrityToken":"t"}"#, fields: ["playIntegrityToken": "t"]),
    Form(json: #"{"safetyNetToken":"t"}"#, fields: ["safetyNetToken": "t"]),
    Form(json: #"{"iosReceipt":"r","iosSecret":"s"}"#, fields: ["iosReceipt": "r", "iosSecret": "s"]),
    Form(
      json: #"{"captchaResponse":"c","clientType":"CLIENT_TYPE_WEB","recaptchaVersion":"RECAPTCHA_ENTERPRISE"}"#,
      fields: [
        "captchaResponse": "c", "clientType": "CLIENT_TYPE_WEB", "recaptchaVersion": "RECAPTCHA_ENTERPRISE",
      ]),
    Form(json: "{}", isValid: false),
    Form(json: #""t""#, isValid: false),
    Form(json: #"{"iosReceipt":"r"}"#, isValid: false),
    Form(json: #"{"recaptchaToken":"t","playIntegrityToken":"t"}"#, isValid: false),
    Form(json: #"{"recaptchaToken":7}"#, isValid: false),
    Form(json: #"{"recaptchaToken":""}"#, isValid: false),
    Form(json: #"{"token":"t"}"#, isValid: false),
  ]

  @Test("An app verification goes out in the form that it came in, and no other is taken", arguments: forms)
  func verification(_ form: Form) async throws {
    let object = try #require(JSONValue(parsing: form.json.utf8))
    guard form.isValid else {
      #expect(throws: AuthError.self) { try AppVerification(object) }
      return
    }
    var settings = FirebaseSettings.project
    settings.iosBundle = "com.example.app"
    let stage = SignInStage([SignInStage.unchanged, SignInStage.error("QUOTA_EXCEEDED")])
    let verification = try AppVerification(object)
    #expect(!"\(verification)".contains("\"t\"") && !String(reflecting: verification).contains("t\""))
    _ = try await stage.signIn(SignInRequest(SignInStage.number, verification: verification), settings)
    let call = try #require(stage.record.calls.last)
    for (name, value) in form.fields { #expect(call.field(name) == value) }
    #expect(call.field("phoneNumber") == "+447700900000")
    let bundle = call.headers.first { $0.name == "x-ios-bundle-identifier" }?.value
    #expect(bundle == (form.fields["iosReceipt"] == nil ? nil : "com.example.app"))
  }

  struct Place: Sendable, CustomTestStringConvertible {
    var hosts = FirebaseHosts.production
    var version = FirebaseSettings.Version.v1
    var key: String? = "key 1"
    var send: String
    var signIn: String

    var testDescription: String { send }
  }

  static let places: [Place] = [
    Place(
      send: "https://identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode?key=key%201",
      signIn: "https://identitytoolkit.googleapis.com/v1/accounts:signInWithPhoneNumber?key=key%201"),
    Place(
      version: .v3,
      send: "https://www.googleapis.com/identitytoolkit/v3/relyingparty/sendVerificationCode?key=key%201",
      signIn: "https://www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPhoneNumber?key=key%201"),
    Place(
      hosts: try! .emulator("firebase.test:9099"), key: nil,
      send: "http://firebase.test:9099/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode?key=emulator",
      signIn: "http://firebase.test:9099/identitytoolkit.googleapis.com/v1/accounts:signInWithPhoneNumber?key=emulator"
    ),
    Place(
      hosts: try! .emulator("[::1]:9099"), version: .v3, key: "k",
      send: "http://[::1]:9099/www.googleapis.com/identitytoolkit/v3/relyingparty/sendVerificationCode?key=k",
      signIn: "http://[::1]:9099/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPhoneNumber?key=k"),
  ]

  @Test("Both calls go where the project is served, with its key, language and tenant", arguments: places)
  func place(_ place: Place) async throws {
    let settings = FirebaseSettings(
      hosts: place.hosts, version: place.version, apiKey: place.key.map { Secret($0) }, locale: "de", tenant: "t1",
      gate: SignInStage.backend)
    let stage = SignInStage(
      [SignInStage.unchanged, SignInStage.sent, SignInStage.signedIn], codes: [.message("123456")])
    #expect(try await stage.signIn(settings).outcome.result == .signedIn)
    let calls = stage.record.calls.dropFirst()
    #expect(calls.map(\.url.text) == [place.send, place.signIn])
    for call in calls {
      #expect(call.method == .post && call.route == .host)
      #expect(call.field("tenantId") == "t1")
      #expect(call.headers.first { $0.name == "X-Firebase-Locale" }?.value == "de")
    }
  }

  @Test("Production without a key asks nobody anything about Firebase; the calls take the configured route")
  func keyAndRoute() async throws {
    var settings = FirebaseSettings.project
    settings.apiKey = nil
    let keyless = SignInStage([SignInStage.unchanged, SignInStage.sent])
    #expect(try await keyless.signIn(settings).outcome.result == .notConfigured)
    #expect(keyless.record.steps == ["simCheck"])
    var routed = FirebaseSettings.project
    routed.route = .bearer
    let stage = SignInStage([SignInStage.unchanged, SignInStage.sent])
    // The lane over the bearer has no modem here.
    #expect(try await stage.signIn(routed).outcome.cause == .noModem)
    #expect(stage.record.calls.map(\.step) == ["simCheck"])
  }

  @Test("The emulator's host is spoken to in clear, and no other")
  func cleartext() throws {
    var providers = ProviderSet()
    providers.add(NamedProvider(name: "a", settings: FirebaseSettings.project))
    #expect(providers.cleartextHosts.isEmpty)
    let emulated = FirebaseSettings(hosts: try .emulator("firebase.test:9099"))
    providers.add(NamedProvider(name: "b", settings: .project, overrides: ["262": emulated]))
    #expect(providers.cleartextHosts == ["firebase.test"])
  }

  @Test("An emulator is host and port", arguments: ["http://h:9099", "h:9099/path", "", "h:0", "a b:1"])
  func emulatorAddress(text: String) {
    #expect(throws: WebURL.Invalid.self) { try FirebaseHosts.emulator(text) }
  }
}

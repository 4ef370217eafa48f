import AuthCore
import AuthFlows
import ModemModel
import NetworkAddress
import RedirectChain
import Testing
import IPificationFlows

@Suite("IPification: what is sent")
struct IPificationRequestTests {

  /// A change of settings or question, and what becomes of a query.
  struct Query: Sendable, CustomTestStringConvertible {
    let name: String
    var settings: @Sendable (inout IPificationSettings) -> Void = { _ in }
    var question: @Sendable (inout IPificationQuestion) -> Void = { _ in }
    var subscriber = Subscriber(modem: "m0", home: PLMN("23410"), serving: PLMN("20801"), isRoaming: true)
    /// Parameters that differ from the plain query; nil for one that is not sent.
    var differs: [String: String?] = [:]
    var testDescription: String { name }
  }

  static let plain = [
    "response_type": "code", "client_id": "client-1", "redirect_uri": IPificationSession.uri,
    "scope": "openid ip:phone_verify",
    "login_hint": "447700900000", "state": IPificationSession.state, "consent_id": "ipconsent001eng",
    "consent_timestamp": "1790000000", "mcc": "234", "mnc": "10",
  ]
  static let request = IPificationSession.token(
    #"{"state":"jwt-state","login_hint":"447700900000","client_id":"client-1"}"#)
  static let nonceRequest = IPificationSession.token(#"{"state":"jwt-state","nonce":"n-jwt"}"#)

  static let queries: [Query] = [
    .init(name: "as configured"),
    .init(
      name: "no consent", settings: { $0.consentID = nil }, differs: ["consent_id": nil, "consent_timestamp": nil]),
    .init(name: "another consent", settings: { $0.consentID = "mine" }, differs: ["consent_id": "mine"]),
    .init(
      name: "more scopes", settings: { $0.scope = ["openid", "ip:phone_verify", "ip:mobile_id"] },
      differs: ["scope": "openid ip:phone_verify ip:mobile_id"]),
    .init(
      name: "a scope of the call's own, without a number",
      question: {
        $0.scope = ["openid", "ip:phone"]
        $0.number = nil
      }, differs: ["scope": "openid ip:phone", "login_hint": nil]),
    .init(name: "the caller's state", question: { $0.state = Secret("abc") }, differs: ["state": "abc"]),
    .init(
      name: "another prefix of the state", settings: { $0.statePrefix = "x" },
      differs: ["state": "x\(IPificationSession.state.dropFirst(7))"]),
    .init(name: "a nonce", question: { $0.nonce = Secret("n-1") }, differs: ["nonce": "n-1"]),
    .init(name: "locales", settings: { $0.locales = ["id", "en-GB"] }, differs: ["ui_locales": "id en-GB"]),
    .init(
      name: "the call's own locales", settings: { $0.locales = ["id"] }, question: { $0.locales = ["de"] },
      differs: ["ui_locales": "de"]),
    .init(name: "channels", settings: { $0.channels = ["ip", "wa"] }, differs: ["channel": "ip wa"]),
    .init(
      name: "the call without the configured channels", settings: { $0.channels = ["wa"] },
      question: { $0.channels = [] }),
    .init(name: "a SIM kept back", settings: { $0.sendsNetwork = false }, differs: ["mcc": nil, "mnc": nil]),
    .init(name: "a SIM that is not known", subscriber: Subscriber(modem: "m0"), differs: ["mcc": nil, "mnc": nil]),
    .init(
      name: "an MNC of three digits", subscriber: Subscriber(modem: "m0", home: PLMN("310260")),
      differs: ["mcc": "310", "mnc": "260"]),
    .init(
      name: "a signed request", question: { $0.requestObject = Secret(request) },
      differs: [
        "request": request, "state": "jwt-state", "scope": nil, "consent_id": nil, "consent_timestamp": nil,
        "login_hint": nil,
      ]),
    .init(
      name: "a signed request with its nonce", question: { $0.requestObject = Secret(nonceRequest) },
      differs: [
        "request": nonceRequest, "state": "jwt-state", "scope": nil, "consent_id": nil, "consent_timestamp": nil,
        "login_hint": nil,
      ]),
    .init(
      name: "an encrypted request with the caller's state and nonce",
      question: {
        $0.requestObject = Secret("a.b.c.d.e")
        $0.state = Secret("s")
        $0.nonce = Secret("n")
      },
      differs: [
        "request": "a.b.c.d.e", "state": "s", "nonce": "n", "scope": nil, "consent_id": nil, "consent_timestamp": nil,
        "login_hint": nil,
      ]),
  ]

  @Test("The authorization request carries these parameters and no others", arguments: queries)
  func query(_ test: Query) throws {
    var session = IPificationSession(subscriber: test.subscriber)
    test.settings(&session.settings)
    test.question(&session.question)
    let end = try session.run()
    #expect(end.calls == ["authorize"])
    let sent = RedirectURI.parameters(of: try #require(end.requests.first).text)
    var expected = Self.plain
    for (name, value) in test.differs { expected[name] = value }
    #expect(sent == expected)
    #expect(end.policies.first?.stopFields == ["imbox_session_id"])
  }

  @Test(
    "Hosts and paths are those of the configuration",
    arguments: [
      ("production", "", "https://api.ipification.com/auth/realms/ipification/protocol/openid-connect/auth"),
      ("stage", "", "https://api.stage.ipification.com/auth/realms/ipification/protocol/openid-connect/auth"),
      ("id", "", "https://api.id.ipification.com/auth/realms/ipification/protocol/openid-connect/auth"),
      (
        "https://ip.example:8443/base/", "",
        "https://ip.example:8443/base/auth/realms/ipification/protocol/openid-connect/auth"
      ),
      ("stage", "r 2", "https://api.stage.ipification.com/auth/realms/r%202/protocol/openid-connect/auth"),
      ("stage", "/own/auth", "https://api.stage.ipification.com/own/auth"),
    ])
  func hosts(host: String, path: String, expected: String) throws {
    var settings = IPificationSettings(
      host: try IPificationHosts.endpoint(host), clientID: "client-1", redirectURI: IPificationSession.uri)
    if path.hasPrefix("/") {
      settings.paths.authorization = path
    } else if !path.isEmpty {
      settings.paths = .init(realm: path)
    }
    let end = try IPificationSession(settings: settings).run()
    #expect(end.requests[0].text.prefix { $0 != "?" } == expected)
  }

  @Test("What is no host is refused", arguments: ["", "staging", "http://api.example", "https://", "ID"])
  func noHost(name: String) {
    #expect(throws: AuthError.self) { try IPificationHosts.endpoint(name) }
  }

  @Test("The policy of a chain follows the configuration, and its retry is less patient")
  func policy() throws {
    var session = IPificationSession(
      settings: IPificationSession.settings {
        $0.cleartext = .known
        $0.keepsCookies = false
        $0.family = .ipv4
      })
    session.replies = [.failed(.connectFailed, isUnsent: true)]
    let end = try session.run()
    #expect(end.policies.map(\.connectTime) == [.seconds(10), .seconds(5)])
    #expect(end.policies.map(\.readTime) == [.seconds(10), .seconds(5)])
    #expect(end.policies.allSatisfy { !$0.keepsCookies && $0.family == .ipv4 && $0.requiresSecureStart })
    #expect(end.policies[0].cleartextDomains?.contains("vodafone.com") == true)
    session.settings.cleartext = .only(["op.example"])
    #expect(try session.run().policies[0].cleartextDomains == ["op.example"])
    session.settings = IPificationSession.settings()
    let plain = try #require(try session.run().policies.first)
    #expect(plain.cleartextDomains == nil && plain.keepsCookies && plain.family == nil)
  }

  @Test(
    "Coverage is asked by the form that the question has",
    arguments: [
      (
        "number",
        "https://api.stage.ipification.com/auth/realms/ipification/coverage?client_id=client-1&phone=447700900000&mcc=234&mnc=10",
        "checkCoverage"
      ),
      (
        "none", "https://api.stage.ipification.com/auth/realms/ipification/coverage?client_id=client-1&mcc=234&mnc=10",
        "checkCoverage"
      ),
      (
        "always",
        "https://api.stage.ipification.com/auth/realms/ipification/coverage/1.2.3.4?client_id=client-1&mcc=234&mnc=10",
        "checkCoverage"
      ),
      (
        "192.0.2.7", "https://api.stage.ipification.com/auth/realms/ipification/coverage/192.0.2.7?client_id=client-1",
        "GET checkCoverageOfAddress host"
      ),
      (
        "2001:db8::7",
        "https://api.stage.ipification.com/auth/realms/ipification/coverage/2001%3Adb8%3A%3A7?client_id=client-1",
        "GET checkCoverageOfAddress host"
      ),
    ])
  func coverage(form: String, url: String, call: String) throws {
    var session = IPificationSession(question: IPificationQuestion(.coverage))
    if form == "number" { session.question.number = IPificationSession.number }
    if form == "always" { session.settings.assumesCoverage = true }
    let end =
      if let address = IPAddress(form) {
        session.run(try IPificationAddressMachine(session.settings, address: address))
      } else {
        try session.run()
      }
    #expect(end.requests.map(\.text) == [url])
    #expect(end.calls == [call])
    for policy in end.policies { #expect(policy.staysOnFirstSite && policy.totalTime == .seconds(25)) }
  }

  @Test("Token and user information go to the token's host, by the configured network, and as forms")
  func exchange() throws {
    let settings = IPificationSession.settings {
      $0.tokenHost = try! Endpoint("https://token.example")
      $0.completion = .secret(Secret("s3cret"))
      $0.backendRoute = .bearer
      $0.checksCoverage = false
    }
    let session = IPificationSession(
      settings: settings, question: IPificationSession.question(.verify),
      replies: [
        .redirect("\(IPificationSession.uri)?code=c%201&state=STATE"), .backend(200, #"{"access_token":"t 1"}"#),
      ])
    let end = try session.run()
    #expect(end.calls == ["authorize", "POST exchangeCode bearer", "POST readUserInfo bearer"])
    let root = "https://token.example/auth/realms/ipification/protocol/openid-connect"
    #expect(end.requests.dropFirst().map(\.text) == [root + "/token", root + "/userinfo"])
    #expect(
      RedirectURI.parameters(of: "x:?" + end.bodies[0]) == [
        "grant_type": "authorization_code", "code": "c 1", "redirect_uri": IPificationSession.uri,
        "client_id": "client-1",
        "client_secret": "s3cret",
      ])
    #expect(RedirectURI.parameters(of: "x:?" + end.bodies[1]) == ["access_token": "t 1"])
  }
}

import MIRACLAPI
import MobileConnectAPI
import ModemAPI
import ModemAPIClient
import ScenarioRunner
import Testing
import TruIDAPI

/// What the intruder does, by plan, and who is led.
private enum EndpointAttackWorld {
  static let root = "https://mobileconnect.operator.example"
  static let discovery = "https://discover.exchange.example/v2/discovery"

  /// An answer of the discovery service whose token endpoint is somewhere.
  private static func found(token: String) -> String {
    """
    "at": "\(discovery)", "json": { "ttl": 1, "response": { "client_id": "phone", "client_secret": "s3cret-of-phone",
      "serving_operator": "Example", "apis": { "operatorid": { "link": [
        { "rel": "authorization", "href": "\(root)/authorize" }, { "rel": "token", "href": "\(token)" },
        { "rel": "userinfo", "href": "\(root)/userinfo" }, { "rel": "jwks", "href": "\(root)/jwks" } ] } } } }
    """
  }

  /// The operator's metadata, whose token endpoint is somewhere.
  private static func metadata(token: String) -> String {
    """
    "at": "\(root)/.well-known/openid-configuration", "json": { "issuer": "\(root)", "authorization_endpoint": "\(root)/authorize",
      "token_endpoint": "\(token)", "userinfo_endpoint": "\(root)/userinfo", "jwks_uri": "\(root)/jwks" }
    """
  }

  private static func check(url: String) -> String {
    #""at": "https://eu.api.truid.example/phone_check/v0.1/checks", "status": 201, "json": { "check_id": "c-1", "status": "ACCEPTED", "check_url": "\#(url)" }"#
  }

  private static func landing(url: String) -> String {
    #""at": "https://mcl.miracl.example/mobile-login/service", "json": { "url": "\#(url)", "type": "online", "name": "Shop", "logo_url": "https://mcl.miracl.example/logo" }"#
  }

  static let plans: [(String, String)] = [
    ("token-localhost", found(token: "http://localhost:8081/token")),
    ("token-loopback", found(token: "https://127.0.0.1/token")),
    ("token-inner", found(token: "https://inner.evil.example/token")),
    ("token-private", found(token: "https://10.0.0.1/token")),
    ("token-elsewhere", metadata(token: "https://evil.example/token")),
    ("token-twin", metadata(token: "https://mobileconnect.operator.example.evil.example/token")),
    ("token-port", metadata(token: "https://mobileconnect.operator.example:8443/token")),
    (
      "page-clear",
      #""at": "\#(discovery)", "status": 202, "json": { "links": [ { "rel": "operatorSelection", "href": "http://evil.example/select" } ] }"#
    ),
    ("check-port", check(url: "https://eu.api.truid.example:8443/check")),
    ("check-user", check(url: "https://eu.api.truid.example@evil.example/check")),
    ("check-twin", check(url: "https://EU.api.truid.example.evil.example./check")),
    ("landing-port", landing(url: "https://api.miracl.example:8443")),
    ("landing-local", landing(url: "https://inner.evil.example")),
    // Whoever gets a token request says yes.
    ("*", #""at": "https://evil.example/token", "json": { "access_token": "a1", "token_type": "Bearer" }"#),
    ("*", #""at": "https://inner.evil.example/token", "json": { "access_token": "a1", "token_type": "Bearer" }"#),
    (
      "*",
      #""at": "https://mobileconnect.operator.example.evil.example/token", "json": { "access_token": "a1", "token_type": "Bearer" }"#
    ),
  ]

  /// Each reads the metadata for itself.
  static let issuers = ["token-elsewhere", "token-twin", "token-port"]

  static var scenario: String {
    let answers = plans.map { plan, answer in (plan == "*" ? "{ " : #"{ "plan": "\#(plan)", "#) + answer + " }" }
    return """
      { "providers": [
          { "kind": "intruder", "answers": [ \(answers.joined(separator: ",\n")) ],
            "hosts": { "lookalike": { "name": "mobileconnect.operator.example.evil.example" } } },
          { "kind": "sample" }, { "kind": "truID", "client": { "id": "c1ient", "secret": "s3cret-of-truid" } },
          { "kind": "miracl", "pins": ["4711"], "projects": [ { "id": "older", "verification": "link" } ] },
          { "kind": "mobileConnect", "networks": ["26201"], "hosts": { "operator": { "https": [443, 8443] } }, "applications": [
              { "id": "phone", "secret": "s3cret-of-phone", "exchangeSecret": "s3cret-of-exchange",
                "redirectURIs": ["com.example.app://mc/back"] } ] } ],
        "modemdProviders": {
          "disco": { "kind": "mobileConnect", "redirectURI": "com.example.app://mc/back", "cacheLeastSeconds": 0,
            "discovery": { "url": "\(discovery)", "clientID": "phone-at-exchange" } },
          \(issuers.map { #""\#($0)": { "kind": "mobileConnect", "redirectURI": "com.example.app://mc/back", "issuer": "\#(root)", "clientID": "phone" }"# }.joined(separator: ", ")),
          "truid": { "kind": "truID", "api": "https://eu.api.truid.example", "clientID": "c1ient", "checkDomains": ["truid.example"] },
          "older": { "kind": "miracl", "api": "https://api.miracl.example", "project": "older", "generation": "rps",
            "landing": true, "trustedDomains": ["miracl.example"] } },
        "modemdCredentials": { "disco.discovery-secret": "s3cret-of-exchange", \(issuers.map { #""\#($0).client-secret": "s3cret-of-phone""# }.joined(separator: ", ")),
          "truid.client-secret": "s3cret-of-truid" } }
      """
  }
}

/// A provider's answer names where credentials, codes and tokens go next: to this machine, its
/// network or somebody else.
@Suite(
  .serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason),
  .intruded { EndpointAttackWorld.scenario })
struct EndpointAttackTests {
  // MARK: Mobile Connect

  /// Signs in, and looks for a host that got the request for tokens though it may not.
  private static func logIn(
    _ plan: String, with provider: String = "disco", _ result: MobileConnectInterface.Outcome.Result = .stateMismatch
  ) async throws {
    let world = try await IntrudedWorld.world(plan: plan)
    let before = askedForTokens(world)
    let run = try await MobileConnectWorld.login(world, with: provider)
    #expect(run.outcome?.result == result, "\(run.words)")
    #expect(run.tokens == nil && askedForTokens(world) == before, "\(run.words)")
  }

  /// How often anybody was asked for tokens.
  private static func askedForTokens(_ world: World) -> Int {
    [ServerRole.host, .uplink, .network].reduce(0) { count, role in
      count + world.requests(role).count { $0.place == "/token" }
    }
  }

  @Test(
    "A discovery service leads the client's secret and the code to a program of this machine, in clear",
    .attack(by: .provider, .broke))
  func localhost() async throws { try await Self.logIn("token-localhost") }

  @Test("A discovery service leads them to an address of loopback", .attack(by: .provider, .broke))
  func loopback() async throws { try await Self.logIn("token-loopback") }

  @Test("A discovery service leads them to a public name whose address is of loopback", .attack(by: .provider, .broke))
  func innerName() async throws { try await Self.logIn("token-inner", .notConfigured) }

  @Test("A discovery service leads them to an address of the machine's network", .attack(by: .provider, .broke))
  func privateAddress() async throws { try await Self.logIn("token-private") }

  @Test("An operator's metadata leads them to a stranger", .attack(by: .provider, .broke))
  func stranger() async throws { try await Self.logIn("token-elsewhere", with: "token-elsewhere") }

  @Test(
    "An operator's metadata leads them to a host whose name begins with the operator's", .attack(by: .provider, .broke))
  func twin() async throws { try await Self.logIn("token-twin", with: "token-twin") }

  @Test("An operator's metadata leads them to another port of the operator's host", .attack(by: .provider, .broke))
  func otherPort() async throws { try await Self.logIn("token-port", with: "token-port") }

  @Test("A discovery service gives a person a page in clear, which is anybody's", .attack(by: .provider, .broke))
  func clearPage() async throws {
    let world = try await IntrudedWorld.world(plan: "page-clear")
    let reply = try await world.client().call(
      MobileConnectInterface.Discover.self, .init(whose: .init(way: .page), provider: "disco"))
    #expect(reply.outcome?.result == .badAnswer && reply.page == nil, "\(reply.outcome?.text ?? "-")")
  }

  // MARK: tru.ID

  private static func phoneCheck(_ plan: String, _ result: TruIDInterface.Outcome.Result) async throws {
    let world = try await IntrudedWorld.world(plan: plan)
    let flow = try await TruIDWorldTests.run(
      world, TruIDInterface.PhoneCheck.self, .init(number: "+4915112345678", provider: "truid"),
      { ($0.step, $0.hop, $0.outcome, $0.check) })
    #expect(flow.outcome?.result == result && flow.hops.isEmpty, "\(flow.words)")
  }

  @Test("A check is to be opened at another port of the provider's host", .attack(by: .provider, .broke))
  func checkAtAnotherPort() async throws { try await Self.phoneCheck("check-port", .notConfigured) }

  @Test(
    "A check is to be opened at a stranger, behind a user's name that looks like the provider",
    .attack(by: .provider, .held))
  func checkBehindUserName() async throws { try await Self.phoneCheck("check-user", .badAnswer) }

  @Test("A check is to be opened at a name that begins with the provider's", .attack(by: .provider, .held))
  func checkAtTwin() async throws { try await Self.phoneCheck("check-twin", .notConfigured) }

  // MARK: MIRACL

  private static func session(_ plan: String) async throws {
    let world = try await IntrudedWorld.world(plan: plan)
    let reply = try await world.client().call(
      MIRACLInterface.GetSession.self, .init(link: "https://mcl.miracl.example/mobile-login/#abc", provider: "older"))
    #expect(reply.outcome?.result == .stateMismatch && reply.outcome?.code == "untrustedHost")
    #expect(!world.requests(.uplink).contains { $0.host == "api.miracl.example" })
  }

  @Test("A landing page leads logins to another port of the platform's host", .attack(by: .provider, .broke))
  func landingAtAnotherPort() async throws { try await Self.session("landing-port") }

  @Test("A landing page leads logins to a stranger's name for this machine", .attack(by: .provider, .held))
  func landingAtThisMachine() async throws { try await Self.session("landing-local") }

  @Test("A website's link leads to a host whose name begins with the platform's", .attack(by: .provider, .held))
  func linkToTwin() async throws {
    let world = try await IntrudedWorld.world(plan: "none")
    await #expect(throws: (any Error).self) {
      try await world.client().call(
        MIRACLInterface.GetSession.self,
        .init(link: "https://mcl.miracl.example.evil.example/mobile-login/#abc", provider: "older"))
    }
    #expect(!world.requests(.uplink).contains { $0.host.hasSuffix("evil.example") })
  }
}

import IPificationAPI
import ModemAPI
import ModemAPIClient
import ScenarioRunner
import Testing
import TruIDAPI

/// What the intruder does, by plan, and whom he wants to be.
private enum VerdictAttackWorld {
  /// Another's number, and the SIM's own.
  static let wanted = "+4915199999999"
  static let own = "+4915112345678"

  static let callback = "https://app.shop.example/mobile-connect/server_side_api/discovery_callback"
  static let yes = #""json": { "check_id": "{eu.api.truid.example/3}", "status": "COMPLETED", "match": true }"#
  static let camaraYes = #""json": { "verified": true, "devicePhoneNumberVerified": true }"#
  static let no = "error=access_denied&error_description=MSISDN_mismatch"

  /// What the intruder does, by plan. Without one he plays tru.ID's honest backend, which says no.
  static let answers = [
    #""at": "https://app.truid-demo.example/back", "json": { "check_id": "{check_id}", "status": "COMPLETED", "match": false }"#,
    #""plan": "truid-clear", "at": "http://id.truid-operator.example/id", \#(yes)"#,
    #""plan": "truid-stranger", "at": "http://id.truid-operator.example/id", "location": "https://evil.example/back""#,
    #""plan": "truid-stranger", "at": "https://evil.example/back", \#(yes)"#,
    #""plan": "truid-twin", "at": "http://id.truid-operator.example/id", "location": "https://app.truid-demo.example.evil.example/back""#,
    #""plan": "truid-twin", "at": "https://app.truid-demo.example.evil.example/back", \#(yes)"#,
    #""plan": "truid-downgrade", "at": "http://id.truid-operator.example/id", "location": "http://app.truid-demo.example:8080/back""#,
    #""plan": "truid-downgrade", "at": "http://app.truid-demo.example/back", \#(yes)"#,
    #""plan": "camara-clear", "at": "https://backend.camara.example/callback", "location": "http://he.camara.example/done""#,
    #""plan": "camara-clear", "at": "http://he.camara.example/done", \#(camaraYes)"#,
    #""plan": "camara-stranger", "at": "https://backend.camara.example/callback", "location": "http://he.camara.example/done""#,
    #""plan": "camara-stranger", "at": "http://he.camara.example/done", "location": "https://evil.example/done""#,
    #""plan": "camara-stranger", "at": "https://evil.example/done", \#(camaraYes)"#,
    #""plan": "button-clear", "at": "http://he.mobileconnect.example/identify", "location": "http://app.shop.example/taken?code=c1&state={state}""#,
    #""plan": "button-clear", "at": "http://app.shop.example/taken", "type": "text/plain", "body": "Welcome""#,
    #""plan": "button-port", "at": "http://he.mobileconnect.example/identify", "location": "https://app.shop.example:8443/taken?code=c1&state={state}""#,
    #""plan": "button-port", "at": "https://app.shop.example/taken", "type": "text/plain", "body": "Welcome""#,
    #""plan": "button-state", "at": "http://he.mobileconnect.example/identify", "location": "https://app.shop.example/taken?code=c1&state=s1""#,
    #""plan": "button-state", "at": "https://app.shop.example/taken", "type": "text/plain", "body": "Welcome""#,
    #""plan": "button-no", "at": "http://he.mobileconnect.example/identify", "location": "\#(callback)?\#(no)&state={state}""#,
    #""plan": "redirect-no", "at": "http://he.mobileconnect.example/identify", "location": "com.example.app://mc/back?\#(no)""#,
    #""plan": "redirect-twice", "at": "http://he.mobileconnect.example/identify", "location": "com.example.app://mc/back?code=c1&code=c1&state={state}""#,
    #""plan": "messages", "at": "http://ip.operator.example/*", "json": { "imbox_session_id": "s1", "wa_link": "https://evil.example/wa" }"#,
    #""plan": "state-twice", "at": "http://ip.operator.example/*", "location": "com.example.app://ip/callback?code=c1&state={state}&state={state}""#,
    #""plan": "no-state", "at": "http://ip.operator.example/*", "location": "com.example.app://ip/callback?code=c1""#,
  ]

  static var scenario: String {
    """
    { "providers": [
        { "kind": "intruder", "hosts": { "lookalike": { "name": "app.truid-demo.example.evil.example" } },
          "answers": [ \(answers.map { "{ \($0) }" }.joined(separator: ",\n")) ] },
        { "kind": "truID", "client": { "id": "c1ient", "secret": "s3cret-of-truid" } },
        { "kind": "camara", "backendNumber": "\(own)", "clients": [
            { "id": "hosted", "secret": "s3cret-of-hosted", "redirectURI": "https://backend.camara.example/callback", "pkce": false } ] },
        { "kind": "ipification", "networks": ["26201"], "clients": [ { "id": "ip", "secret": "s3cret-of-ip" } ] },
        { "kind": "mobileConnect", "networks": ["26201"], "hosts": { "app": { "https": [443, 8443], "http": [80] } },
          "appServer": { "application": "shop" }, "applications": [
            { "id": "shop", "secret": "s3cret-of-shop", "redirectURIs": ["\(callback)"] },
            { "id": "phone", "secret": "s3cret-of-phone", "redirectURIs": ["com.example.app://mc/back"] } ] } ],
      "subscribers": [ { "number": "\(wanted)" } ],
      "modemdProviders": {
        "truid": { "kind": "truID", "api": "https://eu.api.truid.example", "clientID": "c1ient", "route": "bearer", "version": "v0.2",
          "redirect": { "url": "https://app.truid-demo.example/back", "fetch": true } },
        "hosted": { "kind": "camara", "root": "https://api.camara.example", "route": "bearer", "clientID": "hosted",
          "authorizationEndpoint": "https://auth.camara.example/authorize", "tokenEndpoint": "https://auth.camara.example/token",
          "redirectURI": "https://backend.camara.example/callback", "redirectIsBackend": true, "backendAnswer": "verified" },
        "ip": { "kind": "ipification", "host": "https://api.ipification.example", "clientID": "ip", "route": "bearer",
          "redirectURI": "com.example.app://ip/callback" },
        "shop": { "kind": "mobileConnect", "route": "bearer", "handsetPauseSeconds": 0,
          "appServer": { "url": "https://app.shop.example" } },
        "phone": { "kind": "mobileConnect", "route": "bearer", "issuer": "https://mobileconnect.operator.example",
          "clientID": "phone", "redirectURI": "com.example.app://mc/back" } },
      "modemdCredentials": { "truid.client-secret": "s3cret-of-truid", "hosted.client-secret": "s3cret-of-hosted",
        "ip.client-secret": "s3cret-of-ip", "phone.client-secret": "s3cret-of-phone" } }
    """
  }
}

/// Somebody on the way wants to say himself what a provider alone may say: that a number is the
/// SIM's, that it is not, that a user is signed in.
///
/// He answers every cleartext hop, knows all secrets of the flow, and has hosts with good
/// certificates of his own.
@Suite(
  .serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason),
  .intruded { VerdictAttackWorld.scenario })
struct VerdictAttackTests {
  // MARK: tru.ID's backend, which the chain is fetched to

  private static func truID(_ plan: String) async throws -> TruIDWorldTests.Flow {
    let world = try await IntrudedWorld.world(plan: plan)
    return try await TruIDWorldTests.run(
      world, TruIDInterface.SubscriberCheck.self, .init(number: VerdictAttackWorld.wanted, provider: "truid"),
      { ($0.step, $0.hop, $0.outcome, $0.check) })
  }

  @Test func `without an attack the backend's no is the result`() async throws {
    let flow = try await Self.truID("none")
    #expect(flow.outcome?.result == .notVerified && flow.outcome?.number == .differs, "\(flow.words)")
    #expect(flow.hops.last?.host == "app.truid-demo.example")
  }

  @Test("The cleartext hop answers with the result itself", .attack(by: .provider, .broke))
  func clearVerdict() async throws {
    let flow = try await Self.truID("truid-clear")
    #expect(flow.outcome?.result == .badAnswer && flow.outcome?.number == nil, "\(flow.words)")
  }

  @Test(
    "The cleartext hop leads to a stranger with a good certificate, who answers with the result",
    .attack(by: .provider, .broke))
  func strangersVerdict() async throws {
    let flow = try await Self.truID("truid-stranger")
    #expect(flow.outcome?.result == .badAnswer && flow.outcome?.number == nil, "\(flow.words)")
    #expect(flow.hops.last?.host == "evil.example")
  }

  @Test("A host whose name begins with the backend's answers with the result", .attack(by: .provider, .broke))
  func lookalikesVerdict() async throws {
    let flow = try await Self.truID("truid-twin")
    #expect(flow.outcome?.result == .badAnswer && flow.outcome?.number == nil, "\(flow.words)")
  }

  @Test("The backend's own name in clear, at another port, answers with the result", .attack(by: .provider, .broke))
  func downgradedVerdict() async throws {
    let flow = try await Self.truID("truid-downgrade")
    #expect(flow.outcome?.result == .badAnswer && flow.outcome?.number == nil, "\(flow.words)")
    #expect(flow.hops.last?.scheme == .http && flow.hops.last?.host == "app.truid-demo.example")
  }

  // MARK: CAMARA's backend

  @Test(
    "A backend that redirects in clear lets the network say that the number is verified", .attack(by: .provider, .broke)
  )
  func clearVerification() async throws {
    let world = try await IntrudedWorld.world(plan: "camara-clear")
    let flow = try await CAMARAWorldTests.verify(world, VerdictAttackWorld.wanted, with: "hosted")
    #expect(flow.outcome?.result == .badAnswer && flow.outcome?.number == nil, "\(flow.words)")
    #expect(flow.hops.last?.scheme == .http)
  }

  @Test("A stranger behind the backend's redirects says that the number is verified", .attack(by: .provider, .broke))
  func strangersVerification() async throws {
    let world = try await IntrudedWorld.world(plan: "camara-stranger")
    let flow = try await CAMARAWorldTests.verify(world, VerdictAttackWorld.wanted, with: "hosted")
    #expect(flow.outcome?.result == .badAnswer && flow.outcome?.number == nil, "\(flow.words)")
    #expect(flow.hops.last?.host == "evil.example")
  }

  // MARK: Mobile Connect's button

  private static func press(_ plan: String) async throws -> MobileConnectWorld.Run {
    try await MobileConnectWorld.login(try await IntrudedWorld.world(plan: plan), with: "shop")
  }

  @Test("The app server's name in clear says welcome", .attack(by: .provider, .broke))
  func clearWelcome() async throws {
    let run = try await Self.press("button-clear")
    #expect(run.outcome?.result == .interactionRequired, "\(run.words)")
    #expect(run.hops.last?.scheme == .http && run.hops.last?.host == "app.shop.example")
  }

  @Test("Another port of the app server's host says welcome", .attack(by: .provider, .broke))
  func welcomeOfAnotherPort() async throws {
    let run = try await Self.press("button-port")
    #expect(run.outcome?.result == .interactionRequired, "\(run.words)")
    #expect(run.hops.last?.scheme == .https && run.hops.last?.host == "app.shop.example")
  }

  @Test("A code that the app server's own state is not with is no sign-in", .attack(by: .provider, .broke))
  func foreignState() async throws {
    let run = try await Self.press("button-state")
    #expect(run.outcome?.result == .interactionRequired, "\(run.words)")
  }

  @Test("The network leads to the app server with the operator's no to the number", .attack(by: .provider, .broke))
  func forgedNoAtTheServer() async throws {
    let run = try await Self.press("button-no")
    #expect(run.outcome?.result == .userRefused && run.outcome?.number == nil, "\(run.words)")
  }

  // MARK: Redirect URIs

  @Test("The network leads to the redirect URI with the operator's no to the number", .attack(by: .provider, .broke))
  func forgedNo() async throws {
    let world = try await IntrudedWorld.world(plan: "redirect-no")
    let run = try await MobileConnectWorld.login(world, with: "phone")
    #expect(run.outcome?.result == .userRefused && run.outcome?.number == nil, "\(run.words)")
  }

  @Test("A redirect URI with its code twice is exchanged by nobody", .attack(by: .provider, .broke))
  func doubledCode() async throws {
    let world = try await IntrudedWorld.world(plan: "redirect-twice")
    let run = try await MobileConnectWorld.login(world, with: "phone")
    #expect(run.outcome?.result == .badAnswer && !run.names.contains("exchangeCode"), "\(run.words)")
  }

  private static func verifyIP(_ plan: String) async throws -> (IPificationInterface.Verify.Reply?, [String]) {
    let world = try await IntrudedWorld.world(plan: plan)
    var (last, steps): (IPificationInterface.Verify.Reply?, [String]) = (nil, [])
    let stream = try await world.client().stream(
      IPificationInterface.Verify.self, .init(number: VerdictAttackWorld.wanted, provider: "ip"))
    for try await reply in stream {
      if let step = reply.step { steps.append(step.name) }
      if reply.outcome != nil { last = reply }
    }
    return (last, steps)
  }

  @Test("A cleartext hop gives a session of its own for a messaging application", .attack(by: .provider, .broke))
  func forgedMessages() async throws {
    let (last, steps) = try await Self.verifyIP("messages")
    #expect(last?.outcome?.result == .badAnswer && last?.messages == nil, "\(last?.outcome?.text ?? "-") \(steps)")
  }

  @Test("A redirect URI with its state twice is exchanged by nobody", .attack(by: .provider, .broke))
  func doubledState() async throws {
    let (last, steps) = try await Self.verifyIP("state-twice")
    #expect(last?.outcome?.result == .stateMismatch, "\(last?.outcome?.text ?? "-")")
    #expect(!steps.contains("exchangeCode"))
  }

  @Test("A redirect URI without state is exchanged by nobody", .attack(by: .provider, .held))
  func missingState() async throws {
    let (last, steps) = try await Self.verifyIP("no-state")
    #expect(last?.outcome?.result == .stateMismatch, "\(last?.outcome?.text ?? "-")")
    #expect(!steps.contains("exchangeCode"))
  }
}

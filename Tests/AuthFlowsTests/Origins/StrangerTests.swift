// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import ModemModel
@_spi(Exchange) import RedirectChain
import Testing
@_spi(Exchange) import Web

@testable import AuthFlows
@testable import TruIDFlows
@testable import MobileConnectFlows
@testable import MIRACLFlows

/// What somebody answers who is not the provider, for each provider and each kind of look-alike.
@Suite("Answers of strangers make no verdict, code, token or session")
struct StrangerTests {
  /// Look-alikes of a host: in clear, at another port, before it, behind it, below it, beside it.
  static func twins(of host: String) -> [String] {
    [
      "http://\(host)/x", "http://\(host):443/x", "https://\(host):8443/x", "https://evil-\(host)/x",
      "https://\(host).evil.example/x",
      "https://evil.\(host)/x", "https://evil.example/x", "https://\(host.replacing(".", with: "-")).example/x",
    ]
  }

  // MARK: tru.ID

  static let backend = "https://app.example/back"
  static let yes = #"{"check_id":"c-1","status":"COMPLETED","match":true}"#

  @Test("tru.ID: a result is the word of redirect.url alone", arguments: twins(of: "app.example"))
  func fetchedResult(place: String) {
    let redirect = TruIDRedirect(Self.backend, isFetched: true)
    let trial = TruIDStage.check(
      .phoneCheck, .v2, by: TruIDStage.backend, redirect: redirect,
      [.reply(201, TruIDStage.created), .end(200, Self.yes, by: place)])
    #expect(trial.outcome.result == .badAnswer && trial.outcome.number == nil, "\(trial.outcome)")
  }

  @Test(
    "tru.ID: also the backend's own by another spelling",
    arguments: ["https://app.example/back", "https://APP.example./other", "https://app.example:443/"])
  func ownResult(place: String) {
    let redirect = TruIDRedirect(Self.backend, isFetched: true)
    let trial = TruIDStage.check(
      .phoneCheck, .v2, by: TruIDStage.backend, redirect: redirect,
      [.reply(201, TruIDStage.created), .end(200, Self.yes, by: place)])
    #expect(trial.outcome.result == .verified, "\(trial.outcome)")
  }

  @Test(
    "tru.ID: a code in the last answer is the provider's word",
    arguments: twins(of: "api.tru.id").filter { $0 != "https://evil.api.tru.id/x" })
  func code(place: String) {
    let trial = TruIDStage.check(
      .phoneCheck, .v2, by: TruIDStage.backend,
      [.reply(201, TruIDStage.created), .end(200, #"{"check_id":"c-1","code":"x"}"#, by: place)])
    #expect(trial.outcome.result == .badAnswer && trial.steps == ["createCheck", "openCheckURL"], "\(trial.outcome)")
  }

  @Test(
    "tru.ID: a parameter of the redirect that stands twice is nobody's",
    arguments: ["check_id=c-1", "code=x", "reference_id=r", "authorization=a", "date=d"])
  func doubled(parameter: String) {
    let uri = "https://shop.example/back?check_id=c-1&code=x&reference_id=r&authorization=a&date=d&\(parameter)"
    let trial = TruIDStage.check(
      .phoneCheck, .v2, by: TruIDStage.backend, redirect: TruIDRedirect("https://shop.example/back"),
      [.reply(201, TruIDStage.created), .redirected(uri)])
    #expect(trial.outcome.result == .stateMismatch && trial.outcome.text.contains("twice"), "\(trial.outcome)")
  }

  // MARK: CAMARA

  @Test("CAMARA: a backend's answer is the word of the redirect URI alone", arguments: twins(of: "app.example"))
  func fetchedVerification(place: String) {
    let settings = CAMARAKit.settings { $0.server.redirect = .fetched(try! WebURL(CAMARAKit.redirectURI)) }
    let yes = #"{"devicePhoneNumberVerified":true}"#
    let walk = CAMARAWalk(
      CAMARAKit.numberVerification(.verify(CAMARAKit.number), settings),
      [.code, .http(200, yes, by: place)])
    #expect(walk.outcome?.result == .badAnswer && walk.outcome?.number == nil, "\(String(describing: walk.outcome))")
    let own = CAMARAWalk(
      CAMARAKit.numberVerification(.verify(CAMARAKit.number), settings), [.code, .http(200, yes)])
    #expect(own.outcome?.result == .verified)
  }

  @Test(
    "A redirect URI is refused where a security parameter stands twice, also with the same value",
    arguments: [
      "code=the-code&code=the-code&state=STATE", "code=the-code&state=STATE&state=STATE", "code=a&code=b&state=STATE",
      "code=the-code&state=STATE#state=STATE", "error=access_denied&error=access_denied&state=STATE",
      "code=the-code&state=STATE&iss=a&iss=b",
    ])
  func doubledRedirect(query: String) {
    let walk = CAMARAWalk(
      CAMARAKit.numberVerification(), [.redirect(query.replacing("STATE", with: CAMARAReply.state))])
    let refusals: [FlowResult?] = [query.contains("&code=") ? .badAnswer : .stateMismatch]
    #expect(refusals.contains(walk.outcome?.result) && walk.steps == ["authorize"])
    var session = IPificationSession()
    session.replies = [.redirect("\(IPificationSession.uri)?\(query)")]
    // IPification has no iss.
    guard !query.contains("iss") else { return }
    #expect(refusals.contains(try! session.run().outcome?.result))
  }

  // MARK: IPification

  @Test(
    "IPification: a session for messages is the provider's word",
    arguments: twins(of: "api.stage.ipification.com").filter {
      !$0.contains("ipification.com/") || $0.hasPrefix("http:")
    })
  func messages(place: String) throws {
    var session = IPificationSession()
    session.replies = [.answer(200, #"{"imbox_session_id":"s1"}"#, by: place)]
    let end = try session.run()
    #expect(
      end.outcome?.result == .badAnswer && end.answer?.messageFallback == nil, "\(String(describing: end.outcome))")
    session.replies = [.redirect("\(IPificationSession.uri)?imbox_session_id=s1&state=STATE", by: place)]
    #expect(try session.run().answer?.messageFallback == nil)
    session.replies = [.answer(200, #"{"imbox_session_id":"s1"}"#)]
    #expect(try session.run().outcome?.result == .messageAppRequired)
  }

  @Test("IPification: coverage is the word of its API alone", arguments: twins(of: "api.stage.ipification.com"))
  func coverage(place: String) throws {
    var session = IPificationSession(question: IPificationSession.question(.coverage))
    session.replies = [.answer(200, #"{"available":true}"#, by: place)]
    let end = try session.run()
    #expect(end.outcome?.result == .badAnswer, "\(String(describing: end.outcome))")
  }

  // MARK: Mobile Connect

  typealias Stage = MobileConnectStage

  @Test("Mobile Connect: a no to the number is the operator's word, with the state")
  func forgedNo() async throws {
    let no = "\(Stage.back)?error=access_denied&error_description=MSISDN_mismatch"
    let strangers = Self.twins(of: "op.example").filter { $0 != "https://evil.op.example/x" }
    let rows: [(String, String, Bool)] =
      [
        (no + "&state=the-state", "https://op.example/end", true),
        (no + "&state=the-state", "https://login.op.example/", true), (no, "https://op.example/end", false),
      ] + strangers.map { (no + "&state=the-state", $0, false) }
    for (uri, place, isBelieved) in rows {
      let stage = Stage(["authorize": [.redirected(uri, by: place)]])
      let end = try await stage.flow(Stage.settings()).login(Stage.request(), OperatorQuery())
      #expect((end.outcome.result == .notVerified) == isBelieved, "\(place): \(end.outcome)")
      #expect((end.outcome.number != nil) == isBelieved)
    }
  }

  @Test("Mobile Connect: only the app server's own origin signs in", arguments: twins(of: "shop.example"))
  func button(place: String) async throws {
    let end = "\(place)?code=c1&state=s1"
    let (done, _) = try await AppServerTests.press(
      AppServerTests.server(), .end(200, "Welcome", type: "text/plain"), visited: [end])
    #expect(done.outcome.result == .interactionRequired, "\(done.outcome)")
    // Its code came, and somebody else shows the page.
    let (other, _) = try await AppServerTests.press(
      AppServerTests.server(), .end(200, "Welcome", type: "text/plain"),
      visited: [AppServerTests.callback + "?code=c1&state=s1", place])
    #expect(other.outcome.result == .interactionRequired, "\(other.outcome)")
    let error = #"{"error":"access_denied","error_description":"MSISDN_mismatch"}"#
    let (no, _) = try await AppServerTests.press(AppServerTests.server(), .end(403, error), visited: [place])
    #expect(no.outcome.result == .userRefused && no.outcome.number == nil, "\(no.outcome)")
  }

  @Test(
    "Mobile Connect: the app server's own state comes back with its code, once",
    arguments: [
      ("code=c1&state=s1", true), ("code=c1&state=s2", false), ("code=c1&state=s1&state=s1", false),
      ("code=c1&code=c1&state=s1", false), ("code=&state=s1", false),
    ])
  func buttonState(query: String, isSignedIn: Bool) async throws {
    let (done, _) = try await AppServerTests.press(
      visited: ["https://op.example/authorize?state=s1", "http://he.example/", AppServerTests.callback + "?\(query)"])
    #expect((done.outcome.result == .signedIn) == isSignedIn, "\(done.outcome)")
  }

  // MARK: Endpoints

  @Test(
    "Mobile Connect: metadata stays on the operator's site, unless operatorDomains says more",
    arguments: [
      ("https://op.example/token", [], true), ("https://login.op.example/token", [], true),
      ("https://evil.example/token", [], false), ("https://op.example:8443/token", [], false),
      ("http://op.example/token", [], false), ("https://localhost/token", [], false),
      ("https://op.example.evil.example/t", [], false), ("https://evil-op.example/t", [], false),
      ("https://tokens.group.example/t", ["group.example"], true), ("https://op.example/t", ["group.example"], true),
      ("https://127.0.0.1/t", ["127.0.0.1"], false),
    ] as [(String, Set<String>, Bool)])
  func metadata(token: String, domains: Set<String>, isAsked: Bool) async throws {
    let text =
      #"{"issuer":"https://op.example","authorization_endpoint":"https://op.example/authorize","token_endpoint":"\#(token)","#
      + #""jwks_uri":"https://op.example/jwks"}"#
    var replies = Stage.login()
    replies["readMetadata"] = [.reply(200, text)]
    let stage = Stage(replies)
    let settings = Stage.settings {
      $0.source = .issuer(try! Endpoint("https://op.example"))
      $0.operatorDomains = domains
      $0.version = nil
    }
    let end = try await stage.flow(settings).login(Stage.request(), OperatorQuery())
    #expect(stage.asked.contains("exchangeCode") == isAsked, "\(end.outcome)")
    if !isAsked { #expect(end.outcome.result == .stateMismatch && end.outcome.code == "untrustedHost") }
  }

  @Test(
    "Mobile Connect: a discovery service names any public operator, or one of operatorDomains",
    arguments: [
      ("https://other.example/token", [], true), ("https://other.example:8443/token", [], true),
      ("http://other.example/token", [], false), ("http://localhost:8080/token", [], false),
      ("https://127.0.0.1/token", [], false), ("https://[::1]/token", [], false), ("https://10.1.1.1/token", [], false),
      ("https://other.example/token", ["op.example"], false), ("https://token.op.example/", ["op.example"], true),
    ] as [(String, Set<String>, Bool)])
  func discovery(token: String, domains: Set<String>, isAsked: Bool) async throws {
    let links = [
      ("authorization", "https://op.example/authorize"), ("token", token), ("jwks", "https://op.example/jwks"),
    ]
    var replies = Stage.login()
    replies["discoverByNetwork"] = [Stage.found(links: links)]
    let stage = Stage(replies)
    var settings = Stage.discovery()
    settings.operatorDomains = domains
    let end = try await stage.flow(settings).login(Stage.request(), OperatorQuery())
    #expect(stage.asked.contains("exchangeCode") == isAsked, "\(end.outcome)")
    if !isAsked { #expect(end.outcome.result == .stateMismatch && end.outcome.code == "untrustedHost") }
  }

  @Test(
    "MIRACL: what a link leads to is of the project",
    arguments: [
      "http://api.mpin.example/#s", "https://api.mpin.example:8443/#s", "https://evil-api.mpin.example.evil/#s",
      "https://good@api.mpin.example/#s", "https://127.0.0.1/#s", "https://localhost/#s", "https://[::1]/#s",
      "https://api.mpin.example.evil.example/#s",
    ])
  func miraclLink(link: String) throws {
    let settings = MIRACLSettings(api: try Endpoint("https://api.mpin.example"), project: "shop")
    #expect(throws: AuthError.self) { try MIRACLLink(link, settings) }
  }

  @Test("MIRACL: a verification's link with its code or its user twice is none")
  func miraclVerification() {
    for query in ["user_id=a&code=b&code=b", "user_id=a&user_id=c&code=b"] {
      #expect(MIRACLVerificationLink(Secret("https://x.example/?\(query)")) == nil)
    }
    #expect(MIRACLVerificationLink(Secret("https://x.example/?user_id=a&code=b")) != nil)
  }
}

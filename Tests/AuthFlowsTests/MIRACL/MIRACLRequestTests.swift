import AuthCore
import AuthFlows
import JSONTree
import MIRACLTestSupport
import RedirectChain
import Testing
import MIRACLFlows

@Suite("Requests to MIRACL")
struct MIRACLRequestTests {
  @Test("A registration and a login, call by call", arguments: [MIRACLSettings.shop, .oldShop])
  func calls(settings: MIRACLSettings) async throws {
    let stage = MIRACLStage(settings, answers: ["right", "1234", "1234"])
    let end = try await stage.flow.register(MIRACLRegistration(MIRACLStage.user, canAsk: true), stage.run)
    let identity = try #require(end.answer)
    _ = try await stage.flow.logIn(MIRACLLogin(link: stage.flow.link(MIRACLStage.link), canAsk: true), stage.run)
    let id = identity.key.mpinIdHex
    let isNew = settings.generation == .registration
    let made =
      isNew
      ? [
        "POST https://api.mpin.example/registration", "GET https://api.mpin.example/share/1/\(id)",
        "GET https://two.mpin.example/share/2/\(id)",
      ]
      : [
        "PUT https://api.mpin.example/rps/v2/user",
        "GET https://api.mpin.example/rps/v2/signature/\(id)?regOTT=ott-1&publicKey=\(identity.key.publicKey.hex)",
        "GET https://two.mpin.example/share/2/\(id)",
      ]
    #expect(
      stage.record.calls.map { "\($0.method.rawValue) \($0.url.text)" } == [
        "POST https://api.mpin.example/verification/email", "POST https://api.mpin.example/verification/confirmation",
      ] + made + [
        "POST https://api.mpin.example/rps/v2/codeStatus", "POST https://api.mpin.example/rps/v2/codeStatus",
        "POST https://api.mpin.example/rps/v2/pass1", "POST https://api.mpin.example/rps/v2/pass2",
        "POST https://api.mpin.example/rps/v2/authenticate",
      ])
    for call in stage.record.calls {
      #expect(call.header("X-MIRACL-CLIENT")?.hasPrefix("modemd/") == true && call.header("Accept") != nil)
      // The shares' hosts need not know the project.
      #expect((call.header("X-MIRACL-CID") == "project-1") == !call.url.path.hasPrefix("/share"))
      #expect(call.route == .host)
      if let body = call.body { #expect(body.contentType == "application/json") }
    }
    let register = try #require(stage.record.calls.first { $0.step == "register" })
    #expect(register.field(isNew ? "activationToken" : "activateCode") == "activation-1")
    #expect(register.field("userId") == "u@shop.example" && register.field("deviceName") == "modemd")
    let pass1 = try #require(stage.record.calls.first { $0.step == "pass1" })
    #expect(pass1.field("mpin_id") == id && pass1.field("dtas") == "ZHRhcw==" && pass1.field("U")?.count == 130)
    let pass2 = try #require(stage.record.calls.first { $0.step == "pass2" })
    #expect(pass2.field("WID") == MIRACLPlatform.accessID && pass2.field("V")?.count == 130)
    #expect(stage.record.calls.last?.field("wam") == "dvs")
  }

  @Test("Each purpose has its scope; a token's login names no session")
  func scopes() async throws {
    let stage = MIRACLStage()
    try await stage.register()
    let flow = stage.flow
    for (scope, begin) in [
      ("oidc", { _ = try await flow.logIn(MIRACLLogin(link: flow.link(MIRACLStage.link), canAsk: true), stage.run) }),
      ("jwt", { _ = try await flow.logIn(MIRACLLogin(canAsk: true), stage.run) }),
      ("reg-code", { _ = try await flow.quickCode(of: nil, canAsk: true, stage.run) }),
    ] as [(String, () async throws -> Void)] {
      stage.then(answers: ["1234"])
      try await begin()
      let body = stage.record.calls.first { $0.step == "pass1" }.flatMap { JSONValue(parsing: $0.body?.bytes ?? []) }
      #expect(body?["scope"] == .array([.string(scope)]))
      #expect((stage.record.calls.first { $0.step == "pass2" }?.field("WID") != nil) == (scope == "oidc"))
    }
  }

  @Test("By configuration all goes over the bearer, and the project's id is in the query")
  func route() async throws {
    var settings = MIRACLSettings.shop
    settings.route = .bearer
    settings.sendsProjectInQuery = true
    let stage = MIRACLStage(settings, answers: ["right", "1234", "1234"])
    #expect(
      try await stage.flow.register(MIRACLRegistration(MIRACLStage.user, canAsk: true), stage.run).outcome.result
        == .registered)
    let link = try stage.flow.link(MIRACLStage.link)
    #expect(try await stage.flow.logIn(MIRACLLogin(link: link, canAsk: true), stage.run).outcome.result == .signedIn)
    #expect(stage.record.calls.count == 10 && stage.record.calls.allSatisfy { $0.route == .bearer })
    for call in stage.record.calls where !call.url.path.hasPrefix("/share") {
      #expect(call.url.query == "project_id=project-1", "\(call.step)")
    }
  }

  @Test("Addresses of the platform's settings are used from then on")
  func addresses() async throws {
    var settings = MIRACLSettings.oldShop
    settings.asksLanding = true
    let stage = MIRACLStage(settings)
    try await stage.register()
    let addresses: JSONValue = .object([
      "codeStatusURL": .string("/status"), "mpinAuthServerURL": .string("https://auth.mpin.example/a"),
      "authenticateURL": .string("/one"), "mobileAuthenticateURL": .string("/two"),
    ])
    stage.then([.reply("clientSettings", 200, addresses.text), .reply("sessionDetails", 200, "{}")], answers: ["1234"])
    let end = try await stage.flow.logIn(MIRACLLogin(link: stage.flow.link(MIRACLStage.link), canAsk: true), stage.run)
    // The stage's platform has nothing at these.
    #expect(end.outcome.status == 404)
    #expect(
      stage.record.calls.suffix(2).map(\.url.text) == [
        "https://api.mpin.example/status", "https://api.mpin.example/status",
      ])
    stage.then(
      [
        .reply("clientSettings", 200, addresses.text), .reply("sessionDetails", 200, "{}"), .reply("sessionUser", 200),
        .reply("pass1", 200, #"{"y":"1\#(String(repeating: "0", count: 63))"}"#),
        .reply("pass2", 200, #"{"authOTT":"t"}"#),
        .reply("authenticate", 200, #"{"status":200,"message":"OK"}"#),
      ], answers: ["1234"])
    let whole = try await stage.flow.logIn(
      MIRACLLogin(link: stage.flow.link(MIRACLStage.link), canAsk: true), stage.run)
    #expect(whole.outcome.result == .signedIn)
    #expect(
      stage.record.calls.suffix(3).map(\.url.text) == [
        "https://auth.mpin.example/a/pass1", "https://auth.mpin.example/a/pass2", "https://api.mpin.example/two",
      ])
  }
}

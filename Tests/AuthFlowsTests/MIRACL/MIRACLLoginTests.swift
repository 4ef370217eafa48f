import AuthCore
import AuthFlows
import JSONTree
import MIRACLTestSupport
import Testing
import MIRACLFlows

@Suite("Logins with MIRACL")
struct MIRACLLoginTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var settings = MIRACLSettings.shop
    /// With a website's session.
    var isWebsite = true
    var changes: [MIRACLStage.Change] = []
    var pin: String? = "1234"
    var result: FlowResult = .signedIn
    var code: String?
    /// What is kept of the identity.
    var state = MIRACLIdentity.State.active
    var last = "authenticate"
    var testDescription: String { name }
  }

  private static func refused(
    _ step: String, _ code: String, _ result: FlowResult, _ state: MIRACLIdentity.State = .active
  ) -> [Row] {
    [false, true].map { isOld in
      Row(
        name: "\(step) answers \(code), \(isOld ? "old" : "new") body",
        changes: [.problem(step, code, 403, isOld: isOld)], result: result, code: code, state: state, last: step)
    }
  }

  private static func mute(
    _ step: String, _ status: Int, _ result: FlowResult, _ state: MIRACLIdentity.State = .active
  ) -> Row {
    Row(
      name: "\(step) answers \(status) without a word", settings: .oldShop, changes: [.reply(step, status)],
      result: result, state: state, last: step)
  }

  private static func bad(_ name: String, _ change: MIRACLStage.Change, isWebsite: Bool = true) -> Row {
    Row(name: name, isWebsite: isWebsite, changes: [change], result: .badAnswer, last: change.step)
  }

  static let codes: [Row] =
    refused("pass1", "EXPIRED_MPINID", .expired, .expired) + refused("pass1", "MPINID_EXPIRED", .expired, .expired)
    + refused("pass1", "REVOKED_MPINID", .identityRevoked, .revoked)
    + refused("pass2", "MPINID_REVOKED", .identityRevoked, .revoked)
    + refused("pass2", "INVALID_AUTH_SESSION", .expired)
    + refused("authenticate", "UNSUCCESSFUL_AUTHENTICATION", .pinWrong)
    + refused("authenticate", "INVALID_AUTH", .pinWrong)
    + refused("authenticate", "REVOKED_MPINID", .identityRevoked, .revoked)
    + refused("authenticate", "MPINID_REVOKED", .identityRevoked, .revoked)
    + refused("authenticate", "INVALID_AUTHENTICATION_SESSION", .expired)
    + refused("authenticate", "INVALID_AUTH_SESSION", .expired)
    + refused("authenticate", "EXPIRED_MPINID", .expired, .expired)
    + refused("authenticate", "SOMETHING_NEW", .clientRefused)
    + refused("sessionUser", "INVALID_AUTHENTICATION_SESSION", .expired)

  static let others: [Row] = [
    Row(name: "the right PIN at a website"), Row(name: "the right PIN for a token", isWebsite: false),
    Row(name: "a wrong PIN", pin: "1235", result: .pinWrong, code: "UNSUCCESSFUL_AUTHENTICATION"),
    Row(name: "old: the right PIN", settings: .oldShop),
    Row(
      name: "old: a wrong PIN", settings: .oldShop, pin: "0000", result: .pinWrong,
      code: "UNSUCCESSFUL_AUTHENTICATION"),
    mute("authenticate", 401, .pinWrong), mute("authenticate", 403, .userRefused), mute("authenticate", 408, .expired),
    mute("authenticate", 409, .expired, .expired), mute("authenticate", 410, .identityRevoked, .revoked),
    mute("pass1", 410, .identityRevoked, .revoked), mute("pass1", 401, .clientRefused),
    mute("pass2", 429, .rateLimited), mute("authenticate", 500, .providerUnavailable),
    bad("no challenge", .member("pass1", "y", nil)),
    bad("a challenge that is too short", .member("pass1", "y", .string("12"))),
    bad("the challenge 0", .member("pass1", "y", .string(String(repeating: "0", count: 64)))),
    bad("no ticket", .member("pass2", "authOTT", nil)),
    bad("a verdict without JSON", .reply("authenticate", 200, "OK")),
    bad("a verdict whose status is an error", .member("authenticate", "status", .int(401))),
    bad("no token where one is asked for", .member("authenticate", "jwt", nil), isWebsite: false),
    Row(name: "a website gives no token, and needs none", changes: [.member("authenticate", "status", nil)]),
    Row(name: "nobody gives the PIN", pin: nil, result: .codeRequired, last: "askForPIN"),
    Row(name: "a PIN of another length is not sent", pin: "12345", result: .badRequest, code: "PIN", last: "askForPIN"),
    Row(name: "a PIN of letters is not sent", pin: "12e4", result: .badRequest, code: "PIN", last: "askForPIN"),
    Row(name: "pass 1 is lost", changes: [.fails("pass1", .connect)], result: .providerUnavailable, last: "pass1"),
    Row(name: "pass 2 is lost", changes: [.fails("pass2", .timeout)], result: .timeout, last: "pass2"),
    Row(name: "the verdict is lost", changes: [.fails("authenticate", .closed)], result: .providerUnavailable),
  ]

  @Test("A login ends as the platform says, and a dead identity is kept as dead", arguments: codes + others)
  func login(_ row: Row) async throws {
    let stage = MIRACLStage(row.settings)
    let identity = try await stage.register()
    stage.then(row.changes, answers: [row.pin].compactMap(\.self))
    let link = row.isWebsite ? try stage.flow.link(MIRACLStage.link) : nil
    let end = try await stage.flow.logIn(MIRACLLogin(link: link, canAsk: true), stage.run)
    #expect(end.outcome.result == row.result, "\(end.outcome)")
    #expect(end.outcome.code == row.code)
    #expect(stage.record.steps.last == row.last)
    #expect(!"\(end.outcome)".contains("1234") && !"\(end.outcome)".contains("u@shop"))
    var kept = identity
    kept.state = row.state
    #expect(try await stage.store.list().whole == [kept])
    #expect((end.answer?.token != nil) == (row.result == .signedIn && !row.isWebsite) && end.answer?.isRenewed != true)
    guard row.state != .active else { return }
    // It is not asked about again.
    stage.then(answers: ["1234"])
    let again = try await stage.flow.logIn(MIRACLLogin(user: MIRACLStage.user, canAsk: true), stage.run)
    #expect(again.outcome.result == row.result && stage.record.calls.isEmpty)
  }

  @Test("The third wrong PIN revokes, and a new registration begins anew")
  func revocation() async throws {
    let stage = MIRACLStage()
    try await stage.register()
    var results: [FlowResult] = []
    for pin in ["1111", "2222", "3333", "1234"] {
      stage.then(answers: [pin])
      results.append(try await stage.flow.logIn(MIRACLLogin(canAsk: true), stage.run).outcome.result)
    }
    #expect(results == [.pinWrong, .pinWrong, .identityRevoked, .identityRevoked])
    try await stage.register(pin: "4321")
    stage.then(answers: ["4321"])
    #expect(try await stage.flow.logIn(MIRACLLogin(canAsk: true), stage.run).outcome.result == .signedIn)
  }

  @Test(
    "All digits of a PIN count, and 0000 is a PIN like any other",
    arguments: [
      ("0000", "0000", true), ("0000", "0001", false), ("000000", "000000", true), ("000000", "010000", false),
      ("0007", "0007", true), ("9999", "9999", true), ("99999", "99999", true), ("999999", "999999", true),
      // The same modulo 10,000, as the vendor's native SDKs compute.
      ("120000", "340000", false), ("12345", "02345", false), ("112345", "012345", false), ("010000", "000000", false),
    ])
  func pins(chosen: String, typed: String, isRight: Bool) async throws {
    let stage = MIRACLStage()
    try await stage.register(pin: chosen)
    stage.then(answers: [typed])
    let end = try await stage.flow.logIn(MIRACLLogin(canAsk: true), stage.run)
    #expect(end.outcome.result == (isRight ? .signedIn : .pinWrong))
    #expect(stage.record.questions.map(\.wanted) == [.pin(lengths: chosen.count...chosen.count, isNew: false)])
    #expect(
      !stage.record.calls.contains { String(decoding: $0.body?.bytes ?? [], as: UTF8.self).contains("\"\(typed)\"") })
  }

  @Test("Who logs in is the one who is named, whom the website wants, or the only one that there is")
  func users() async throws {
    let stage = MIRACLStage()
    let flow = stage.flow
    let none = try await flow.logIn(MIRACLLogin(canAsk: true), stage.run)
    #expect(none.outcome.result == .notConfigured && none.outcome.code == "identity" && stage.record.calls.isEmpty)
    try await stage.register()
    let other = try MIRACLUser(text: "other@shop.example")
    stage.then(answers: ["4444"])
    _ = try await flow.register(MIRACLRegistration(other, .activation(Secret("quick-1")), canAsk: true), stage.run)
    stage.then()
    await #expect(throws: AuthError.self) { try await flow.logIn(MIRACLLogin(canAsk: true), stage.run) }
    #expect(stage.record.calls.isEmpty)
    stage.then(answers: ["4444"])
    let named = try await flow.logIn(MIRACLLogin(user: other, canAsk: true), stage.run)
    #expect(named.outcome.result == .signedIn && named.answer?.user == other)
    stage.then([.member("sessionDetails", "prerollId", .string("other@shop.example"))], answers: ["4444"])
    let wanted = try await flow.logIn(MIRACLLogin(link: flow.link(MIRACLStage.link), canAsk: true), stage.run)
    #expect(wanted.outcome.result == .signedIn && wanted.answer?.user == other)
    stage.then(answers: ["4444"])
    let push =
      #"{"projectID":"project-1","userID":"other@shop.example","qrURL":"\#(MIRACLStage.link)"}"#
    let pushed = try await flow.logIn(MIRACLLogin(link: flow.link(push), canAsk: true), stage.run)
    #expect(pushed.outcome.result == .signedIn && pushed.answer?.user == other)
    stage.then()
    let mute = try await flow.logIn(MIRACLLogin(user: other), stage.run)
    #expect(mute.outcome.result == .codeRequired && stage.record.calls.isEmpty)
  }

  @Test("A session that wants a signature is no login")
  func signingSession() async throws {
    let stage = MIRACLStage()
    try await stage.register()
    stage.then([.member("sessionDetails", "hash", .string(MIRACLPlatform.hash))], answers: ["1234"])
    let end = try await stage.flow.logIn(MIRACLLogin(link: stage.flow.link(MIRACLStage.link), canAsk: true), stage.run)
    #expect(end.outcome.result == .badRequest && stage.record.steps == ["sessionDetails"])
  }

  @Test("A quick code costs a login of its own, and registers another device")
  func quickCode() async throws {
    let stage = MIRACLStage()
    try await stage.register()
    stage.then(answers: ["1234"])
    let end = try await stage.flow.quickCode(of: nil, canAsk: true, stage.run)
    #expect(end.outcome.result == .authorized && end.answer?.code.revealed == "quick-1" && end.answer?.life == 300)
    #expect(stage.record.steps == ["askForPIN", "pass1", "pass2", "authenticate", "quickCode"])
    let jwt = try #require(stage.record.calls.last?.field("jwt"))
    #expect(jwt.hasPrefix("j.w.t") && stage.record.calls.last?.field("projectId") == "project-1")
    stage.then([.problem("quickCode", "LIMITED", 403)], answers: ["1234"])
    #expect(try await stage.flow.quickCode(of: nil, canAsk: true, stage.run).outcome.result == .clientRefused)
    stage.then(answers: ["9999"])
    #expect(try await stage.flow.quickCode(of: nil, canAsk: true, stage.run).outcome.result == .pinWrong)
    stage.then([.member("quickCode", "code", nil)], answers: ["1234"])
    #expect(try await stage.flow.quickCode(of: nil, canAsk: true, stage.run).outcome.result == .badAnswer)
  }
}

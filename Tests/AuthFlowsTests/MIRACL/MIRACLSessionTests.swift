import AuthCore
import AuthFlows
import JSONTree
import MIRACLTestSupport
import Testing
import MIRACLFlows

@Suite("Sessions of MIRACL's websites")
struct MIRACLSessionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var landing = false
    var changes: [MIRACLStage.Change]
    var result: FlowResult
    var code: String?
    var steps: [String] = ["sessionDetails"]
    var testDescription: String { name }
  }

  private static let two = ["landing", "clientSettings"]
  private static let three = ["landing", "clientSettings", "sessionDetails"]

  static let rows: [Row] = [
    Row(name: "a session that waits", changes: [], result: .covered),
    Row(
      name: "a session that is over", changes: [.problem("sessionDetails", "INVALID_AUTHENTICATION_SESSION")],
      result: .expired, code: "INVALID_AUTHENTICATION_SESSION"),
    Row(
      name: "the same in the older spelling and body",
      changes: [.problem("sessionDetails", "INVALID_AUTH_SESSION", isOld: true)], result: .expired,
      code: "INVALID_AUTH_SESSION"),
    Row(name: "404 without a word", changes: [.reply("sessionDetails", 404)], result: .expired),
    Row(name: "410 without a word", changes: [.reply("sessionDetails", 410)], result: .expired),
    Row(
      name: "another project", changes: [.member("sessionDetails", "projectId", .string("project-2"))],
      result: .stateMismatch, code: "projectId"),
    Row(name: "no project", changes: [.member("sessionDetails", "projectId", nil)], result: .badAnswer),
    Row(name: "no JSON", changes: [.reply("sessionDetails", 200, "<html>")], result: .badAnswer),
    Row(
      name: "a hash that is none", changes: [.member("sessionDetails", "hash", .string("zz"))], result: .badAnswer),
    Row(
      name: "a code that is new", changes: [.problem("sessionDetails", "NEW_WORD")], result: .badRequest,
      code: "NEW_WORD"),
    Row(
      name: "403 with a new code", changes: [.problem("sessionDetails", "NEW_WORD", 403)], result: .clientRefused,
      code: "NEW_WORD"),
    Row(name: "a failed service", changes: [.reply("sessionDetails", 502)], result: .providerUnavailable),
    Row(name: "asked too often", changes: [.reply("sessionDetails", 429)], result: .rateLimited),
    Row(name: "nobody answers", changes: [.fails("sessionDetails", .connect)], result: .providerUnavailable),
    Row(name: "a wrong certificate", changes: [.fails("sessionDetails", .tls)], result: .tlsError),
    Row(name: "a landing page", landing: true, changes: [], result: .covered, steps: three),
    Row(
      name: "behind a landing page no project needs be named", landing: true,
      changes: [.member("sessionDetails", "projectId", nil)], result: .covered, steps: three),
    Row(
      name: "but none other", landing: true, changes: [.member("sessionDetails", "projectId", .string("x"))],
      result: .stateMismatch, code: "projectId", steps: three),
    Row(
      name: "the app is not admitted", landing: true, changes: [.reply("landing", 406)], result: .clientRefused,
      steps: ["landing"]),
    Row(
      name: "the client is too old", landing: true, changes: [.reply("landing", 412)], result: .clientRefused,
      steps: ["landing"]),
    Row(
      name: "no landing page", landing: true, changes: [.reply("landing", 404)], result: .notConfigured,
      steps: ["landing"]),
    Row(
      name: "a page without a platform", landing: true, changes: [.member("landing", "url", nil)], result: .badAnswer,
      steps: ["landing"]),
    Row(
      name: "a page without a type", landing: true, changes: [.member("landing", "type", nil)], result: .badAnswer,
      steps: ["landing"]),
    Row(
      name: "a page without a name", landing: true, changes: [.member("landing", "name", nil)], result: .badAnswer,
      steps: ["landing"]),
    Row(
      name: "a page without a logo", landing: true, changes: [.member("landing", "logo_url", nil)], result: .badAnswer,
      steps: ["landing"]),
    Row(
      name: "an untrusted platform", landing: true,
      changes: [.member("landing", "url", .string("https://evil.example"))], result: .stateMismatch,
      code: "untrustedHost", steps: ["landing"]),
    Row(
      name: "a platform in clear", landing: true,
      changes: [.member("landing", "url", .string("http://api.mpin.example"))], result: .stateMismatch,
      code: "untrustedHost", steps: ["landing"]),
    Row(
      name: "a prefix that is none", landing: true, changes: [.member("landing", "rps_prefix", .string("a?b"))],
      result: .badAnswer, steps: ["landing"]),
    Row(
      name: "settings that fail", landing: true, changes: [.reply("clientSettings", 500)],
      result: .providerUnavailable, steps: two),
    Row(
      name: "settings without JSON", landing: true, changes: [.reply("clientSettings", 200, "-")], result: .badAnswer,
      steps: two),
    Row(
      name: "an untrusted address in them", landing: true,
      changes: [.member("clientSettings", "authenticateURL", .string("https://evil.example/a"))],
      result: .stateMismatch, code: "untrustedHost", steps: two),
    Row(
      name: "an address that is none", landing: true,
      changes: [.member("clientSettings", "registerURL", .string("https://"))], result: .badAnswer, steps: two),
    Row(
      name: "a web socket's address", landing: true,
      changes: [.member("clientSettings", "codeStatusURL", .string("wss://api.mpin.example/rps/v2/codeStatus"))],
      result: .covered, steps: three),
    Row(
      name: "a web socket's address in clear", landing: true,
      changes: [.member("clientSettings", "codeStatusURL", .string("ws://api.mpin.example/rps/v2/codeStatus"))],
      result: .stateMismatch, code: "untrustedHost", steps: two),
    Row(
      name: "an address below the platform's", landing: true,
      changes: [.member("clientSettings", "codeStatusURL", .string("rps/v2/codeStatus"))], result: .covered,
      steps: three),
  ]

  @Test("A session is read, or it is said why not", arguments: rows)
  func details(_ row: Row) async throws {
    var settings = MIRACLSettings.shop
    settings.asksLanding = row.landing
    let stage = MIRACLStage(settings, row.changes)
    let end = try await stage.flow.session(stage.flow.link(MIRACLStage.link), stage.run)
    let (outcome, session) = (end.outcome, end.answer)
    #expect(outcome.result == row.result, "\(outcome)")
    #expect(outcome.code == row.code)
    #expect(stage.record.steps == row.steps)
    #expect((session != nil) == (row.result == .covered))
    #expect(!outcome.text.contains("u@shop") && !outcome.text.contains(MIRACLPlatform.accessID))
    guard let session else { return }
    #expect(session.projectName == "Shop" && session.pinLength == 4 && session.user == nil)
    #expect(session.verificationMethod == "standardEmail" && session.identityLabel == "E-mail")
    #expect(session.allowsQuickCode == true && session.limitsQuickCode == false && session.document == nil)
  }

  @Test("What the link's session is told stands in the call")
  func calls() async throws {
    let stage = MIRACLStage()
    let outcome = try await stage.flow.abort(stage.flow.link(MIRACLStage.link), stage.run)
    #expect(outcome.outcome.result == .authorized)
    #expect(stage.record.steps == ["sessionDetails", "sessionAbort"])
    for (call, status) in zip(stage.record.calls, ["wid", "abort"]) {
      #expect(call.method == .post && call.url.text == "https://api.mpin.example/rps/v2/codeStatus")
      #expect(call.field("wid") == MIRACLPlatform.accessID && call.field("status") == status)
      #expect(call.field("userId") == nil && call.field("signature") == nil)
    }
    stage.then([.reply("sessionAbort", 500)])
    let failed = try await stage.flow.abort(stage.flow.link(MIRACLStage.link), stage.run)
    #expect(failed.outcome.result == .providerUnavailable)
  }

  @Test("A landing page is asked below the link's own path, with the project's id")
  func landing() async throws {
    var settings = MIRACLSettings.shop
    settings.asksLanding = true
    let stage = MIRACLStage(settings, [.member("landing", "rps_prefix", .string("rps"))])
    _ = try await stage.flow.session(stage.flow.link(MIRACLStage.link), stage.run)
    #expect(
      stage.record.calls.map(\.url.text) == [
        "https://mcl.mpin.example/mobile-login/service", "https://api.mpin.example/rps/clientSettings",
        "https://api.mpin.example/rps/v2/codeStatus",
      ])
    #expect(stage.record.calls.allSatisfy { $0.header("X-MIRACL-CID") == "project-1" })
  }
}

extension BackendCall {
  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

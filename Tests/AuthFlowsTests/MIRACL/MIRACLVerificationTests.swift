import AuthCore
import AuthFlows
import JSONTree
import MIRACLTestSupport
import Testing
import MIRACLFlows

@Suite("Verification of MIRACL's users")
struct MIRACLVerificationTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var way = MIRACLVerification.mail
    var settings = MIRACLSettings.shop
    var changes: [MIRACLStage.Change] = []
    /// The PIN is added where the verification succeeds.
    var answers: [String] = []
    var result: FlowResult = .registered
    var code: String?
    var retryAfter: Int?
    /// Before `register`.
    var steps: [String]
    var testDescription: String { name }
  }

  private static let mailed = ["requestMail", "askForMail", "confirmMail"]
  private static let right = "https://mpin.example/verify?user_id=u%40shop.example&code=right"

  private static func backoff(_ code: String, isOld: Bool) -> Row {
    Row(
      name: "\(code), \(isOld ? "old" : "new") body",
      changes: [.problem("requestMail", code, 429, isOld: isOld, context: ["backoff": .int(1_700_000_042)])],
      result: .rateLimited, code: code, retryAfter: 42, steps: ["requestMail"])
  }

  private static func wrong(_ code: String, isOld: Bool) -> Row {
    Row(
      name: "\(code), \(isOld ? "old" : "new") body: three links and no more",
      changes: (1...3).map { _ in .problem("confirmMail", code, isOld: isOld) },
      answers: ["w-1", "w-2", "w-3", "right"],
      result: .codeWrong, code: code,
      steps: mailed + ["askForMailAgain", "confirmMail", "askForMailAgain", "confirmMail"])
  }

  static let rows: [Row] = [
    Row(name: "a code from the mail", answers: ["right"], steps: mailed),
    Row(name: "a link from the mail", answers: [right], steps: mailed),
    Row(
      name: "a link of an app's own scheme", answers: ["app://verify?code=right&user_id=u%40shop.example"],
      steps: mailed),
    Row(
      name: "a wrong code, then the right one", answers: ["wrong", "right"],
      steps: mailed + ["askForMailAgain", "confirmMail"]),
    Row(
      name: "the same wrong code is not sent again", answers: ["wrong", "wrong", "right"],
      steps: mailed + ["askForMailAgain", "askForMailAgain", "confirmMail"]),
    Row(
      name: "a link without a code, then the right one", answers: ["https://mpin.example/?user_id=u", right],
      steps: ["requestMail", "askForMail", "askForMailAgain", "confirmMail"]),
    Row(
      name: "another user's link is not sent",
      answers: Array(repeating: "https://m.example/?user_id=x&code=right", count: 3),
      result: .stateMismatch, code: "user_id",
      steps: ["requestMail", "askForMail", "askForMailAgain", "askForMailAgain"]),
    Row(name: "nobody gives it", result: .codeRequired, steps: ["requestMail", "askForMail"]),
    wrong("INVALID_VERIFICATION_CODE", isOld: false), wrong("INVALID_VERIFICATION_CODE", isOld: true),
    wrong("UNSUCCESSFUL_VERIFICATION", isOld: false), wrong("UNSUCCESSFUL_VERIFICATION", isOld: true),
    backoff("REQUEST_BACKOFF", isOld: false), backoff("REQUEST_BACKOFF", isOld: true),
    backoff("BACKOFF_ERROR", isOld: false), backoff("BACKOFF_ERROR", isOld: true),
    Row(
      name: "a backoff as text, that is over",
      changes: [.problem("requestMail", "REQUEST_BACKOFF", 400, context: ["backoff": .string("1699999999")])],
      result: .rateLimited, code: "REQUEST_BACKOFF", retryAfter: 0, steps: ["requestMail"]),
    Row(
      name: "a backoff without a time", changes: [.problem("requestMail", "REQUEST_BACKOFF")], result: .rateLimited,
      code: "REQUEST_BACKOFF", steps: ["requestMail"]),
    Row(
      name: "no mail is sent", changes: [.reply("requestMail", 500)], result: .providerUnavailable,
      steps: ["requestMail"]),
    Row(
      name: "a mail of an unknown kind", changes: [.member("requestMail", "method", .string("pigeon"))],
      result: .badAnswer, steps: ["requestMail"]),
    Row(
      name: "a confirmation of another project",
      changes: [.member("confirmMail", "projectId", .string("project-2"))], answers: ["right"], result: .stateMismatch,
      code: "projectId", steps: mailed),
    Row(
      name: "a confirmation without a project", changes: [.member("confirmMail", "projectId", nil)],
      answers: ["right"], result: .badAnswer, steps: mailed),
    Row(
      name: "a confirmation without a token", changes: [.member("confirmMail", "actToken", nil)], answers: ["right"],
      result: .badAnswer, steps: mailed),
    Row(
      name: "the confirmation is lost", changes: [.fails("confirmMail", .timeout)], answers: ["right"],
      result: .timeout, steps: mailed),
    Row(name: "a link that is there already", way: .link(Secret(right)), steps: ["confirmMail"]),
    Row(
      name: "a wrong link that is there already", way: .link(Secret("wrong")), result: .codeWrong,
      code: "INVALID_VERIFICATION_CODE", steps: ["confirmMail"]),
    Row(
      name: "a text that is no link of a verification", way: .link(Secret("https://m.example/?code=right")),
      result: .codeWrong, steps: []),
    Row(name: "a quick code", way: .activation(Secret("quick-1")), steps: []),
    Row(
      name: "by the project's own backend", way: .backend, settings: .backendShop,
      steps: ["requestVerification", "confirmMail"]),
    Row(name: "by a backend that is not there", way: .backend, result: .notConfigured, steps: []),
    Row(
      name: "a backend whose secret is wrong", way: .backend, settings: .backendShop,
      changes: [.reply("requestVerification", 401)], result: .clientRefused, steps: ["requestVerification"]),
    Row(
      name: "a backend without an answer", way: .backend, settings: .backendShop,
      changes: [.member("requestVerification", "verificationURL", nil)], result: .badAnswer,
      steps: ["requestVerification"]),
    Row(
      name: "a backend's link is used once", way: .backend, settings: .backendShop,
      changes: [.problem("confirmMail", "INVALID_VERIFICATION_CODE")], result: .codeWrong,
      code: "INVALID_VERIFICATION_CODE", steps: ["requestVerification", "confirmMail"]),
  ]

  @Test("A user is verified, or it is said why not", arguments: rows)
  func verify(_ row: Row) async throws {
    let succeeds = row.result == .registered
    let stage = MIRACLStage(row.settings, row.changes, answers: row.answers + (succeeds ? ["1234"] : []))
    let end = try await stage.flow.register(
      MIRACLRegistration(MIRACLStage.user, row.way, canAsk: true), stage.run)
    #expect(end.outcome.result == row.result, "\(end.outcome)")
    #expect(end.outcome.code == row.code && end.outcome.retryAfter == row.retryAfter)
    let enrolled = ["register", "secretShare1", "secretShare2", "choosePIN"]
    #expect(stage.record.steps == row.steps + (succeeds ? enrolled : []))
    for secret in ["u@shop", "w-1", "code=right"] { #expect(!"\(end.outcome)".contains(secret)) }
  }

  @Test("Without anybody to ask nothing is sent")
  func nobody() async throws {
    let stage = MIRACLStage()
    let end = try await stage.flow.register(MIRACLRegistration(MIRACLStage.user), stage.run)
    #expect(end.outcome.result == .codeRequired && stage.record.calls.isEmpty)
  }

  @Test("A mail is asked for with the website's session and the identity that is there")
  func mail() async throws {
    var settings = MIRACLSettings.shop
    settings.deviceName = "machine 7"
    settings.deviceTag = String(repeating: "ab", count: 16)
    let stage = MIRACLStage(settings)
    let known = try await stage.register()
    stage.then(answers: ["right", "4321"])
    let link = try stage.flow.link(MIRACLStage.link)
    _ = try await stage.flow.register(MIRACLRegistration(MIRACLStage.user, link: link, canAsk: true), stage.run)
    let calls = Dictionary(stage.record.calls.map { ($0.step, $0) }) { first, _ in first }
    let mail = try #require(calls["requestMail"])
    #expect(mail.url.text == "https://api.mpin.example/verification/email" && mail.method == .post)
    #expect(mail.field("projectId") == "project-1" && mail.field("userId") == "u@shop.example")
    #expect(mail.field("deviceName") == "machine 7" && mail.field("accessId") == MIRACLPlatform.accessID)
    #expect(mail.field("mpinId") == known.key.mpinIdHex)
    for step in ["requestMail", "confirmMail", "register"] {
      #expect(calls[step]?.field("deviceTag") == settings.deviceTag, "\(step)")
    }
    #expect(calls["confirmMail"]?.field("userId") == "u@shop.example")
  }

  @Test("A backend's call has its credentials, and goes to its own host where there is one")
  func backend() async throws {
    for host in ["https://api.mpin.example", "https://app.example/miracl"] {
      var settings = MIRACLSettings.backendShop
      settings.backend = try Endpoint(host)
      let answer = #"{"verificationURL":"https://x.example/?user_id=u%40shop.example&code=right"}"#
      let stage = MIRACLStage(settings, [.reply("requestVerification", 200, answer)], answers: ["1234"])
      let end = try await stage.flow.register(
        MIRACLRegistration(MIRACLStage.user, .backend, canAsk: true), stage.run)
      #expect(end.outcome.result == .registered)
      let call = try #require(stage.record.calls.first)
      #expect(call.url.text == host + "/verification" && call.field("delivery") == "no")
      #expect(call.header("Authorization") == "Basic Y2xpZW50LTE6Y2xpZW50LXNlY3JldC0x")
      #expect(JSONValue(parsing: call.body?.bytes ?? [])?["expiration"]?.integer == 1_700_003_600)
      #expect(stage.record.calls.dropFirst().allSatisfy { $0.header("Authorization") == nil })
    }
  }
}

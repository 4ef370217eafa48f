import AuthCore
import AuthFlows
import Testing
import FirebaseFlows

@Suite("Refreshing a sign-in")
struct RefreshTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var reply: SignInStage.Reply
    var result: FlowResult
    var code: String?

    var testDescription: String { "\(reply.status) \(reply.failure?.kind.rawValue ?? reply.json)" }
  }

  static let rows: [Row] = [
    Row(
      reply: .init(
        json: #"{"access_token":"\#(SignInStage.idToken)","id_token":"\#(SignInStage.idToken)","expires_in":"3600","#
          + #""token_type":"Bearer","refresh_token":"r-2","user_id":"u1","project_id":"12"}"#), result: .signedIn),
    Row(reply: .init(json: #"{"access_token":"\#(SignInStage.idToken)","user_id":"u1"}"#), result: .signedIn),
    Row(reply: .init(json: "{}"), result: .badAnswer), Row(reply: .init(json: "-"), result: .badAnswer),
    Row(reply: SignInStage.error("TOKEN_EXPIRED"), result: .expired, code: "TOKEN_EXPIRED"),
    Row(reply: SignInStage.error("INVALID_REFRESH_TOKEN"), result: .expired, code: "INVALID_REFRESH_TOKEN"),
    Row(reply: SignInStage.error("MISSING_REFRESH_TOKEN"), result: .badRequest, code: "MISSING_REFRESH_TOKEN"),
    Row(reply: SignInStage.error("INVALID_GRANT_TYPE"), result: .badRequest, code: "INVALID_GRANT_TYPE"),
    Row(reply: SignInStage.error("USER_DISABLED"), result: .userRefused, code: "USER_DISABLED"),
    Row(reply: SignInStage.error("USER_NOT_FOUND"), result: .userRefused, code: "USER_NOT_FOUND"),
    Row(reply: SignInStage.error("PROJECT_DISABLED"), result: .clientRefused, code: "PROJECT_DISABLED"),
    Row(reply: .init(status: 400, json: #"{"error":"invalid_grant"}"#), result: .expired, code: "invalid_grant"),
    Row(reply: .init(status: 500, json: ""), result: .providerUnavailable),
    Row(reply: .init(failure: BackendFailure(.connect, "nobody answers")), result: .providerUnavailable),
  ]

  @Test("A refresh token is changed for fresh ones, or it is said why not", arguments: rows)
  func refresh(_ row: Row) async throws {
    let stage = SignInStage([row.reply])
    let end = try await PhoneSignInFlow(.project, now: { stage.now() }).refresh(Secret("r 1"), stage.run)
    #expect(end.outcome.result == row.result)
    #expect(end.outcome.code == row.code)
    #expect((end.answer?.idToken != nil) == (row.result == .signedIn))
    #expect(end.answer.map { $0.user == "u1" } ?? true)
    let call = try #require(stage.record.calls.first)
    #expect(stage.record.calls.count == 1)
    #expect(call.url.text == "https://securetoken.googleapis.com/v1/token?key=key-1")
    #expect(call.body?.contentType == "application/x-www-form-urlencoded")
    #expect(
      call.body.map { String(decoding: $0.bytes, as: UTF8.self) } == "grant_type=refresh_token&refresh_token=r%201")
  }

  @Test("A project without a key refreshes nothing")
  func noKey() async throws {
    let stage = SignInStage([])
    var settings = FirebaseSettings.project
    settings.apiKey = nil
    let end = try await PhoneSignInFlow(settings, now: { stage.now() }).refresh(Secret("r"), stage.run)
    #expect(end.outcome.result == .notConfigured)
    #expect(stage.record.calls.isEmpty)
  }

  @Test(
    "An ID token is read as far as it can be, and anything else is none",
    arguments: [
      (#"{"user_id":"u1","sub":"u2","phone_number":"+447700900000","exp":9}"#, "u1", true),
      (#"{"sub":"u2"}"#, "u2", false), (#"{"phone_number":"0770"}"#, nil, false), ("[]", nil, false),
    ] as [(String, String?, Bool)])
  func token(payload: String, user: String?, hasNumber: Bool) {
    let token = IDToken(Secret(SignInStage.token(payload)))
    #expect(token?.user == user)
    #expect((token?.number != nil) == hasNumber)
  }

  @Test("What is no token is read as none", arguments: ["", "a", "a.b", "a.b.c", "a.e30.c.d", "..", "a.!!.c"])
  func noToken(text: String) { #expect(IDToken(Secret(text)) == nil) }
}

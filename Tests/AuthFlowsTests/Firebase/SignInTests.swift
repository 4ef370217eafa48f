import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import Testing
import FirebaseFlows

@Suite("Signing in with a code")
struct SignInTests {
  typealias Code = SignInStage.Code

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var codeFrom = SignInRequest.CodeSource.messages
    var canAsk = false
    /// From `signInWithPhoneNumber` on.
    var replies: [SignInStage.Reply] = [SignInStage.signedIn]
    var codes: [Code]
    var result: FlowResult
    var code: String?
    /// Behind `sendVerificationCode`.
    var steps: [String]

    var testDescription: String { name }
  }

  private static func refused(_ message: String, _ result: FlowResult, code: String? = nil) -> Row {
    Row(
      name: message, replies: [SignInStage.error(message)], codes: [.message("123456")], result: result,
      code: code ?? message, steps: ["readCode", "signInWithPhoneNumber"])
  }

  private static func answered(_ name: String, _ json: String, _ result: FlowResult, status: Int = 200) -> Row {
    Row(
      name: name, replies: [.init(status: status, json: json)], codes: [.message("123456")], result: result,
      steps: ["readCode", "signInWithPhoneNumber"])
  }

  private static let wrong = SignInStage.error("INVALID_CODE")

  static let rows: [Row] = [
    Row(
      name: "a code from a message", codes: [.message("123456")], result: .signedIn,
      steps: ["readCode", "signInWithPhoneNumber"]),
    Row(
      name: "a code from the caller", codeFrom: .caller, canAsk: true, codes: [.caller("123456")], result: .signedIn,
      steps: ["askForCode", "signInWithPhoneNumber"]),
    Row(
      name: "messages cannot be read: the caller is asked", canAsk: true, codes: [.unreadable, .caller("123456")],
      result: .signedIn, steps: ["readCode", "askForCode", "signInWithPhoneNumber"]),
    Row(
      name: "messages cannot be read, and nobody can be asked", codes: [.unreadable, .caller("123456")],
      result: .codeRequired, steps: ["readCode"]),
    Row(
      name: "no message comes: nobody is asked for what did not come", canAsk: true,
      codes: [.noMessage, .caller("123456")], result: .codeRequired, steps: ["readCode"]),
    Row(
      name: "the caller gives none", codeFrom: .caller, canAsk: true, codes: [.noCaller], result: .codeRequired,
      steps: ["askForCode"]),
    Row(
      name: "wrong, then right", codeFrom: .caller, canAsk: true, replies: [wrong, SignInStage.signedIn],
      codes: [.caller("111111"), .caller("123456")], result: .signedIn,
      steps: ["askForCode", "signInWithPhoneNumber", "askForCodeAgain", "signInWithPhoneNumber"]),
    Row(
      name: "a refused code is not sent again", codeFrom: .caller, canAsk: true,
      replies: [wrong, SignInStage.signedIn], codes: [.caller("111111"), .caller("111111"), .caller("123456")],
      result: .signedIn,
      steps: ["askForCode", "signInWithPhoneNumber", "askForCodeAgain", "askForCodeAgain", "signInWithPhoneNumber"]),
    Row(
      name: "the same wrong code for ever", codeFrom: .caller, canAsk: true, replies: [wrong, wrong, wrong],
      codes: [.caller("111111"), .caller("111111"), .caller("111111"), .caller("111111")], result: .codeWrong,
      code: "INVALID_CODE", steps: ["askForCode", "signInWithPhoneNumber", "askForCodeAgain", "askForCodeAgain"]),
    Row(
      name: "three wrong codes", codeFrom: .caller, canAsk: true, replies: [wrong, wrong, wrong, SignInStage.signedIn],
      codes: [.caller("1"), .caller("2"), .caller("3"), .caller("4")], result: .codeWrong, code: "INVALID_CODE",
      steps: [
        "askForCode", "signInWithPhoneNumber", "askForCodeAgain", "signInWithPhoneNumber", "askForCodeAgain",
        "signInWithPhoneNumber",
      ]),
    Row(
      name: "another message's code, then the right one", replies: [wrong, SignInStage.signedIn],
      codes: [.message("111111"), .message("123456")], result: .signedIn,
      steps: ["readCode", "signInWithPhoneNumber", "readCodeAgain", "signInWithPhoneNumber"]),
    Row(
      name: "another message's code, and no other comes", replies: [wrong], codes: [.message("111111"), .noMessage],
      result: .codeWrong, code: "INVALID_CODE", steps: ["readCode", "signInWithPhoneNumber", "readCodeAgain"]),
    Row(
      name: "wrong, then the session is gone", codeFrom: .caller, canAsk: true,
      replies: [wrong, SignInStage.error("SESSION_EXPIRED")], codes: [.caller("1"), .caller("2")], result: .expired,
      code: "SESSION_EXPIRED",
      steps: ["askForCode", "signInWithPhoneNumber", "askForCodeAgain", "signInWithPhoneNumber"]),
    Row(
      name: "wrong with a detail", codeFrom: .caller, canAsk: true,
      replies: [SignInStage.error("INVALID_CODE : 123"), SignInStage.signedIn], codes: [.caller("1"), .caller("2")],
      result: .signedIn, steps: ["askForCode", "signInWithPhoneNumber", "askForCodeAgain", "signInWithPhoneNumber"]),
    refused("MISSING_SESSION_INFO", .badRequest), refused("MISSING_CODE", .codeRequired),
    refused("INVALID_SESSION_INFO", .expired), refused("SESSION_EXPIRED", .expired),
    refused("INVALID_TEMPORARY_PROOF", .expired), refused("TOO_MANY_ATTEMPTS_TRY_LATER", .rateLimited),
    refused("OPERATION_NOT_ALLOWED", .clientRefused), refused("USER_DISABLED", .userRefused),
    refused("UNSUPPORTED_FIRST_FACTOR : Phone cannot be first", .userRefused, code: "UNSUPPORTED_FIRST_FACTOR"),
    refused("PHONE_NUMBER_EXISTS", .userRefused), refused("PROJECT_DISABLED", .clientRefused),
    refused("TENANT_ID_MISMATCH", .clientRefused), refused("INVALID_ID_TOKEN", .expired),
    refused("TOKEN_EXPIRED", .expired), refused("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", .expired),
    refused("USER_NOT_FOUND", .userRefused),
    answered("a success without JSON", "<html>", .badAnswer), answered("a success without a token", "{}", .badAnswer),
    answered("an empty token", #"{"idToken":""}"#, .badAnswer),
    answered("another number in the answer", #"{"idToken":"a.b.c","phoneNumber":"+447700900001"}"#, .stateMismatch),
    answered(
      "another number in the token",
      #"{"idToken":"\#(SignInStage.token(#"{"phone_number":"+447700900001"}"#))","phoneNumber":"+447700900000"}"#,
      .stateMismatch),
    answered("a token that nobody can read", #"{"idToken":"opaque","expiresIn":"3600"}"#, .signedIn),
    answered("a failure of Firebase", "", .providerUnavailable, status: 503),
    Row(
      name: "nobody answers the code", replies: [.init(failure: BackendFailure(.timeout, "too late"))],
      codes: [.message("123456")], result: .timeout, steps: ["readCode", "signInWithPhoneNumber"]),
  ]

  @Test("Each way to the end", arguments: rows)
  func ends(_ row: Row) async throws {
    let stage = SignInStage([SignInStage.unchanged, SignInStage.sent] + row.replies, codes: row.codes)
    let request = SignInRequest(SignInStage.number, codeFrom: row.codeFrom, canAsk: row.canAsk)
    let end = try await stage.signIn(request, .project)
    #expect(end.outcome.result == row.result)
    #expect(end.outcome.code == row.code)
    #expect(stage.record.steps == ["simCheck", "sendVerificationCode"] + row.steps)
    #expect((end.answer?.idToken != nil) == (row.result == .signedIn))
    // No code is ever sent twice, and no message asked for twice.
    let codes = stage.record.calls.compactMap { $0.field("code") }
    #expect(Set(codes).count == codes.count)
  }

  @Test("What comes with a sign-in: user, number, tokens, and whether the user is new")
  func answer() async throws {
    let stage = SignInStage(
      [SignInStage.unchanged, SignInStage.sent, SignInStage.signedIn], codes: [.message("123456")])
    let end = try await stage.signIn(.project)
    let user = try #require(end.answer)
    #expect(user.user == "u1" && user.number == SignInStage.number && user.isNew == true && user.expiresIn == 3600)
    #expect(user.idToken?.revealed == SignInStage.idToken && user.refreshToken?.revealed == "r-1")
    #expect(end.outcome.number == .matches && end.outcome.sim == .unchanged && end.outcome.status == 200)
    let call = try #require(stage.record.calls.last)
    #expect(call.field("sessionInfo") == "s-1" && call.field("code") == "123456")
    #expect(call.field("idToken") == nil && call.field("operation") == nil)
    for text in ["\(end)", String(reflecting: end), "\(stage.record.waits)"] {
      for secret in [SignInStage.idToken, "r-1", "447700900000", "123456"] { #expect(!text.contains(secret)) }
    }
  }

  @Test("A message counts from the request on, and one with a refused code never again")
  func waits() async throws {
    var settings = FirebaseSettings.project
    settings.code = .init(sender: "Firebase", pattern: "{digits:6} is your code", time: .seconds(40), attempts: 2)
    let stage = SignInStage(
      [SignInStage.unchanged, SignInStage.sent, Self.wrong, SignInStage.signedIn],
      codes: [.message("111111"), .message("123456")])
    #expect(try await stage.signIn(settings).outcome.result == .signedIn)
    let waits = stage.record.waits
    #expect(waits.allSatisfy { $0.sender == "Firebase" && $0.pattern == "{digits:6} is your code" })
    #expect(waits.allSatisfy { $0.time == .seconds(40) })
    // An exchange takes 700 ms on this stage: one lies between request and first wait, two before
    // the second.
    #expect(waits.map(\.lookBack) == [.milliseconds(700), .milliseconds(1400)])
    #expect(waits.map(\.refused) == [[], [Secret("111111")]])
  }

  @Test("A test number's code is known: nobody waits, nobody is asked, and a wrong one is not tried again")
  func testNumber() async throws {
    var settings = FirebaseSettings.project
    settings.testNumbers = [SignInStage.number: Secret("654321")]
    let request = SignInRequest(SignInStage.number, codeFrom: .caller)
    let stage = SignInStage([SignInStage.unchanged, SignInStage.sent, SignInStage.signedIn])
    #expect(try await stage.signIn(request, settings).outcome.result == .signedIn)
    #expect(stage.record.steps == ["simCheck", "sendVerificationCode", "signInWithPhoneNumber"])
    #expect(stage.record.calls.last?.field("code") == "654321")
    let refusing = SignInStage([SignInStage.unchanged, SignInStage.sent, Self.wrong, SignInStage.signedIn])
    #expect(try await refusing.signIn(request, settings).outcome.result == .codeWrong)
    #expect(refusing.record.calls.count == 3)
  }

  @Test("Who cannot be asked and reads no messages gets none sent")
  func cannotAsk() async throws {
    let stage = SignInStage([SignInStage.unchanged, SignInStage.sent])
    let end = try await stage.signIn(SignInRequest(SignInStage.number, codeFrom: .caller), .project)
    #expect(end.outcome.result == .codeRequired)
    #expect(stage.record.steps == ["simCheck"])
  }

  @Test("A number of another account comes with a proof and without tokens, and the proof signs in without a message")
  func temporaryProof() async throws {
    let proof = SignInStage.Reply(
      json: #"{"temporaryProof":"p-1","temporaryProofExpiresIn":"3600","phoneNumber":"+447700900000"}"#)
    let account = SignInRequest.Account(idToken: Secret("id-0"), operation: .link)
    let first = SignInStage([SignInStage.unchanged, SignInStage.sent, proof], codes: [.message("123456")])
    let end = try await first.signIn(SignInRequest(SignInStage.number, account: account), .project)
    #expect(end.outcome.result == .userRefused)
    #expect(end.answer?.temporaryProof?.revealed == "p-1" && end.answer?.proofExpiresIn == 3600)
    #expect(end.answer?.idToken == nil)
    #expect(first.record.calls.last?.field("idToken") == "id-0")
    #expect(first.record.calls.last?.field("operation") == "LINK")

    let second = SignInStage([SignInStage.unchanged, SignInStage.signedIn])
    let proven = SignInRequest(SignInStage.number, temporaryProof: Secret("p-1"))
    #expect(try await second.signIn(proven, .project).outcome.result == .signedIn)
    #expect(second.record.steps == ["simCheck", "signInWithPhoneNumber"])
    let call = try #require(second.record.calls.last)
    #expect(call.field("phoneNumber") == "+447700900000" && call.field("temporaryProof") == "p-1")
    #expect(call.field("sessionInfo") == nil && call.field("code") == nil)

    let late = SignInStage([SignInStage.unchanged, SignInStage.error("INVALID_TEMPORARY_PROOF")])
    #expect(try await late.signIn(proven, .project).outcome.result == .expired)
    let swapped = SignInStage([.init(json: #"{"no_sim_change":false}"#), SignInStage.signedIn])
    #expect(try await swapped.signIn(proven, .project).outcome.result == .simSwapped)
    #expect(swapped.record.calls.count == 1)
  }

  @Test("Each operation has Firebase's name", arguments: SignInRequest.Account.Operation.allCases)
  func operations(_ operation: SignInRequest.Account.Operation) async throws {
    let stage = SignInStage(
      [SignInStage.unchanged, SignInStage.sent, SignInStage.signedIn], codes: [.message("123456")])
    let account = SignInRequest.Account(idToken: Secret("id-0"), operation: operation)
    _ = try await stage.signIn(SignInRequest(SignInStage.number, account: account), .project)
    #expect(stage.record.calls.last?.field("operation") == operation.rawValue)
  }
}

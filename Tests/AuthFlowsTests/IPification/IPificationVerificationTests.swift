import AuthCore
import AuthFlows
import ModemModel
import RedirectChain
import Testing
import Web
import IPificationFlows

@Suite("IPification: from a code to an answer")
struct IPificationVerificationTests {
  typealias Reply = IPificationSession.Reply

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var settings: @Sendable (inout IPificationSettings) -> Void = { _ in }
    var question: @Sendable (inout IPificationQuestion) -> Void = { _ in }
    /// Behind the code.
    let replies: [Reply]
    let result: FlowResult
    var code: String?
    var number: NumberVerdict?
    var sim: SIMChange?
    /// What is handed on: of `mobileID`, `number`, `subject` and `idToken`.
    var given: Set<String> = []
    var testDescription: String { name }
  }

  static let tokens = Reply.backend(200, #"{"access_token":"t-1","refresh_token":"r"}"#)

  static func userinfo(_ claims: String, _ status: Int = 200) -> [Reply] { [tokens, .backend(status, claims)] }

  static func idToken(_ claims: String) -> Reply {
    .backend(200, #"{"access_token":"t-1","id_token":"\#(IPificationSession.token(claims))"}"#)
  }

  /// The nonce that the machine makes: its second random value.
  static let nonce = String(repeating: "W1tb", count: 8)
  static let goodID = #""aud":"client-1","nonce":"\#(nonce)","exp":1790000001,"sub":"u1""#
  static let hint = #""login_hint":"447700900000""#

  static let exchanges: [Case] = [
    // User information.
    .init(
      name: "verified, as text", replies: userinfo(#"{"sub":"u1","phone_number_verified":"true",\#(hint)}"#),
      result: .verified, number: .matches, given: ["subject"]),
    .init(
      name: "verified, as a boolean", replies: userinfo(#"{"sub":"u1","phone_number_verified":true,\#(hint)}"#),
      result: .verified, number: .matches, given: ["subject"]),
    .init(
      name: "another number, as text", replies: userinfo(#"{"sub":"u1","phone_number_verified":"false",\#(hint)}"#),
      result: .notVerified, number: .differs, given: ["subject"]),
    .init(
      name: "another number, as a boolean", replies: userinfo(#"{"sub":"u1","phone_number_verified":false}"#),
      result: .notVerified, number: .differs, given: ["subject"]),
    .init(
      name: "anonymous", replies: userinfo(#"{"sub":"anonymous","phone_number_verified":"false",\#(hint)}"#),
      result: .notVerified, code: "anonymous", number: .differs, given: ["subject"]),
    .init(
      name: "anonymous without a verdict", replies: userinfo(#"{"sub":"anonymous",\#(hint)}"#), result: .notVerified,
      code: "anonymous", given: ["subject"]),
    .init(
      name: "anonymous, yet verified", replies: userinfo(#"{"sub":"anonymous","phone_number_verified":true,\#(hint)}"#),
      result: .notVerified, code: "anonymous", number: .differs, given: ["subject"]),
    .init(name: "absent", replies: userinfo(#"{"sub":"u1",\#(hint)}"#), result: .badAnswer),
    .init(name: "neither", replies: userinfo(#"{"sub":"u1","phone_number_verified":"maybe"}"#), result: .badAnswer),
    .init(
      name: "about another number",
      replies: userinfo(#"{"sub":"u1","phone_number_verified":"true","login_hint":"447700900001"}"#),
      result: .stateMismatch),
    .init(
      name: "about what is no number", replies: userinfo(#"{"phone_number_verified":"true","login_hint":"x"}"#),
      result: .stateMismatch),
    .init(
      name: "about a number with its plus",
      replies: userinfo(#"{"phone_number_verified":"true","login_hint":"+447700900000"}"#), result: .verified,
      number: .matches),
    .init(
      name: "about a number as a number",
      replies: userinfo(#"{"phone_number_verified":"true","login_hint":447700900000}"#), result: .verified,
      number: .matches),
    .init(name: "about no number", replies: userinfo(#"{"phone_number_verified":"true"}"#), result: .badAnswer),
    .init(
      name: "verified, and the number told is another",
      replies: userinfo(#"{"phone_number_verified":"true",\#(hint),"phone_number":"447700900009"}"#),
      result: .notVerified, number: .differs, given: ["number"]),
    // Other scopes.
    .init(
      name: "the number is told",
      question: {
        $0.scope = ["openid", "ip:phone"]
        $0.number = nil
      },
      replies: userinfo(#"{"sub":"u1","phone_number":"447700900000"}"#), result: .numberRead,
      given: ["subject", "number"]),
    .init(
      name: "a hash is told",
      question: {
        $0.scope = ["openid", "ip:mobile_id"]
        $0.number = nil
      },
      replies: userinfo(#"{"sub":"u1","mobile_id":"m-1"}"#), result: .authorized, given: ["subject", "mobileID"]),
    .init(
      name: "the same hash as before", question: { $0.earlierMobileID = Secret("m-1") },
      replies: userinfo(#"{"phone_number_verified":"true",\#(hint),"mobile_id":"m-1"}"#), result: .verified,
      number: .matches, sim: .unchanged, given: ["mobileID"]),
    .init(
      name: "another hash than before", question: { $0.earlierMobileID = Secret("m-0") },
      replies: userinfo(#"{"phone_number_verified":"true",\#(hint),"mobile_id":"m-1"}"#), result: .simSwapped,
      number: .matches, sim: .changed, given: ["mobileID"]),
    .init(
      name: "no hash to compare", question: { $0.earlierMobileID = Secret("m-0") },
      replies: userinfo(#"{"phone_number_verified":"true",\#(hint)}"#), result: .verified, number: .matches,
      sim: .unknown),
    .init(
      name: "a request object's number is compared",
      question: {
        $0.requestObject = Secret(
          IPificationSession.token(#"{"state":"s","scope":"openid ip:phone_verify","login_hint":"447700900000"}"#))
        $0.number = nil
      },
      replies: userinfo(#"{"phone_number_verified":"true","login_hint":"447700900001"}"#), result: .stateMismatch),
    .init(
      name: "an encrypted request's scope is not known",
      question: {
        $0.requestObject = Secret("a.b.c.d.e")
        $0.state = Secret("s")
        $0.number = nil
      }, replies: userinfo(#"{"sub":"u1"}"#), result: .badAnswer),
    // Refusals of user information.
    .init(
      name: "an expired token", replies: userinfo(#"{"error":"invalid_token"}"#, 401), result: .expired,
      code: "invalid_token"),
    .init(
      name: "an error with 200", replies: userinfo(#"{"error":"server_error"}"#), result: .operatorError,
      code: "server_error"),
    .init(name: "no object", replies: userinfo("[]"), result: .badAnswer),
    .init(name: "no JSON", replies: userinfo("<html>"), result: .badAnswer),
    .init(name: "silence", replies: [tokens, .unanswered(.timeout)], result: .timeout),
    // Tokens.
    .init(
      name: "an expired code",
      replies: [.backend(400, #"{"error":"invalid_grant","error_description":"Code not valid"}"#)],
      result: .expired, code: "invalid_grant"),
    .init(
      name: "a wrong secret", replies: [.backend(401, #"{"error":"unauthorized_client"}"#)], result: .clientRefused,
      code: "unauthorized_client"),
    .init(name: "a wrong path", replies: [.backend(404, "{}")], result: .notConfigured),
    .init(name: "a limit", replies: [.backend(429, "{}", fields: ["Retry-After": "3"])], result: .rateLimited),
    .init(name: "a failure", replies: [.backend(503, "")], result: .providerUnavailable),
    .init(name: "no token", replies: [.backend(200, "{}")], result: .badAnswer),
    .init(name: "a word for a token", replies: [.backend(200, "ok")], result: .badAnswer, code: "ok"),
    .init(name: "a host that is not found", replies: [.unanswered(.dns)], result: .dnsError),
    .init(name: "a host that is not trusted", replies: [.unanswered(.tls)], result: .tlsError),
    .init(name: "a host that breaks off", replies: [.unanswered(.closed)], result: .providerUnavailable),
    // ID tokens.
    .init(
      name: "an ID token's claims", settings: { $0.claimsSource = .idToken },
      replies: [idToken("{\(goodID),\(hint),\"phone_number_verified\":\"true\"}")], result: .verified,
      number: .matches, given: ["subject", "idToken"]),
    .init(
      name: "an ID token for several clients", settings: { $0.claimsSource = .idToken },
      replies: [
        idToken(#"{"aud":["a","client-1"],"nonce":"\#(nonce)",\#(hint),"phone_number_verified":"true"}"#)
      ], result: .verified, number: .matches, given: ["idToken"]),
    .init(
      name: "an ID token for another client", settings: { $0.claimsSource = .idToken },
      replies: [idToken(#"{"aud":"x","nonce":"\#(nonce)","phone_number_verified":"true"}"#)], result: .stateMismatch),
    .init(
      name: "an ID token with another nonce", settings: { $0.claimsSource = .idToken },
      replies: [idToken(#"{"aud":"client-1","nonce":"x","phone_number_verified":"true"}"#)], result: .stateMismatch),
    .init(
      name: "an ID token that is over", settings: { $0.claimsSource = .idToken },
      replies: [idToken(#"{"aud":"client-1","nonce":"\#(nonce)","exp":1790000000}"#)], result: .expired),
    .init(
      name: "no ID token although it is to be read", settings: { $0.claimsSource = .idToken },
      replies: userinfo(#"{"phone_number_verified":"true",\#(hint)}"#), result: .verified, number: .matches),
    .init(
      name: "token and user information agree",
      replies: [idToken("{\(goodID)}"), .backend(200, #"{"sub":"u1","phone_number_verified":"true",\#(hint)}"#)],
      result: .verified, number: .matches, given: ["subject", "idToken"]),
    .init(
      name: "token and user information differ",
      replies: [idToken("{\(goodID)}"), .backend(200, #"{"sub":"u2","phone_number_verified":"true",\#(hint)}"#)],
      result: .stateMismatch),
  ]

  @Test("Claims are read strictly: only an explicit yes about the same number verifies", arguments: exchanges)
  func exchange(_ test: Case) throws {
    var session = IPificationSession(
      settings: IPificationSession.settings {
        $0.completion = .secret(Secret("s3cret"))
        $0.checksCoverage = false
      }, question: IPificationSession.question(.verify))
    test.settings(&session.settings)
    test.question(&session.question)
    session.replies = [.redirect("\(IPificationSession.uri)?code=c-1&state=STATE")] + test.replies
    try check(session, test)
  }

  static let backends: [Case] = [
    .init(
      name: "yes", replies: [.backend(200, #"{"phone_number_verified":true}"#)], result: .verified, number: .matches),
    .init(
      name: "a reseller's yes",
      replies: [.backend(200, #"{"status":"success","phone_number_verified":"true","sub":"u"}"#)],
      result: .verified, number: .matches, given: ["subject"]),
    .init(
      name: "no", replies: [.backend(200, #"{"phone_number_verified":"false"}"#)], result: .notVerified,
      number: .differs),
    .init(
      name: "no with a status", replies: [.backend(403, #"{"status":"failed","phone_number_verified":false}"#)],
      result: .notVerified, number: .differs),
    .init(
      name: "yes with a failure's status", replies: [.backend(500, #"{"phone_number_verified":true}"#)],
      result: .providerUnavailable),
    .init(
      name: "a reseller's failure", replies: [.backend(200, #"{"status":"failed","error_description":"x"}"#)],
      result: .operatorError, code: "x"),
    .init(name: "absent", replies: [.backend(200, "{}")], result: .badAnswer),
    .init(
      name: "an expired code", replies: [.backend(400, #"{"error":"invalid_grant"}"#)], result: .expired,
      code: "invalid_grant"),
    .init(
      name: "about another number",
      replies: [.backend(200, #"{"phone_number_verified":true,"login_hint":"447700900001"}"#)],
      result: .stateMismatch),
    .init(name: "no such path", replies: [.backend(404, "nothing here")], result: .notConfigured),
    .init(name: "no answer", replies: [.unanswered(.connect)], result: .providerUnavailable),
  ]

  @Test(
    "An application's backend completes what the device began, by a post or by its redirect URI", arguments: backends)
  func backend(_ test: Case) throws {
    var session = IPificationSession(
      settings: IPificationSession.settings {
        $0.completion = .backend(try! WebURL("https://app.example/ip/complete"))
        $0.checksCoverage = false
      }, question: IPificationSession.question(.verify))
    session.replies = [.redirect("\(IPificationSession.uri)?code=c-1&state=STATE")] + test.replies
    let posted = try check(session, test)
    #expect(posted.calls == ["authorize", "POST completeByBackend host"])
    #expect(posted.requests[1].text == "https://app.example/ip/complete")
    #expect(
      posted.bodies == [
        #"{"code":"c-1","login_hint":"447700900000","redirect_uri":"\#(IPificationSession.uri)","state":"\#(IPificationSession.state)"}"#
      ])
    session.settings.completion = .redirectURI
    session.settings.redirectURI = "https://app.example/cb"
    session.replies[0] = .redirect("https://app.example/cb?code=c-1&state=STATE")
    let fetched = try check(session, test)
    #expect(fetched.calls == ["authorize", "GET completeByRedirect host"])
    // The server's own answer reaches the caller with a verdict, and with nothing else.
    for end in [posted, fetched] {
      let isVerdict = [.verified, .notVerified].contains(test.result)
      #expect((end.answer?.serverAnswer != nil) == isVerdict, "\(test)")
      if isVerdict, case .object? = end.answer?.serverAnswer {} else { #expect(!isVerdict) }
    }
    #expect(fetched.requests[1].text == "https://app.example/cb?code=c-1&state=\(IPificationSession.state)")
  }

  @discardableResult
  private func check(_ session: IPificationSession, _ test: Case) throws -> IPificationSession.End {
    let end = try session.run()
    let outcome = try #require(end.outcome)
    #expect(outcome.result == test.result, "\(outcome)")
    #expect(outcome.code == test.code && outcome.number == test.number && outcome.sim == test.sim)
    if test.result == .rateLimited { #expect(outcome.retryAfter == 3) }
    #expect(end.unused == 0)
    let answer = try #require(end.answer)
    var given: Set<String> = []
    if answer.mobileID != nil { given.insert("mobileID") }
    if answer.number != nil { given.insert("number") }
    if answer.subject != nil { given.insert("subject") }
    if answer.idToken != nil { given.insert("idToken") }
    #expect(given == test.given && answer.code == nil && answer.redirect == nil)
    for secret in ["c-1", "447700900000", "t-1", "s3cret", "m-1"] { #expect(!outcome.text.contains(secret)) }
    return end
  }

  @Test("A verification asks for coverage first, and stops where there is none")
  func coverageFirst() throws {
    let settings = IPificationSession.settings { $0.completion = .secret(Secret("s3cret")) }
    let no = Reply.answer(200, #"{"available":false}"#)
    let yes = Reply.answer(200, #"{"available":true,"operator_code":"op"}"#)
    for (replies, result, calls) in [
      ([no, no], FlowResult.operatorUnsupported, ["checkCoverage", "checkCoverageOfAddress"]),
      ([no, yes], .operatorMismatch, ["checkCoverage", "checkCoverageOfAddress"]),
      (
        [yes, .redirect("\(IPificationSession.uri)?error=access_denied")], .operatorError,
        ["checkCoverage", "authorize"]
      ),
    ] {
      let end = try IPificationSession(
        settings: settings, question: IPificationSession.question(.verify), replies: replies
      ).run()
      #expect(end.outcome?.result == result && end.calls == calls)
    }
  }
}

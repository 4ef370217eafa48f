import AuthCore
import AuthFlows
import ModemModel
import NetworkAddress
import RedirectChain
import Testing
import IPificationFlows

@Suite("IPification: what answers over the bearer mean")
struct IPificationReplyTests {
  typealias Reply = IPificationSession.Reply

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let replies: [Reply]
    let result: FlowResult
    var code: String?
    var status: Int?
    /// How often the bearer was used.
    var calls = 1
    var testDescription: String { name }
  }

  static let uri = IPificationSession.uri
  static let fallback = [
    "imbox_session_id": "s-1", "wa_link": "https://wa.example/1", "imbox_endpoint": "https://im.example",
  ]

  static let authorizations: [Case] = [
    // The redirect URI.
    .init(name: "a code in the query", replies: [.redirect("\(uri)?code=c-1&state=STATE")], result: .authorized),
    .init(name: "a code in the fragment", replies: [.redirect("\(uri)#code=c-1&state=STATE")], result: .authorized),
    .init(name: "code and state apart", replies: [.redirect("\(uri)?state=STATE#code=c-1")], result: .authorized),
    .init(name: "another state", replies: [.redirect("\(uri)?code=c-1&state=x")], result: .stateMismatch),
    .init(name: "no state", replies: [.redirect("\(uri)?code=c-1")], result: .stateMismatch),
    .init(
      name: "two states", replies: [.redirect("\(uri)?code=c-1&state=STATE#state=x")], result: .stateMismatch),
    .init(name: "two codes", replies: [.redirect("\(uri)?code=c-1&state=STATE#code=c-2")], result: .badAnswer),
    .init(name: "an empty code", replies: [.redirect("\(uri)?code=&state=STATE")], result: .badAnswer),
    .init(name: "neither code nor error", replies: [.redirect("\(uri)?state=STATE")], result: .badAnswer),
    .init(
      name: "an error with its state", replies: [.redirect("\(uri)?error=access_denied&state=STATE")],
      result: .operatorError, code: "access_denied"),
    .init(
      name: "an error without a state", replies: [.redirect("\(uri)?error=access_denied&error_description=x%20y")],
      result: .operatorError, code: "access_denied"),
    .init(
      name: "an error with another state", replies: [.redirect("\(uri)?error=access_denied&state=x")],
      result: .stateMismatch),
    .init(
      name: "an error beside a code", replies: [.redirect("\(uri)?code=c-1&error=server_error&state=STATE")],
      result: .operatorError, code: "server_error"),
    .init(
      name: "consent", replies: [.redirect("\(uri)?error=interaction_required&state=STATE")],
      result: .interactionRequired, code: "interaction_required"),
    .init(
      name: "login", replies: [.redirect("\(uri)?error=login_required&state=STATE")], result: .interactionRequired,
      code: "login_required"),
    .init(
      name: "a bad request", replies: [.redirect("\(uri)?error=invalid_request&state=STATE")], result: .badRequest,
      code: "invalid_request"),
    .init(
      name: "a bad scope", replies: [.redirect("\(uri)#error=invalid_scope&state=STATE")], result: .badRequest,
      code: "invalid_scope"),
    .init(
      name: "a client that may not", replies: [.redirect("\(uri)?error=unauthorized_client")], result: .clientRefused,
      code: "unauthorized_client"),
    .init(
      name: "no capacity", replies: [.redirect("\(uri)?error=temporarily_unavailable&state=STATE")],
      result: .providerUnavailable, code: "temporarily_unavailable"),
    .init(
      name: "a code nobody knows", replies: [.redirect("\(uri)?error=gmid_77&state=STATE")], result: .operatorError,
      code: "gmid_77"),
    .init(
      name: "a number where a code should be", replies: [.redirect("\(uri)?error=447700900000&state=STATE")],
      result: .operatorError),
    .init(
      name: "messages on the redirect", replies: [.redirect("\(uri)?imbox_session_id=s-1&state=STATE")],
      result: .messageAppRequired),
    // Answers.
    .init(
      name: "JSON with an error", replies: [.answer(400, #"{"error":"invalid_request","error_description":"no"}"#)],
      result: .badRequest, code: "invalid_request", status: 400),
    .init(
      name: "JSON with an error and 200", replies: [.answer(200, #"{"error":"invalid_client"}"#)],
      result: .clientRefused, code: "invalid_client", status: 200),
    .init(
      name: "JSON with an error nobody knows", replies: [.answer(403, #"{"error":"ip_unknown"}"#)],
      result: .clientRefused, code: "ip_unknown", status: 403),
    .init(
      name: "a reseller's failure",
      replies: [.answer(200, #"{"status":"failed","error_description":"leave the wifi"}"#)],
      result: .operatorError, code: "failed", status: 200),
    .init(
      name: "errorMessage", replies: [.answer(500, #"{"errorMessage":"boom"}"#)], result: .providerUnavailable,
      code: "boom", status: 500),
    .init(
      name: "plain text", replies: [.answer(401, "invalid_client please register")], result: .clientRefused,
      code: "invalid_client", status: 401),
    .init(name: "a sentence", replies: [.answer(400, "that does not work")], result: .badRequest, status: 400),
    .init(
      name: "the error in a URL", replies: [.answer(400, "\(uri)?error=invalid_scope")], result: .badRequest,
      code: "invalid_scope", status: 400),
    .init(name: "nothing in a success", replies: [.answer(204)], result: .badAnswer, status: 204),
    .init(name: "JSON without meaning", replies: [.answer(200, #"{"a":1}"#)], result: .badAnswer, status: 200),
    .init(
      name: "another redirect URI in the body", replies: [.answer(200, "\(uri)x?code=c-1&state=STATE")],
      result: .redirectError, status: 200),
    .init(name: "no such path", replies: [.answer(404)], result: .notConfigured, status: 404),
    .init(name: "a server's failure", replies: [.answer(502, "<html>")], result: .providerUnavailable, status: 502),
    .init(name: "a limit", replies: [.answer(429)], result: .rateLimited, status: 429),
    .init(name: "a teapot", replies: [.answer(418)], result: .badAnswer, status: 418),
    // A redirect that leads nowhere.
    .init(
      name: "300 without Location", replies: [.answer(300)], result: .redirectError, code: "empty_location", status: 300
    ),
    .init(
      name: "305 with an error in Location",
      replies: [.answer(305, fields: ["Location": "x://y?error=consent_required"])], result: .interactionRequired,
      code: "consent_required"),
    .init(
      name: "302 without Location", replies: [.failed(.badRedirect)], result: .redirectError, code: "empty_location",
      status: 302),
    .init(
      name: "302 to another scheme with an error",
      replies: [.failed(.badRedirect, location: "other://cb?error=invalid_request")], result: .badRequest,
      code: "invalid_request"),
    .init(
      name: "302 to another scheme with a code", replies: [.failed(.badRedirect, location: "other://cb?code=c-1")],
      result: .redirectError, status: 302),
    // Messages.
    .init(name: "messages by fields", replies: [.answer(302, fields: fallback)], result: .messageAppRequired),
    .init(
      name: "messages by fields of a 200", replies: [.answer(200, "<html>", fields: fallback)],
      result: .messageAppRequired),
    .init(
      name: "messages in JSON", replies: [.answer(200, #"{"imbox_session_id":"s-1"}"#)], result: .messageAppRequired),
    .init(
      name: "an empty session", replies: [.answer(204, fields: ["imbox_session_id": ""])], result: .badAnswer,
      status: 204),
    // The chain.
    .init(name: "a consent page", replies: [.failed(.interactionRequired, hop: 3)], result: .interactionRequired),
    .init(name: "a portal", replies: [.failed(.possibleCaptivePortal)], result: .captivePortal),
    .init(name: "a loop", replies: [.failed(.redirectLoop, hop: 4)], result: .redirectError),
    .init(name: "too many redirects", replies: [.failed(.tooManyRedirects, hop: 11)], result: .redirectError),
    .init(name: "a host in clear that is not listed", replies: [.failed(.refusedByPolicy)], result: .redirectError),
    .init(name: "a bearer lost on the way", replies: [.failed(.bearerLost, hop: 2)], result: .noDataPath),
    .init(name: "no modem", replies: [.failed(.noModem, hop: nil, isUnsent: true)], result: .noDataPath),
    .init(name: "a rate limit of an operator", replies: [.failed(.rateLimited, hop: 2)], result: .rateLimited),
    .init(name: "TLS of an operator", replies: [.failed(.tlsFailed, hop: 2)], result: .tlsError),
  ]

  @Test("An authorization ends as its answer says, and nothing but a code is an answer", arguments: authorizations)
  func authorization(_ test: Case) throws {
    let end = try IPificationSession(replies: test.replies).run()
    let outcome = try #require(end.outcome)
    #expect(outcome.result == test.result, "\(outcome)")
    #expect(outcome.code == test.code)
    if let status = test.status { #expect(outcome.status == status) }
    #expect(end.calls.count == test.calls && end.unused == 0)
    #expect((end.answer?.code != nil) == (test.result == .authorized))
    #expect((end.answer?.messageFallback != nil) == (test.result == .messageAppRequired))
    // Neither code nor number nor query stands in a sentence.
    for secret in ["c-1", "447700900000", "s-1", "error_description"] { #expect(!outcome.text.contains(secret)) }
  }

  @Test("A code comes with what an application's backend needs for it")
  func code() throws {
    let session = IPificationSession(
      question: IPificationSession.question(.authorize) { $0.nonce = Secret("n-1") },
      replies: [.redirect("\(Self.uri)?code=a%2Fb&state=STATE")])
    let answer = try #require(try session.run().answer)
    #expect(
      answer.code == Secret("a/b") && answer.state == Secret(IPificationSession.state) && answer.nonce == Secret("n-1"))
    #expect(answer.redirect == Secret("\(Self.uri)?code=a%2Fb&state=\(IPificationSession.state)"))
  }

  @Test("What leads into an application for messages is handed on")
  func messages() throws {
    let end = try IPificationSession(replies: [.answer(302, fields: Self.fallback)]).run()
    let fallback = try #require(end.answer?.messageFallback)
    #expect(fallback.session == Secret("s-1") && fallback.endpoint == Secret("https://im.example"))
    #expect(fallback.links == ["wa": Secret("https://wa.example/1")])
  }

  static let coverages: [Case] = [
    .init(name: "available", replies: [.answer(200, #"{"available":true,"operator_code":"op"}"#)], result: .covered),
    .init(name: "by the guide's name", replies: [.answer(200, #"{"is_available":true}"#)], result: .covered),
    .init(name: "as text", replies: [.answer(200, #"{"available":"true"}"#)], result: .covered),
    .init(name: "another 2xx", replies: [.answer(201, #"{"available":true}"#)], result: .covered),
    .init(
      name: "not this number, but this network",
      replies: [.answer(200, #"{"available":false}"#), .answer(200, #"{"available":true}"#)], result: .operatorMismatch,
      calls: 2),
    .init(
      name: "neither this number nor this network",
      replies: [.answer(200, #"{"available":false}"#), .answer(200, #"{"available":false}"#)],
      result: .operatorUnsupported, calls: 2),
    .init(
      name: "not this number, and then an error",
      replies: [.answer(200, #"{"available":false}"#), .answer(500)], result: .providerUnavailable, status: 500,
      calls: 2),
    .init(name: "absent", replies: [.answer(200, "{}")], result: .badAnswer, status: 200),
    .init(name: "null", replies: [.answer(200, #"{"available":null}"#)], result: .badAnswer, status: 200),
    .init(name: "a number in its place", replies: [.answer(200, #"{"available":1}"#)], result: .badAnswer, status: 200),
    .init(name: "no JSON", replies: [.answer(200, "<p>available</p>")], result: .badAnswer, status: 200),
    .init(
      name: "errorMessage", replies: [.answer(400, #"{"errorMessage":"invalid_client"}"#)], result: .clientRefused,
      code: "invalid_client", status: 400),
    .init(
      name: "an error in a URL", replies: [.answer(200, "https://x.example/?error=invalid_request")],
      result: .badRequest, code: "invalid_request", status: 200),
    .init(
      name: "an error in a redirect", replies: [.failed(.badRedirect, location: "x://y?error=server_error")],
      result: .operatorError, code: "server_error"),
    .init(name: "too many requests", replies: [.failed(.rateLimited)], result: .rateLimited),
    .init(name: "a portal", replies: [.failed(.possibleCaptivePortal)], result: .captivePortal),
    .init(name: "over its time", replies: [.failed(.timeout)], result: .timeout),
    .init(name: "no SIM", replies: [.failed(.simAbsent, hop: nil)], result: .noDataPath),
  ]

  @Test("Coverage is read as it stands; what is absent is no answer", arguments: coverages)
  func coverage(_ test: Case) throws {
    let end = try IPificationSession(question: IPificationSession.question(.coverage), replies: test.replies).run()
    let outcome = try #require(end.outcome)
    #expect(outcome.result == test.result, "\(outcome)")
    #expect(outcome.code == test.code)
    if let status = test.status { #expect(outcome.status == status) }
    #expect(end.calls.count == test.calls && end.unused == 0)
  }

  @Test(
    "Coverage without a number is asked once, and the operator's code is handed on",
    arguments: [("true", FlowResult.covered), ("false", .operatorUnsupported)])
  func coverageAlone(available: String, result: FlowResult) throws {
    let reply = Reply.answer(200, #"{"available":\#(available),"operator_code":23410}"#)
    let end = try IPificationSession(question: IPificationQuestion(.coverage), replies: [reply]).run()
    #expect(end.outcome?.result == result && end.answer?.operatorCode == "23410" && end.calls.count == 1)
  }

  @Test(
    "Coverage of an address is the backend's answer",
    arguments: [
      (Reply.backend(200, #"{"available":true}"#), FlowResult.covered),
      (.backend(200, #"{"available":false}"#), .operatorUnsupported), (.backend(200, ""), .badAnswer),
      (.backend(429, "", fields: ["Retry-After": "7"]), .rateLimited), (.unanswered(.timeout), .timeout),
      (.unanswered(.dns), .dnsError), (.unanswered(.tls), .tlsError),
    ])
  func coverageOfAddress(reply: Reply, result: FlowResult) throws {
    let address = try #require(IPAddress("192.0.2.7"))
    let end = IPificationSession(replies: [reply]).run(
      try IPificationAddressMachine(IPificationSession.settings(), address: address))
    #expect(end.outcome?.result == result && end.calls.count == 1)
    if result == .rateLimited { #expect(end.outcome?.retryAfter == 7) }
  }
}

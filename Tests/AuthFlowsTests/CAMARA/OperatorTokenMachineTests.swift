import AuthCore
import AuthFlows
import CAMARACommonalities
import CAMARAFlows
import ModemModel
import Testing
import Web

@Suite("CAMARA by an operator token: both grants, answer by answer")
struct OperatorTokenMachineTests {
  typealias Kit = OperatorTokenKit
  typealias Case = NumberVerificationTests.Case

  static let verified = CAMARAReply.http(200, #"{"devicePhoneNumberVerified":true}"#)

  static let assertions: [Case] = [
    Case(
      "the token is unknown, over or used", [.http(400, #"{"error":"invalid_grant"}"#)], .expired,
      code: "invalid_grant", status: 400),
    Case(
      "the client may not", [.http(400, #"{"error":"unauthorized_client"}"#)], .clientRefused,
      code: "unauthorized_client", status: 400),
    Case(
      "the assertion's signature is refused", [.http(401, #"{"error":"invalid_client"}"#)], .clientRefused,
      code: "invalid_client", status: 401),
    Case(
      "the grant is not offered", [.http(400, #"{"error":"unsupported_grant_type"}"#)], .badRequest,
      code: "unsupported_grant_type", status: 400),
    Case(
      "the scope is refused", [.http(400, #"{"error":"invalid_scope"}"#)], .badRequest, code: "invalid_scope",
      status: 400),
    Case("a bare 401", [.http(401, "")], .clientRefused, status: 401),
    Case("a bare 403", [.http(403, "")], .clientRefused, status: 403),
    Case("limited", [.http(429, "", retryAfter: 9)], .rateLimited, status: 429, retryAfter: 9),
    Case("failed", [.http(503, "")], .providerUnavailable, status: 503),
    Case("no token", [.http(200, "{}")], .badAnswer, status: 200),
    Case("no JSON", [.http(200, "<html>")], .badAnswer, status: 200),
    Case(
      "a pending answer belongs to the other grant", [Kit.pending], .badRequest, code: "authorization_pending",
      status: 400),
    Case("a token that is over", [.token(0)], .expired),
    Case("not there", [.failure(.connect)], .providerUnavailable),
    Case("late", [.failure(.timeout)], .timeout),
  ]

  @Test("An assertion that gives no token ends the flow, and is not sent again", arguments: assertions)
  func assertion(_ sample: Case) {
    check(sample, CAMARAWalk(Kit.machine(.assertion(Secret("h.c.s"))), sample.replies), ["exchangeAssertion"])
  }

  static let requests: [Case] = [
    Case(
      "nobody is known by the token", [.http(400, #"{"error":"unknown_user_id"}"#)], .subscriberUnknown,
      code: "unknown_user_id", status: 400),
    Case(
      "the client is refused", [.http(401, #"{"error":"invalid_client"}"#)], .clientRefused, code: "invalid_client",
      status: 401),
    Case("a bare 401", [.http(401, "")], .clientRefused, status: 401),
    Case(
      "denied", [.http(403, #"{"error":"access_denied"}"#)], .operatorError, code: "access_denied", status: 403),
    Case(
      "the client may not", [.http(400, #"{"error":"unauthorized_client"}"#)], .clientRefused,
      code: "unauthorized_client", status: 400),
    Case(
      "the scope is refused", [.http(400, #"{"error":"invalid_scope"}"#)], .badRequest, code: "invalid_scope",
      status: 400),
    Case("no such path", [.http(404, "")], .notConfigured, status: 404),
    Case("limited", [.http(429, "", retryAfter: 4)], .rateLimited, status: 429, retryAfter: 4),
    Case("no id", [.http(200, #"{"expires_in":120}"#)], .badAnswer, status: 200),
    Case("an empty id", [.http(200, #"{"auth_req_id":""}"#)], .badAnswer, status: 200),
    Case(
      "an id of any length", [.http(200, #"{"auth_req_id":"\#(String(repeating: "x", count: 4097))"}"#)], .badAnswer,
      status: 200),
    Case("an error of status 200", [.http(200, #"{"error":"access_denied"}"#)], .operatorError, code: "access_denied"),
    Case("a redirect", [.http(302, "")], .badAnswer, status: 302),
    Case("not there", [.failure(.connect)], .providerUnavailable),
    Case("late", [.failure(.timeout)], .timeout),
  ]

  @Test("A backchannel request that is refused ends the flow, and no token is asked for", arguments: requests)
  func request(_ sample: Case) {
    check(sample, CAMARAWalk(Kit.machine(.backchannel(Kit.ticket)), sample.replies), ["requestAuthorization"])
  }

  static let polls: [Case] = [
    Case(
      "the request is over", [.http(400, #"{"error":"expired_token"}"#)], .expired, code: "expired_token", status: 400),
    Case(
      "denied", [.http(400, #"{"error":"access_denied"}"#)], .operatorError, code: "access_denied", status: 400),
    Case(
      "the id is unknown", [.http(400, #"{"error":"invalid_grant"}"#)], .expired, code: "invalid_grant", status: 400),
    Case(
      "asked too much", [.http(400, #"{"error":"invalid_request"}"#)], .badRequest, code: "invalid_request",
      status: 400),
    Case("failed", [.http(500, "")], .providerUnavailable, status: 500),
    Case("no token", [.http(200, "{}")], .badAnswer, status: 200),
    Case("its certificate changed", [.failure(.tls)], .tlsError),
  ]

  @Test("A token that is refused ends the flow, at once and after waits", arguments: polls, [0, 3])
  func poll(_ sample: Case, waits: Int) {
    let replies = [Kit.accepted] + Array(repeating: Kit.pending, count: waits) + sample.replies
    let walk = CAMARAWalk(Kit.machine(.backchannel(Kit.ticket)), replies)
    check(
      sample, walk, ["requestAuthorization"] + Array(repeating: "askForToken", count: waits + 1))
    #expect(walk.pauses == Array(repeating: .seconds(2), count: waits))
  }

  @Test("The token is asked for at once, then after the server's interval, and slower where it says so")
  func intervals() {
    let walk = CAMARAWalk(
      Kit.machine(.backchannel(Kit.ticket)),
      [Kit.accepted, Kit.pending, Kit.slowDown, Kit.pending, .failure(.timeout), .token(), Self.verified])
    #expect(walk.outcome?.result == .verified && walk.unused == 0)
    #expect(walk.pauses == [.seconds(2), .seconds(7), .seconds(7), .seconds(7)])
  }

  @Test(
    "An interval and a lifetime of any size are held within bounds",
    arguments: [
      (#""interval":0,"expires_in":120"#, Duration.seconds(1), 12),
      (#""interval":-4,"expires_in":120"#, .seconds(1), 12),
      (#""expires_in":120"#, .seconds(5), 12),
      (#""interval":"2","expires_in":"9""#, .seconds(2), 5),
      (#""interval":2,"expires_in":99999999999999999999"#, .seconds(2), 12),
      (#""interval":9e300"#, .seconds(60), 1),
      (#""interval":2,"expires_in":0"#, .seconds(2), 1),
    ])
  func bounds(members: String, interval: Duration, questions: Int) {
    let replies =
      [.http(200, #"{"auth_req_id":"req-1",\#(members)}"#)] + Array(repeating: Kit.pending, count: 100)
    let walk = CAMARAWalk(Kit.machine(.backchannel(Kit.ticket)), replies)
    #expect(walk.outcome?.result == .operatorTimeout)
    #expect(walk.steps.count { $0 == "askForToken" } == questions)
    #expect(walk.pauses == Array(repeating: interval, count: questions - 1))
  }

  @Test("A server that only says slow_down is left in the end")
  func slowing() {
    let walk = CAMARAWalk(
      Kit.machine(.backchannel(Kit.ticket)), [Kit.accepted] + Array(repeating: Kit.slowDown, count: 100))
    #expect(walk.outcome?.result == .operatorTimeout)
    #expect(walk.pauses == [7, 12, 17, 22].map { .seconds($0) })
  }

  static let answers: [Case] = [
    Case("it matches", [verified], .verified, status: 200, number: .matches),
    Case(
      "it does not", [.http(200, #"{"devicePhoneNumberVerified":false}"#)], .notVerified, status: 200, number: .differs),
    Case("absent is not false", [.http(200, "{}")], .badAnswer, status: 200),
    Case(
      "the token was used", [.refusal(401, "UNAUTHENTICATED")], .expired, code: "UNAUTHENTICATED", status: 401),
    Case(
      "the token is of another service", [.refusal(403, "PERMISSION_DENIED")], .clientRefused,
      code: "PERMISSION_DENIED", status: 403),
  ]

  @Test("The access token is used once, by both grants, and no answer leads to another call", arguments: answers)
  func answer(_ sample: Case) {
    let byAssertion = CAMARAWalk(Kit.machine(.assertion(Secret("h.c.s"))), [.token()] + sample.replies)
    check(sample, byAssertion, ["exchangeAssertion", "verify"])
    let byRequest = CAMARAWalk(Kit.machine(.backchannel(Kit.ticket)), [Kit.accepted, .token()] + sample.replies)
    check(sample, byRequest, ["requestAuthorization", "askForToken", "verify"])
  }

  @Test("The SIM's number is read by both grants")
  func read() {
    let body = CAMARAReply.http(200, #"{"devicePhoneNumber":"+447700900123"}"#)
    for (grant, before) in [
      (CAMARAAccess.Grant.assertion(Secret("h.c.s")), [CAMARAReply.token()]),
      (.backchannel(Kit.ticket), [Kit.accepted, .token()]),
    ] {
      let walk = CAMARAWalk(Kit.machine(grant, .read), before + [body])
      #expect(walk.outcome?.result == .numberRead && walk.answer?.number == CAMARAKit.number)
      #expect(walk.sent.last?.method == .get && walk.sent.last?.url.path.hasSuffix("/device-phone-number") == true)
    }
  }

  private func check(
    _ sample: Case, _ walk: CAMARAWalk<OperatorTokenVerificationMachine>, _ steps: [String]
  ) {
    #expect(walk.outcome?.result == sample.result)
    #expect(walk.outcome?.code == sample.code)
    if let status = sample.status { #expect(walk.outcome?.status == status) }
    #expect(walk.outcome?.retryAfter == sample.retryAfter)
    #expect(walk.outcome?.number == sample.number)
    #expect(walk.steps == steps && walk.unused == 0 && walk.opened.isEmpty)
    // Neither the operator token nor what it was exchanged for is told, in any form.
    for secret in ["900123", "the-token", "s3cret", "op+tok", "req-1", "h.c.s"] {
      #expect(walk.outcome.map { "\($0)".contains(secret) } == false)
    }
  }
}

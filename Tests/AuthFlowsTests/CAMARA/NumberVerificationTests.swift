import AuthCore
import AuthFlows
import ModemModel
import RedirectChain
import Testing
import TokenSigning
import CAMARAFlows

@Suite("CAMARA Number Verification")
struct NumberVerificationTests {
  /// What comes back, and what it means.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let replies: [CAMARAReply]
    let result: FlowResult
    var code: String?
    var status: Int?
    var retryAfter: Int?
    var number: NumberVerdict?

    init(
      _ description: String, _ replies: [CAMARAReply], _ result: FlowResult, code: String? = nil, status: Int? = nil,
      retryAfter: Int? = nil, number: NumberVerdict? = nil
    ) {
      testDescription = description
      self.replies = replies
      self.result = result
      self.code = code
      self.status = status
      self.retryAfter = retryAfter
      self.number = number
    }
  }

  static let mobile = "NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK"
  static let html = ChainResult.failed(ChainFailure(.interactionRequired, "a page"))

  static let authorizations: [Case] = [
    Case(
      "no client of that id", [.redirect("error=unauthorized_client&state=the-state")], .clientRefused,
      code: "unauthorized_client"),
    Case("invalid_request", [.redirect("error=invalid_request&state=the-state")], .badRequest, code: "invalid_request"),
    Case("access_denied", [.redirect("error=access_denied&state=the-state")], .operatorError, code: "access_denied"),
    Case(
      "unsupported_response_type", [.redirect("error=unsupported_response_type&state=the-state")], .badRequest,
      code: "unsupported_response_type"),
    Case("invalid_scope", [.redirect("error=invalid_scope&state=the-state")], .badRequest, code: "invalid_scope"),
    Case(
      "consent_required", [.redirect("error=consent_required&error_description=x&state=the-state")],
      .interactionRequired, code: "consent_required"),
    Case(
      "login_required", [.redirect("error=login_required&state=the-state")], .interactionRequired,
      code: "login_required"),
    Case(
      "interaction_required", [.redirect("error=interaction_required&state=the-state")], .interactionRequired,
      code: "interaction_required"),
    Case("server_error", [.redirect("error=server_error&state=the-state")], .operatorError, code: "server_error"),
    Case(
      "temporarily_unavailable", [.redirect("error=temporarily_unavailable&state=the-state")], .operatorError,
      code: "temporarily_unavailable"),
    Case(
      "invalid_request_object", [.redirect("error=invalid_request_object&state=the-state")], .badRequest,
      code: "invalid_request_object"),
    Case(
      "request_uri_not_supported", [.redirect("error=request_uri_not_supported&state=the-state")], .badRequest,
      code: "request_uri_not_supported"),
    Case(
      "an error that nobody knows is the operator's no", [.redirect("error=strange_thing&state=the-state")],
      .operatorError, code: "strange_thing"),
    Case(
      "an error with a number for its word keeps the word to itself", [.redirect("error=447700900123&state=the-state")],
      .operatorError),
    Case(
      "an error without a state is told", [.redirect("error=consent_required")], .interactionRequired,
      code: "consent_required"),
    Case("an error with another's state is not", [.redirect("error=consent_required&state=other")], .stateMismatch),
    Case("another's state", [.redirect("code=the-code&state=other")], .stateMismatch),
    Case("no state", [.redirect("code=the-code")], .stateMismatch),
    Case("two states", [.redirect("code=the-code&state=the-state&state=other")], .stateMismatch),
    Case("neither code nor error", [.redirect("state=the-state")], .badAnswer),
    Case("an empty code", [.redirect("code=&state=the-state")], .badAnswer),
    Case("two codes", [.redirect("code=a&code=b&state=the-state")], .badAnswer),
    Case("a page in place of the redirect", [.chain(html)], .interactionRequired),
    Case("JSON in place of the redirect", [.http(200, "{}")], .badAnswer, status: 200),
    Case(
      "not on the mobile network, by the authorization server", [.refusal(403, mobile)], .notMobileIP, code: mobile,
      status: 403),
    Case(
      "an OAuth error without a redirect", [.http(400, #"{"error":"invalid_request"}"#)], .badRequest,
      code: "invalid_request", status: 400),
    Case("a bare 403", [.http(403, "")], .clientRefused, status: 403),
    Case("no such path", [.http(404, "not found")], .notConfigured, status: 404),
    Case("the server failed", [.http(502, "")], .providerUnavailable, status: 502),
    Case("the operator was late", [.http(504, "")], .operatorTimeout, status: 504),
    Case(
      "limited", [.chain(.failed(ChainFailure(.rateLimited, retryAfter: 12, "many")))], .rateLimited, retryAfter: 12),
    Case("the bearer is lost", [.failure(.noDataPath, .bearerLost)], .noDataPath),
    Case("the SIM is locked", [.failure(.noDataPath, .simLocked)], .noDataPath),
    Case("a name is unknown", [.failure(.dns, .dnsFailed)], .dnsError),
    Case("a portal", [.failure(.tls, .possibleCaptivePortal)], .captivePortal),
    Case("redirected in a circle", [.failure(.closed, .redirectLoop)], .redirectError),
    Case("too late", [.failure(.timeout, .timeout)], .timeout),
  ]

  @Test("An authorization that gives no code ends the flow, and nothing more is sent", arguments: authorizations)
  func authorization(_ sample: Case) {
    check(sample, CAMARAWalk(CAMARAKit.numberVerification(), sample.replies), ["authorize"])
  }

  static let exchanges: [Case] = [
    Case(
      "the code is too old", [.http(400, #"{"error":"invalid_grant"}"#)], .expired, code: "invalid_grant", status: 400),
    Case(
      "the client is unknown", [.http(401, #"{"error":"invalid_client"}"#)], .clientRefused, code: "invalid_client",
      status: 401),
    Case(
      "invalid_request", [.http(400, #"{"error":"invalid_request"}"#)], .badRequest, code: "invalid_request",
      status: 400),
    Case(
      "unauthorized_client", [.http(400, #"{"error":"unauthorized_client"}"#)], .clientRefused,
      code: "unauthorized_client", status: 400),
    Case(
      "unsupported_grant_type", [.http(400, #"{"error":"unsupported_grant_type"}"#)], .badRequest,
      code: "unsupported_grant_type", status: 400),
    Case(
      "a proof of possession is demanded", [.http(400, #"{"error":"invalid_dpop_proof"}"#)], .notConfigured,
      code: "invalid_dpop_proof", status: 400),
    Case("CAMARA's model", [.refusal(401, "UNAUTHENTICATED")], .expired, code: "UNAUTHENTICATED", status: 401),
    Case("a bare 401", [.http(401, "")], .clientRefused, status: 401),
    Case("limited", [.http(429, "", retryAfter: 5)], .rateLimited, status: 429, retryAfter: 5),
    Case("failed", [.http(500, "<html>")], .providerUnavailable, status: 500),
    Case(
      "an error of status 200", [.http(200, #"{"error":"invalid_grant"}"#)], .expired, code: "invalid_grant",
      status: 200),
    Case("no token", [.http(200, "{}")], .badAnswer, status: 200),
    Case("no JSON", [.http(200, "<html>")], .badAnswer, status: 200),
    Case("a redirect", [.http(302, "")], .badAnswer, status: 302),
    Case(
      "a token that is bound to a proof", [.http(200, #"{"access_token":"x","token_type":"DPoP"}"#)], .notConfigured,
      code: "DPoP", status: 200),
    Case("a token that is over", [.token(0)], .expired),
    Case(
      "an ID token of another client", [.token(idToken: jwt(#"{"aud":"else","nonce":"the-nonce"}"#))], .stateMismatch),
    Case(
      "an ID token of another request", [.token(idToken: jwt(#"{"aud":["app-1"],"nonce":"other"}"#))], .stateMismatch),
    Case("an ID token without a nonce", [.token(idToken: jwt(#"{"aud":"app-1"}"#))], .stateMismatch),
    Case("an ID token that is over", [.token(idToken: jwt(#"{"aud":"app-1","nonce":"the-nonce","exp":1}"#))], .expired),
    Case("an ID token that is none", [.token(idToken: "abc")], .badAnswer),
    Case("the server is not there", [.failure(.connect)], .providerUnavailable),
    Case("its name is unknown", [.failure(.dns)], .dnsError),
    Case("its certificate is wrong", [.failure(.tls)], .tlsError),
    Case("it is late", [.failure(.timeout)], .timeout),
    Case("the bearer is lost in the middle", [.failure(.noDataPath, .bearerLost)], .noDataPath),
  ]

  static func jwt(_ claims: String) -> String { "e30.\(Base64.encodeURL(Array(claims.utf8))).c2ln" }

  @Test("A code that gives no token ends the flow, and is not sent again", arguments: exchanges)
  func exchange(_ sample: Case) {
    check(sample, CAMARAWalk(CAMARAKit.numberVerification(), [.code] + sample.replies), ["authorize", "exchangeCode"])
  }

  static let verifications: [Case] = [
    Case(
      "the number matches", [.http(200, #"{"devicePhoneNumberVerified":true}"#)], .verified, status: 200,
      number: .matches),
    Case(
      "it does not", [.http(200, #"{"devicePhoneNumberVerified":false}"#)], .notVerified, status: 200, number: .differs),
    Case("absent is not false", [.http(200, "{}")], .badAnswer, status: 200),
    Case("null is not false", [.http(200, #"{"devicePhoneNumberVerified":null}"#)], .badAnswer, status: 200),
    Case("text is no answer", [.http(200, #"{"devicePhoneNumberVerified":"true"}"#)], .badAnswer, status: 200),
    Case("no JSON is none", [.http(200, "true")], .badAnswer, status: 200),
    Case("INVALID_ARGUMENT", [.refusal(400, "INVALID_ARGUMENT")], .badRequest, code: "INVALID_ARGUMENT", status: 400),
    Case("UNAUTHENTICATED", [.refusal(401, "UNAUTHENTICATED")], .expired, code: "UNAUTHENTICATED", status: 401),
    Case(
      "AUTHENTICATION_REQUIRED, of old versions", [.refusal(401, "AUTHENTICATION_REQUIRED")], .expired,
      code: "AUTHENTICATION_REQUIRED", status: 401),
    Case(
      "PERMISSION_DENIED", [.refusal(403, "PERMISSION_DENIED")], .clientRefused, code: "PERMISSION_DENIED", status: 403),
    Case("not on the mobile network", [.refusal(403, mobile)], .notMobileIP, code: mobile, status: 403),
    Case(
      "INVALID_TOKEN_CONTEXT, of old versions", [.refusal(403, "NUMBER_VERIFICATION.INVALID_TOKEN_CONTEXT")],
      .subscriberUnknown, code: "NUMBER_VERIFICATION.INVALID_TOKEN_CONTEXT", status: 403),
    Case(
      "a code that nobody knows", [.refusal(403, "SOMETHING_NEW")], .clientRefused, code: "SOMETHING_NEW", status: 403),
    Case("no such path", [.http(404, "")], .notConfigured, status: 404),
    Case(
      "SERVICE_NOT_APPLICABLE", [.refusal(422, "SERVICE_NOT_APPLICABLE")], .operatorUnsupported,
      code: "SERVICE_NOT_APPLICABLE", status: 422),
    Case(
      "QUOTA_EXCEEDED", [.refusal(429, "QUOTA_EXCEEDED", retryAfter: 60)], .rateLimited, code: "QUOTA_EXCEEDED",
      status: 429, retryAfter: 60),
    Case(
      "TOO_MANY_REQUESTS without a time", [.refusal(429, "TOO_MANY_REQUESTS")], .rateLimited, code: "TOO_MANY_REQUESTS",
      status: 429),
    Case(
      "a limit by another name is one", [.refusal(429, "INVALID_ARGUMENT", retryAfter: 3)], .rateLimited,
      code: "INVALID_ARGUMENT", status: 429, retryAfter: 3),
    Case("INTERNAL", [.refusal(500, "INTERNAL")], .providerUnavailable, code: "INTERNAL", status: 500),
    Case("UNAVAILABLE", [.refusal(503, "UNAVAILABLE")], .providerUnavailable, code: "UNAVAILABLE", status: 503),
    Case("TIMEOUT", [.refusal(504, "TIMEOUT")], .operatorTimeout, code: "TIMEOUT", status: 504),
    Case("the server is not there", [.failure(.connect)], .providerUnavailable),
    Case("the bearer is lost in the middle", [.failure(.noDataPath, .bearerLost)], .noDataPath),
  ]

  @Test(
    "The API's answer is read as it stands, in every version", arguments: verifications,
    NumberVerificationVersion.allCases)
  func verification(_ sample: Case, _ version: NumberVerificationVersion) {
    let machine = CAMARAKit.numberVerification(
      .verify(CAMARAKit.number), CAMARAKit.settings { $0.numberVerification = version })
    let walk = CAMARAWalk(machine, [.code, .token()] + sample.replies)
    check(sample, walk, ["authorize", "exchangeCode", "verify"])
    #expect(walk.sent.last?.url.text == "https://api.operator.example/number-verification/\(version.rawValue)/verify")
  }

  private func check(_ sample: Case, _ walk: CAMARAWalk<NumberVerificationMachine>, _ steps: [String]) {
    #expect(walk.outcome?.result == sample.result)
    #expect(walk.outcome?.code == sample.code)
    if let status = sample.status { #expect(walk.outcome?.status == status) }
    #expect(walk.outcome?.retryAfter == sample.retryAfter)
    #expect(walk.outcome?.number == sample.number)
    #expect(walk.steps == steps && walk.unused == 0)
    for secret in ["900123", "the-code", "the-token", "s3cret", "the-state"] {
      #expect(walk.outcome?.text.contains(secret) == false)
    }
  }
}

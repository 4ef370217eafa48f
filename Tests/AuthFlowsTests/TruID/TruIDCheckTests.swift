import AuthCore
import AuthFlows
import Testing

private let problem = TruIDStage.problem
private let created = TruIDStage.created
private let atAPI = TruIDStage.createdAtAPI

@Suite("tru.ID: PhoneCheck and SubscriberCheck")
struct TruIDCheckTests {
  static let creationRows: [CheckCase] = [
    .init(
      name: "number refused", reactions: [.reply(400, problem("phone_format_invalid"))], result: .badRequest,
      code: "phone_format_invalid", calls: 1),
    .init(
      name: "request refused", isAPI: true, reactions: [.reply(400, problem("bad_request"))], result: .badRequest,
      code: "bad_request", calls: 1),
    .init(
      name: "country", isAPI: true, reactions: [.reply(400, problem("country_not_supported"))],
      result: .operatorUnsupported, code: "country_not_supported"),
    .init(
      name: "operator", isAPI: true, reactions: [.reply(400, problem("mno_not_supported"))],
      result: .operatorUnsupported, code: "mno_not_supported"),
    .init(
      name: "unknown code", isAPI: true, reactions: [.reply(400, problem("moon_phase"))], result: .badRequest,
      code: "moon_phase"),
    .init(
      name: "client", isAPI: true, reactions: [.reply(403, problem("forbidden"))], result: .clientRefused,
      code: "forbidden"),
    .init(name: "token", isAPI: true, reactions: [.reply(401, "")], result: .clientRefused, calls: 1),
    .init(
      name: "early mismatch of operators", isAPI: true, reactions: [.reply(409, problem("ip_msisdn_mismatch"))],
      result: .operatorMismatch, code: "ip_msisdn_mismatch"),
    .init(
      name: "early refusal of the address", isAPI: true, reactions: [.reply(412, problem("not_mobile_ip"))],
      result: .notMobileIP, code: "not_mobile_ip"),
    .init(
      name: "too many", isAPI: true, reactions: [.reply(429, problem("too_many_requests"), ["Retry-After": "17"])],
      result: .rateLimited, code: "too_many_requests", retryAfter: 17, calls: 1),
    .init(name: "too many, without a time", reactions: [.reply(429, "")], result: .rateLimited, calls: 1),
    .init(name: "server", isAPI: true, reactions: [.reply(500, "oops")], result: .providerUnavailable, calls: 1),
    .init(
      name: "backend without a word", reactions: [.reply(500, "Internal Server Error")], result: .providerUnavailable),
    .init(
      name: "backend asks for a parameter",
      reactions: [.reply(400, #"{"error_message":"redirect_url parameter is required"}"#)], result: .badRequest),
    .init(
      name: "backend without the path", version: .v2, reactions: [.reply(404, "<pre>Cannot POST</pre>")],
      result: .notConfigured),
    .init(name: "backend without a login", reactions: [.reply(401, "")], result: .clientRefused),
    .init(name: "no JSON", reactions: [.reply(200, "fine")], result: .badAnswer),
    .init(name: "no id", reactions: [.reply(200, #"{"check_url":"https://eu.api.tru.id/"}"#)], result: .badAnswer),
    .init(name: "no URL", reactions: [.reply(200, #"{"check_id":"c-1"}"#)], result: .badAnswer),
    .init(
      name: "URL in clear", reactions: [.reply(200, #"{"check_id":"c-1","check_url":"http://eu.api.tru.id/c"}"#)],
      result: .badAnswer, calls: 1),
    .init(
      name: "URL of a stranger",
      reactions: [.reply(200, #"{"check_id":"c-1","check_url":"https://api.tru.id.evil.example/c"}"#)],
      result: .notConfigured, calls: 1),
    .init(
      name: "URL of a look-alike",
      reactions: [.reply(200, #"{"check_id":"c-1","check_url":"https://evil-api.tru.id/c"}"#)], result: .notConfigured,
      calls: 1),
    .init(
      name: "ended when created", isAPI: true,
      reactions: [.reply(201, #"{"check_id":"c-1","status":"ERROR","error_code":"mno_not_supported"}"#)],
      result: .operatorUnsupported, code: "mno_not_supported", calls: 1),
    .init(name: "backend not reached", reactions: [.failure(.connect)], result: .providerUnavailable, calls: 1),
    .init(name: "backend silent", reactions: [.failure(.timeout)], result: .timeout, calls: 1),
    .init(name: "backend's name", reactions: [.failure(.dns)], result: .dnsError),
    .init(name: "backend's certificate", reactions: [.failure(.tls)], result: .tlsError),
    .init(name: "older than its life", seconds: 121, reactions: [.reply(200, created)], result: .expired, calls: 1),
  ]

  @Test("What can become of a check's creation", arguments: creationRows)
  func creation(row: CheckCase) { row.run() }

  static let deviceRows: [CheckCase] = [
    .init(
      name: "operator not served", reactions: [.reply(200, created), .end(400, problem("mno_not_supported"))],
      result: .operatorUnsupported, code: "mno_not_supported", calls: 2),
    .init(
      name: "no such check", reactions: [.reply(200, created), .end(404, problem("check_not_found"))], result: .expired,
      code: "check_not_found"),
    .init(
      name: "wrong operator", reactions: [.reply(200, created), .end(409, problem("ip_msisdn_mismatch"))],
      result: .operatorMismatch, code: "ip_msisdn_mismatch", calls: 2),
    .init(
      name: "not mobile", reactions: [.reply(200, created), .end(412, problem("not_mobile_ip"))], result: .notMobileIP,
      code: "not_mobile_ip"),
    .init(
      name: "no redirects at the operator",
      reactions: [.reply(200, created), .end(501, problem("mno_redirect_unsupported"))], result: .operatorUnsupported,
      code: "mno_redirect_unsupported"),
    .init(
      name: "too many",
      reactions: [
        .reply(200, created), .broken(.rateLimited, retryAfter: 9, status: 429, problem("too_many_requests")),
      ], result: .rateLimited, code: "too_many_requests", retryAfter: 9, calls: 2),
    .init(
      name: "a gateway's refusal", reactions: [.reply(200, created), .end(403, "<html>", type: "text/html")],
      result: .operatorError),
    .init(
      name: "a gateway's failure", reactions: [.reply(200, created), .end(502, "bad gateway", type: nil)],
      result: .operatorError),
    .init(name: "bearer lost", reactions: [.reply(200, created), .broken(.bearerLost)], result: .noDataPath, calls: 2),
    .init(name: "SIM locked", reactions: [.reply(200, created), .broken(.simLocked)], result: .noDataPath),
    .init(name: "portal", reactions: [.reply(200, created), .broken(.possibleCaptivePortal)], result: .captivePortal),
    .init(
      name: "page in clear", reactions: [.reply(200, created), .broken(.interactionRequired)],
      result: .interactionRequired),
    .init(
      name: "too many redirects", reactions: [.reply(200, created), .broken(.tooManyRedirects)], result: .redirectError),
    .init(name: "chain too slow", reactions: [.reply(200, created), .broken(.timeout)], result: .timeout),
    .init(name: "certificate on the way", reactions: [.reply(200, created), .broken(.tlsFailed)], result: .tlsError),
    .init(
      name: "v0.2 error", version: .v2,
      reactions: [
        .reply(200, created),
        .end(200, #"{"check_id":"c-1","error":"mno_redirect_unsupported","error_description":"x"}"#),
      ], result: .operatorUnsupported, code: "mno_redirect_unsupported", calls: 2),
    .init(
      name: "v0.2 unknown error", version: .v2,
      reactions: [.reply(200, created), .end(200, #"{"check_id":"c-1","error":"odd_thing"}"#)], result: .operatorError,
      code: "odd_thing"),
    .init(
      name: "v0.2 error that is a sentence", version: .v2,
      reactions: [.reply(200, created), .end(200, #"{"check_id":"c-1","error":"of 447700900123 nothing"}"#)],
      result: .operatorError),
    .init(
      name: "v0.2 of another check", version: .v2,
      reactions: [.reply(200, created), .end(200, #"{"check_id":"c-2","code":"code-1"}"#)], result: .stateMismatch,
      calls: 2),
    .init(
      name: "v0.2 of no check", version: .v2, reactions: [.reply(200, created), .end(200, #"{"code":"code-1"}"#)],
      result: .badAnswer, calls: 2),
    .init(
      name: "v0.2 without a code", version: .v2, reactions: [.reply(200, created), .end(200, #"{"check_id":"c-1"}"#)],
      result: .badAnswer),
    .init(
      name: "v0.2 page", version: .v2, reactions: [.reply(200, created), .end(200, "<html>", type: "text/html")],
      result: .interactionRequired, calls: 2),
    .init(
      name: "v0.2 empty", version: .v2, reactions: [.reply(200, created), .end(204, "", type: nil)], result: .badAnswer),
  ]

  @Test("What can become of the chain over the bearer", arguments: deviceRows)
  func device(row: CheckCase) { row.run() }

  static func result(_ members: String) -> Reaction { .reply(200, #"{"check_id":"c-1",\#(members)}"#) }
  static let opened: [Reaction] = [.reply(201, atAPI), .end(200, "", type: nil)]
  static func failed(_ code: String) -> [Reaction] {
    opened + [result(#""status":"ERROR","error_code":"\#(code)""#)]
  }

  static let resultsRows: [CheckCase] = [
    .init(
      name: "verified", isAPI: true,
      reactions: opened + [result(#""status":"COMPLETED","match":true,"no_sim_change":true"#)], result: .verified,
      sim: .unchanged, calls: 3),
    .init(
      name: "PhoneCheck verified", product: .phoneCheck, isAPI: true,
      reactions: opened + [result(#""status":"COMPLETED","match":true"#)], result: .verified, calls: 3),
    .init(
      name: "another number", isAPI: true,
      reactions: opened + [result(#""status":"COMPLETED","match":false,"no_sim_change":true"#)], result: .notVerified,
      sim: .unchanged),
    .init(
      name: "recent swap", isAPI: true,
      reactions: opened + [result(#""status":"COMPLETED","match":true,"no_sim_change":false,"sim_change_within":60"#)],
      result: .simSwapped, sim: .changed),
    .init(
      name: "nothing said of the SIM", isAPI: true, reactions: opened + [result(#""status":"COMPLETED","match":true"#)],
      result: .verified, sim: .unknown),
    .init(
      name: "nothing said of the number", isAPI: true,
      reactions: opened + [result(#""status":"COMPLETED","no_sim_change":true"#)], result: .badAnswer, sim: .unchanged),
    .init(
      name: "match is null", isAPI: true, reactions: opened + [result(#""status":"COMPLETED","match":null"#)],
      result: .badAnswer, sim: .unknown),
    .init(
      name: "match before the end", isAPI: true,
      reactions: opened + [
        result(#""status":"PENDING","match":true"#), result(#""status":"COMPLETED","match":false"#),
      ], result: .notVerified, sim: .unknown, calls: 4),
    .init(
      name: "pending, then verified", product: .phoneCheck, isAPI: true,
      reactions: opened + [
        result(#""status":"ACCEPTED""#), result(#""status":"PENDING""#), result(#""status":"COMPLETED","match":true"#),
      ], result: .verified, calls: 5),
    .init(
      name: "expired", isAPI: true, reactions: opened + [result(#""status":"EXPIRED""#)], result: .expired,
      code: "EXPIRED", calls: 3),
    .init(
      name: "unknown status", isAPI: true, reactions: opened + [result(#""status":"DREAMING""#)], result: .badAnswer,
      code: "DREAMING"),
    .init(
      name: "not_mobile_ip", isAPI: true, reactions: failed("not_mobile_ip"), result: .notMobileIP,
      code: "not_mobile_ip"),
    .init(
      name: "mno_not_supported", isAPI: true, reactions: failed("mno_not_supported"), result: .operatorUnsupported,
      code: "mno_not_supported"),
    .init(
      name: "mno_timeout", isAPI: true, reactions: failed("mno_timeout"), result: .operatorTimeout, code: "mno_timeout"),
    .init(
      name: "mno_user_not_found", isAPI: true, reactions: failed("mno_user_not_found"), result: .subscriberUnknown,
      code: "mno_user_not_found"),
    .init(
      name: "mno_response_error", isAPI: true, reactions: failed("mno_response_error"), result: .operatorError,
      code: "mno_response_error"),
    .init(
      name: "mno_server_error", isAPI: true, reactions: failed("mno_server_error"), result: .operatorError,
      code: "mno_server_error"),
    .init(
      name: "mno_no_data_available", isAPI: true, reactions: failed("mno_no_data_available"), result: .operatorError,
      code: "mno_no_data_available"),
    .init(
      name: "ip_mismatch", isAPI: true, reactions: failed("ip_mismatch"), result: .stateMismatch, code: "ip_mismatch"),
    .init(
      name: "ip_msisdn_mismatch", isAPI: true, reactions: failed("ip_msisdn_mismatch"), result: .operatorMismatch,
      code: "ip_msisdn_mismatch"),
    .init(
      name: "a code of tomorrow", isAPI: true, reactions: failed("mno_on_holiday"), result: .operatorError,
      code: "mno_on_holiday"),
    .init(
      name: "an error without a code", isAPI: true, reactions: opened + [result(#""status":"ERROR""#)],
      result: .operatorError),
    .init(
      name: "gone", isAPI: true, reactions: opened + [.reply(404, problem("check_not_found"))], result: .expired,
      code: "check_not_found"),
    .init(
      name: "too many", isAPI: true, reactions: opened + [.reply(429, "", ["Retry-After": "3"])], result: .rateLimited,
      retryAfter: 3, calls: 3),
    .init(
      name: "of another check", isAPI: true,
      reactions: opened + [.reply(200, #"{"check_id":"c-2","status":"COMPLETED","match":true}"#)],
      result: .stateMismatch),
    .init(
      name: "not reached", isAPI: true, reactions: opened + [.failure(.closed)], result: .providerUnavailable, calls: 3),
    .init(name: "no JSON", isAPI: true, reactions: opened + [.reply(200, "ok")], result: .badAnswer),
    .init(
      name: "a page, and no result", isAPI: true, seconds: 20,
      reactions: [
        .reply(201, atAPI), .end(200, "<html>", type: "text/html; charset=utf-8"), result(#""status":"PENDING""#),
        result(#""status":"PENDING""#),
      ], result: .interactionRequired),
    .init(
      name: "a page, and a result", isAPI: true,
      reactions: [
        .reply(201, atAPI), .end(200, "<html>", type: "text/html"),
        result(#""status":"COMPLETED","match":true,"no_sim_change":true"#),
      ], result: .verified, sim: .unchanged),
    .init(
      name: "pending longer than patience", isAPI: true, seconds: 10,
      reactions: opened + [
        result(#""status":"PENDING""#), result(#""status":"PENDING""#), result(#""status":"PENDING""#),
      ], result: .timeout),
    .init(
      name: "pending to the end", isAPI: true, seconds: 39, reactions: opened + [result(#""status":"PENDING""#)],
      result: .expired),
  ]

  @Test("Every status and error of a result", arguments: resultsRows)
  func results(row: CheckCase) { row.run() }

  static let viaBackend: [Reaction] = [.reply(200, created), .end(200, "", type: nil)]
  static let missing = #"{"error_message":"check_id parameter is required"}"#

  static let quirksRows: [CheckCase] = [
    .init(
      name: "path form", reactions: viaBackend + [result(#""match":true,"no_sim_change":true"#)], result: .verified,
      sim: .unchanged, calls: 3),
    .init(
      name: "path form that reads the query",
      reactions: viaBackend + [.reply(400, missing), result(#""match":true,"no_sim_change":false"#)],
      result: .simSwapped, sim: .changed, calls: 4),
    .init(
      name: "no path form", reactions: viaBackend + [.reply(404, "Cannot GET"), result(#""match":false"#)],
      result: .notVerified, sim: .unknown, calls: 4),
    .init(
      name: "neither form", reactions: viaBackend + [.reply(400, missing), .reply(404, "Cannot GET")],
      result: .notConfigured, calls: 4),
    .init(
      name: "PhoneCheck by the query", product: .phoneCheck, reactions: viaBackend + [result(#""match":true"#)],
      result: .verified, calls: 3),
    .init(
      name: "gone is not an unknown form", reactions: viaBackend + [.reply(404, problem("check_not_found"))],
      result: .expired, code: "check_not_found", calls: 3),
    .init(
      name: "an error is passed on without its status", seconds: 10,
      reactions: viaBackend + [
        .reply(200, #"{"check_id":"c-1"}"#), .reply(200, #"{"check_id":"c-1"}"#), .reply(200, #"{"check_id":"c-1"}"#),
      ], result: .badAnswer),
    .init(
      name: "a status where a backend gives one",
      reactions: viaBackend + [result(#""status":"ERROR","error_code":"mno_timeout""#)], result: .operatorTimeout,
      code: "mno_timeout"),
    .init(
      name: "match as text is not an answer", seconds: 14,
      reactions: viaBackend + [result(#""match":"true""#), result(#""match":"true""#), result(#""match":"true""#)],
      result: .badAnswer),
  ]

  @Test("A dev server's ways are known", arguments: quirksRows)
  func quirks(row: CheckCase) { row.run() }
}

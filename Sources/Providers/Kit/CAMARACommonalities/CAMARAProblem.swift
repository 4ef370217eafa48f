import AuthCore
import JSONTree
import Web
import AuthFlows

/// The errors of CAMARA's APIs: `{"status", "code", "message"}`. The message is not kept, for it
/// may name a number.
package enum CAMARAProblem {
  /// Codes of all versions, with those of OpenID Connect.
  static let results: [String: FlowResult] = OpenIDProblem.results.merging(codes) { own, _ in own }

  private static let codes: [String: FlowResult] = [
    // 400
    "INVALID_ARGUMENT": .badRequest, "OUT_OF_RANGE": .badRequest,
    // 401; AUTHENTICATION_REQUIRED in versions before 1.1.
    "UNAUTHENTICATED": .expired, "AUTHENTICATION_REQUIRED": .expired,
    // 403
    "PERMISSION_DENIED": .clientRefused, "USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK": .notMobileIP,
    // Versions before 1.1: no number belongs to the token.
    "INVALID_TOKEN_CONTEXT": .subscriberUnknown,
    // 404
    "NOT_FOUND": .subscriberUnknown, "IDENTIFIER_NOT_FOUND": .subscriberUnknown,
    // 422
    "SERVICE_NOT_APPLICABLE": .operatorUnsupported, "MISSING_IDENTIFIER": .badRequest,
    "UNNECESSARY_IDENTIFIER": .badRequest, "UNSUPPORTED_IDENTIFIER": .badRequest,
    // OpenID Connect CIBA Core, 11 and 13.
    "expired_token": .expired, "unknown_user_id": .subscriberUnknown, "expired_login_hint_token": .expired,
    // 429
    "QUOTA_EXCEEDED": .rateLimited, "TOO_MANY_REQUESTS": .rateLimited,
    // 5xx
    "INTERNAL": .providerUnavailable, "UNAVAILABLE": .providerUnavailable, "TIMEOUT": .operatorTimeout,
    "NOT_IMPLEMENTED": .notConfigured,
  ]

  /// The meaning of an answer other than success.
  static func outcome(_ reply: BackendReply, host: String) -> FlowOutcome {
    outcome(status: reply.status, reply.json, retryAfter: reply.retryAfter, host: host)
  }

  /// The meaning of a refusal of the authorization server: one without a word is about the client,
  /// since nothing else was to be refused.
  static func tokenOutcome(_ reply: BackendReply, host: String) -> FlowOutcome {
    let json = reply.json
    let isBare = json?["error"] == nil && json?["code"] == nil
    var outcome = outcome(
      status: isBare && reply.status == 401 ? 403 : reply.status, json, retryAfter: reply.retryAfter, host: host)
    outcome.status = reply.status
    return outcome
  }

  static func outcome(status: Int, _ json: JSONValue?, retryAfter: Int? = nil, host: String) -> FlowOutcome {
    let word = json?["code"]?.string ?? json?["error"]?.string
    var outcome = OpenIDProblem.outcome(word, results, status: status, retryAfter: retryAfter, host: host)
    if let advice = word.flatMap({ advice[OpenIDProblem.plain($0)] }) { outcome.text = "\(host) refused: \(advice)" }
    return outcome
  }

  private static let advice = [
    "MISSING_IDENTIFIER": "a token of the client's own needs a number; give one",
    "UNNECESSARY_IDENTIFIER":
      "the token names the subscriber already; ask without a number, or with a token of the client's own",
    "OUT_OF_RANGE": "the period is longer than the operator may look back; ask for a shorter one",
  ]
}

import AuthCore
import JSONTree

/// The errors of OAuth and OpenID Connect, and their meaning for a flow.
package enum OpenIDProblem {
  /// By the word in `error`.
  package static let results: [String: FlowResult] = [
    // RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6.
    "invalid_request": .badRequest, "unauthorized_client": .clientRefused, "access_denied": .operatorError,
    "unsupported_response_type": .badRequest, "invalid_scope": .badRequest, "server_error": .operatorError,
    "temporarily_unavailable": .operatorError, "interaction_required": .interactionRequired,
    "login_required": .interactionRequired, "consent_required": .interactionRequired,
    "account_selection_required": .interactionRequired, "invalid_request_uri": .badRequest,
    "invalid_request_object": .badRequest, "request_not_supported": .badRequest,
    "request_uri_not_supported": .badRequest, "registration_not_supported": .badRequest,
    // RFC 6749, 5.2.
    "invalid_client": .clientRefused, "invalid_grant": .expired, "unsupported_grant_type": .badRequest,
    // RFC 6750, 3.1.
    "invalid_token": .expired, "insufficient_scope": .clientRefused,
    // RFC 9449, 5 and 8.
    "invalid_dpop_proof": .notConfigured, "use_dpop_nonce": .notConfigured,
  ]

  /// A flow's end from an error word, else from a status.
  ///
  /// - Parameters:
  ///   - word: the provider's error word; nil if there is none.
  ///   - known: what words mean.
  ///   - status: nil for a redirect.
  package static func outcome(
    _ word: String?, _ known: [String: FlowResult], status: Int?, retryAfter: Int? = nil, host: String
  ) -> FlowOutcome {
    // A rate limit and a failing server stay what they are, under any name.
    let byStatus = result(of: status)
    let meant = word.flatMap { known[$0] ?? known[plain($0)] }
    let result = byStatus == .rateLimited ? .rateLimited : meant ?? byStatus ?? .operatorError
    let seconds = result == .rateLimited ? retryAfter : nil
    return FlowOutcome(
      result, code: word, status: status, retryAfter: seconds, "\(host) refused: \(advice(result, seconds))")
  }

  /// A word without an API's name before it, as in `NUMBER_VERIFICATION.INVALID_TOKEN_CONTEXT`.
  package static func plain(_ word: String) -> String {
    word.lastIndex(of: ".").map { String(word[word.index(after: $0)...]) } ?? word
  }

  /// The meaning of a status alone.
  private static func result(of status: Int?) -> FlowResult? {
    switch status {
    case nil: nil
    case 400, 405, 406, 409, 415, 422: .badRequest
    case 401: .expired
    case 403: .clientRefused
    case 404, 410: .notConfigured
    case 429: .rateLimited
    case 504: .operatorTimeout
    case .some(500...599): .providerUnavailable
    default: .badAnswer
    }
  }

  private static func advice(_ result: FlowResult, _ seconds: Int?) -> String {
    switch result {
    case .interactionRequired:
      "a person would have to answer a page; give the consent on a device with a browser, or verify in another way"
    case .badRequest: "the request is not as it wants it; compare number, scope and redirect URI with the registration"
    case .clientRefused: "the client is not known or not allowed this; check client id, secret or key, and scope"
    case .expired: "the code or the token is too old or was used before; begin anew"
    case .rateLimited: "too many requests; " + (seconds.map { "ask again in \($0) s" } ?? "ask again later")
    case .providerUnavailable: "it failed or has no capacity; try again later"
    case .notMobileIP: "the request did not come over the operator's mobile network; check APN and roaming"
    case .operatorUnsupported: "this service is not offered for this subscriber; use another way to verify"
    case .subscriberUnknown: "the operator does not know the number; it may be another operator's"
    case .notConfigured:
      "what is configured does not fit; check host, path, API version, and whether the operator demands proofs of possession"
    case .operatorTimeout: "the operator did not answer in time; try again"
    default: "the operator does not say more; begin anew, and ask it where it stays so"
    }
  }
}

import AuthCore
import JSONTree
import RedirectChain
import Web

/// Errors in tru.ID's words: types of problem documents (RFC 9457), error codes of checks, and
/// errors at the end of a chain share one vocabulary.
struct TruIDProblem: Hashable {
  /// As in `ip_msisdn_mismatch`; nil if the answer has none.
  let code: String?

  init(code: String?) { self.code = code }

  /// Reads a problem document, `error` of a chain's last answer, or the `error_code` of a check.
  init(_ body: JSONValue?) {
    code = body?["type"]?.string.flatMap(Self.fragment) ?? body?["error_code"]?.string ?? body?["error"]?.string
  }

  private static func fragment(_ type: String) -> String? {
    guard let mark = type.lastIndex(where: { $0 == "#" || $0 == "/" || $0 == ":" }) else { return type }
    let word = String(type[type.index(after: mark)...])
    return word.isEmpty || word == "blank" ? nil : word
  }

  /// The meaning of a code; nil for an unknown one.
  var result: FlowResult? {
    switch code {
    case "not_mobile_ip": .notMobileIP
    case "mno_not_supported", "mno_redirect_unsupported": .operatorUnsupported
    case "ip_msisdn_mismatch": .operatorMismatch
    case "ip_mismatch": .stateMismatch
    case "mno_timeout": .operatorTimeout
    case "mno_user_not_found": .subscriberUnknown
    case "mno_response_error", "mno_server_error", "mno_no_data_available": .operatorError
    case "phone_format_invalid", "bad_request", "trace_not_found": .badRequest
    case "forbidden", "invalid_client", "unauthorized", "unauthorized_client", "access_denied", "invalid_scope":
      .clientRefused
    case "check_not_found", "trace_gone": .expired
    case "too_many_requests": .rateLimited
    case let code? where code.contains("country"): .operatorUnsupported
    case let code? where code.hasPrefix("mno_"): .operatorError
    default: nil
    }
  }

  /// The meaning of an answer's status alone.
  static func result(ofStatus status: Int) -> FlowResult {
    switch status {
    case 400, 422: .badRequest
    case 401, 403: .clientRefused
    case 404, 410: .expired
    case 409: .operatorMismatch
    case 412: .notMobileIP
    case 429: .rateLimited
    case 501: .operatorUnsupported
    case 500...599: .providerUnavailable
    default: .badAnswer
    }
  }
}

extension FlowOutcome {
  /// A refusal of tru.ID, or of a backend that passes it on.
  static func truID(
    _ problem: TruIDProblem, otherwise: FlowResult, host: String?, status: Int? = nil, retryAfter: Int? = nil
  ) -> FlowOutcome {
    let result = problem.result ?? otherwise
    return FlowOutcome(
      result, code: problem.code, status: status, retryAfter: result == .rateLimited ? retryAfter : nil,
      text(of: result, problem.code, host ?? "the provider"))
  }

  /// An answer other than success.
  ///
  /// - Parameter isBackend: whether the host is an application's. A 404 in another form than
  ///   tru.ID's then means that the path is missing there.
  static func truID(_ reply: BackendReply, host: String, isBackend: Bool = false) -> FlowOutcome {
    let problem = TruIDProblem(reply.json)
    if isBackend, problem.code == nil, [404, 405].contains(reply.status) {
      return FlowOutcome(
        .notConfigured, status: reply.status,
        "\(host) does not serve this path of tru.ID's dev server; check the backend's URL, and its version")
    }
    return truID(
      problem, otherwise: TruIDProblem.result(ofStatus: reply.status), host: host, status: reply.status,
      retryAfter: reply.retryAfter)
  }

  private static func text(of result: FlowResult, _ code: String?, _ host: String) -> String {
    switch result {
    case .notMobileIP:
      "\(host) saw an address that is no mobile operator's; check that the bearer uses the operator's Internet APN"
    case .operatorUnsupported where code == "mno_redirect_unsupported":
      "the operator does not take part in checks by redirect; ask tru.ID, or use another provider"
    case .operatorUnsupported: "tru.ID does not serve this operator or country; use another provider for its SIMs"
    case .operatorMismatch:
      "the number is of another operator than the SIM; check the number, and which modem is used"
    case .stateMismatch:
      "the check was opened from another address than it was made for; start anew, and keep to one address family"
    case .operatorTimeout: "the operator did not answer tru.ID in time; start anew"
    case .subscriberUnknown:
      "the operator does not know the subscriber, often one of a virtual operator; use another provider"
    case .operatorError: "the operator failed to answer the check; start anew, and ask tru.ID if it stays"
    case .badRequest where code == "phone_format_invalid": "tru.ID does not take this number; check its country code"
    case .badRequest where code == "trace_not_found": "there is no such trace; list the check's traces without an id"
    case .badRequest: "\(host) does not take the request; check number and period"
    case .clientRefused: "\(host) refuses the client; check its credentials and what its project may do"
    case .expired where code == "trace_gone": "the check's traces are gone: they are kept for 7 days"
    case .expired: "\(host) knows the check no more; checks live for two minutes, so start anew"
    case .rateLimited: "\(host) gets too many requests; wait before the next one"
    case .providerUnavailable: "\(host) failed to answer; try again later"
    default: "\(host) gives an answer that means nothing in tru.ID's protocol; ask tru.ID"
    }
  }
}

import AuthCore
import JSONTree
import RedirectChain

/// A refusal of IPification in any form: in a redirect's query, in JSON, or in plain text. Its
/// description is not kept, because it may name a number.
struct IPificationRefusal: Hashable, Sendable {
  /// Its own code, or the text if there is no code.
  let code: String
  /// HTTP status of the answer; nil for a redirect.
  var status: Int?
  /// Whether it is a word from a text with an unknown meaning.
  private var isPlainText = false

  private static let results: [String: FlowResult] = [
    // OpenID Connect Core, 3.1.2.6.
    "interaction_required": .interactionRequired, "login_required": .interactionRequired,
    "consent_required": .interactionRequired, "account_selection_required": .interactionRequired,
    "invalid_request_uri": .badRequest, "invalid_request_object": .badRequest, "request_not_supported": .badRequest,
    "request_uri_not_supported": .badRequest, "registration_not_supported": .badRequest,
    // RFC 6749, 4.1.2.1 and 5.2.
    "invalid_request": .badRequest, "invalid_scope": .badRequest, "unsupported_response_type": .badRequest,
    "unsupported_grant_type": .badRequest, "unauthorized_client": .clientRefused, "invalid_client": .clientRefused,
    "invalid_client_credentials": .clientRefused, "access_denied": .operatorError, "server_error": .operatorError,
    "temporarily_unavailable": .providerUnavailable, "invalid_grant": .expired,
    // RFC 6750, 3.1, and RFC 6585, 4.
    "invalid_token": .expired, "insufficient_scope": .badRequest, "too_many_requests": .rateLimited,
    "slow_down": .rateLimited,
    // This program's own word for a redirect without a target.
    Self.emptyLocation: .redirectError,
  ]
  static let emptyLocation = "empty_location"

  init(code: String, status: Int? = nil) {
    self.code = code
    self.status = status
  }

  /// The refusal in an answer's body: JSON, a URL with `error`, or plain text; nil if there is
  /// none.
  init?(body: [UInt8], status: Int? = nil) {
    if let code = JSONValue(parsing: body).flatMap(Self.code) {
      self.init(code: code, status: status)
    } else if let text = String(validating: body, as: UTF8.self), !text.hasPrefix("{"), let code = Self.code(in: text) {
      self.init(code: code, status: status)
      isPlainText = true
    } else {
      return nil
    }
  }

  /// The refusal in a URI's query or fragment.
  init?(uri: String) {
    guard let code = RedirectURI.parameters(of: uri)["error"], !code.isEmpty else { return nil }
    self.init(code: code)
  }

  private static func code(in json: JSONValue) -> String? {
    if let code = json["error"]?.string ?? json["errorMessage"]?.string { return word(code) ?? code }
    // A reseller's form.
    guard json["status"]?.string == "failed" else { return nil }
    return json["error_description"]?.string.flatMap(word) ?? "failed"
  }

  private static func code(in text: String) -> String? {
    if let code = IPificationRefusal(uri: text)?.code { return code }
    return word(text)
  }

  /// The first word of a text, if it is a known code or the only word.
  private static func word(_ text: String) -> String? {
    let words = text.split(maxSplits: 1, omittingEmptySubsequences: true, whereSeparator: \.isWhitespace)
    guard let first = words.first.map(String.init), words.count == 1 || results[first] != nil else { return nil }
    return first.isName(and: "-._") ? first : nil
  }

  /// Its meaning; an unknown code is the operator's no.
  func outcome(_ host: String, retryAfter: Int? = nil) -> FlowOutcome {
    let result = Self.results[code] ?? .operatorError
    return FlowOutcome(
      result, code: code, status: status, retryAfter: result == .rateLimited ? retryAfter : nil,
      "\(host) refused: \(Self.advice(result))")
  }

  private static func advice(_ result: FlowResult) -> String {
    switch result {
    case .interactionRequired:
      "a person would have to answer a page; use a device with a browser, or another way to verify"
    case .badRequest:
      "the request is not as it wants it; compare scope, redirect URI and number with the client's registration"
    case .clientRefused: "the client is not known or not allowed this; check client id, secret and registration"
    case .expired: "the code or token is too old or was used before; begin anew"
    case .rateLimited: "there were too many requests; try again later"
    case .providerUnavailable: "it has no capacity now; try again later"
    case .redirectError: "it redirects to nowhere; ask the provider"
    default: "the operator or the provider does not verify this subscriber; the code says more, ask the provider"
    }
  }

  /// The meaning of an HTTP status without an error word.
  static func outcome(_ status: Int, _ host: String, retryAfter: Int? = nil) -> FlowOutcome {
    switch status {
    case 400, 405, 415, 422:
      FlowOutcome(
        .badRequest, status: status, "\(host) does not accept the request (\(status)); check scope and number")
    case 401, 403:
      FlowOutcome(
        .clientRefused, status: status,
        "\(host) refused the client (\(status)); check client id, secret and registration")
    case 404, 410:
      FlowOutcome(
        .notConfigured, status: status, "\(host) has nothing at this path (\(status)); check host, realm and paths")
    case 429:
      FlowOutcome(
        .rateLimited, status: status, retryAfter: retryAfter,
        "\(host) gets too many requests; " + (retryAfter.map { "try again in \($0) s" } ?? "try again later"))
    case 500...599:
      FlowOutcome(
        .providerUnavailable, status: status, retryAfter: retryAfter, "\(host) failed (\(status)); try again later")
    case 300...399:
      FlowOutcome(
        .redirectError, code: Self.emptyLocation, status: status, "\(host) redirects to nowhere; ask the provider")
    default:
      FlowOutcome(
        .badAnswer, status: status, "\(host) gave an answer that means nothing here (\(status)); ask the provider")
    }
  }

  /// The meaning of an answer that is not a success, or whose words deny it.
  static func outcome(_ status: Int, body: [UInt8], _ host: String, retryAfter: Int? = nil) -> FlowOutcome {
    let plain = outcome(status, host, retryAfter: retryAfter)
    guard let refusal = IPificationRefusal(body: body, status: status) else { return plain }
    // A rate limit stays one, under any name.
    if plain.result == .rateLimited {
      return FlowOutcome(
        .rateLimited, code: refusal.code, status: status, retryAfter: retryAfter, plain.text)
    }
    guard results[refusal.code] != nil || !refusal.isPlainText && (200...299).contains(status) else {
      // An unknown word says less than the status.
      return FlowOutcome(plain.result, code: refusal.code, status: status, retryAfter: plain.retryAfter, plain.text)
    }
    return refusal.outcome(host, retryAfter: retryAfter)
  }
}

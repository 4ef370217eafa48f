import AuthCore
import JSONTree
import Web
import AuthFlows

/// The errors of Mobile Connect, and their meaning for a flow. Descriptions are compared and not
/// kept, because they may name a number.
enum MobileConnectProblem {
  /// By the word in `error`; all others are OpenID Connect's.
  static let results: [String: FlowResult] = OpenIDProblem.results.merging([
    // A person refused at the handset, or did not answer.
    "access_denied": .userRefused, "authentication_failed": .userRefused, "authorization_failed": .userRefused,
    // The user is busy in another transaction.
    "temporarily_unavailable": .providerUnavailable,
    "unknown_user": .subscriberUnknown, "unknown_user_id": .subscriberUnknown, "user_not_found": .subscriberUnknown,
    // OpenID Connect CIBA, 11 and 13.
    "expired_token": .expired, "expired_login_hint_token": .expired, "invalid_binding_message": .badRequest,
    "missing_user_code": .badRequest, "transaction_failed": .operatorError,
    // RFC 7009, 2.2.1.
    "unsupported_token_type": .badRequest,
  ]) { _, own in own }

  /// A refusal's meaning, if only its description shows it.
  static func special(_ word: String?, _ description: String?, status: Int? = nil) -> FlowOutcome? {
    let text = (description ?? "").lowercased()
    if word == "access_denied", text.contains("msisdn_mismatch") {
      return FlowOutcome(
        .notVerified, number: .differs, code: "MSISDN_mismatch", status: status, "the number is not that of this SIM")
    }
    if text.contains("unknown mobile connect user") {
      return FlowOutcome(
        .subscriberUnknown, code: word, status: status,
        "the operator knows no Mobile Connect user of this number; the user has to sign up there first")
    }
    return nil
  }

  /// The meaning of a bearer token's refusal; its words may only be in `WWW-Authenticate` (RFC
  /// 6750, 3).
  static func outcome(_ reply: BackendReply, host: String) -> FlowOutcome {
    let json = reply.json
    let challenge = reply.header("www-authenticate").map { Challenge($0) }
    let word = json?["error"]?.string ?? challenge?.parameters["error"]
    let description =
      (json?["error_description"] ?? json?["description"])?.string ?? challenge?.parameters["error_description"]
    if let special = special(word, description, status: reply.status) { return special }
    // A token that is refused without a word has expired.
    return OpenIDProblem.outcome(word, results, status: reply.status, retryAfter: reply.retryAfter, host: host)
  }

  /// The parameters of a challenge (RFC 9110, 11.6.1).
  struct Challenge: Hashable, Sendable {
    private(set) var parameters: [String: String] = [:]

    init(_ text: String) {
      var rest = text.drop { $0 != " " }.drop { $0 == " " }
      while let equals = rest.firstIndex(of: "=") {
        let name = rest[..<equals].filter { $0 != " " && $0 != "," }.lowercased()
        rest = rest[rest.index(after: equals)...]
        parameters[name] = parameters[name] ?? Self.value(&rest)
      }
    }

    /// A token, or a quoted string with its escapes undone.
    private static func value(_ rest: inout Substring) -> String {
      guard rest.first == "\"" else {
        let value = rest.prefix { $0 != "," && $0 != " " }
        rest = rest.dropFirst(value.count)
        return String(value)
      }
      rest = rest.dropFirst()
      var value = ""
      while let character = rest.popFirst(), character != "\"" {
        guard character == "\\" else {
          value.append(character)
          continue
        }
        if let escaped = rest.popFirst() { value.append(escaped) }
      }
      return value
    }
  }
}

import AuthCore
import ModemModel
import RedirectChain
import Web
import AuthFlows

/// Calls an operator's token endpoint once (RFC 6749, 4.1.3 and 6). The ID token is validated
/// elsewhere.
struct MobileConnectTokenMachine: FlowMachine {
  typealias Answer = MobileConnectTokens
  static var usesBearer: Bool { false }

  /// What is changed for tokens.
  enum Grant: Hashable, Sendable {
    case code(Secret, redirect: MobileConnectRedirect)
    /// - scope: nil for the token's scope.
    case refresh(Secret, scope: [String]?)
  }

  private let call: BackendCall
  private let correlationID: String?

  /// - Parameter correlationID: nil for none; an answer with a different one belongs to another
  ///   request.
  init(
    _ grant: Grant, at endpoint: WebURL, client: MobileConnectClient, correlationID: String?, route: BackendRoute
  ) {
    self.correlationID = correlationID
    var fields = FormFields()
    let step: String
    switch grant {
    case .code(let code, let redirect):
      step = "exchangeCode"
      fields = FormFields([
        "grant_type": "authorization_code", "code": code.revealed, "redirect_uri": redirect.text,
      ])
    case .refresh(let token, let scope):
      step = "refreshTokens"
      fields = FormFields([
        "grant_type": "refresh_token", "refresh_token": token.revealed, "scope": scope?.joined(separator: " "),
      ])
    }
    fields.add("correlation_id", correlationID)
    call = .asClient(step, endpoint, client, fields, route)
  }

  mutating func start(at now: Timestamp) -> FlowAction<MobileConnectTokens> { .send(call) }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<MobileConnectTokens> {
    switch event {
    case .answered(let reply):
      switch BearerTokenAnswer(reply, MobileConnectProblem.results, host: call.url.host) {
      case .failed(let outcome): return .finish(outcome, nil)
      case .token(let text, let members):
        if let correlationID, let other = members["correlation_id"]?.string, other != correlationID {
          return .finish(
            FlowOutcome(
              .stateMismatch, status: reply.status, "\(call.url.host) answered another request; begin anew"), nil)
        }
        return .finish(
          FlowOutcome(.authorized, status: reply.status, "the tokens are there"), MobileConnectTokens(text, members))
      }
    case .unanswered(let failure): return .finish(failure.outcome, nil)
    case .opened, .code, .noCode, .simAnswered, .simFailed, .resumed: return .unexpected(event)
    }
  }
}

extension BackendCall {
  /// A form that the client sends with its credentials (RFC 6749, 2.3.1). The form does not repeat
  /// the credentials, because using more than one way is forbidden.
  static func asClient(
    _ step: String, _ endpoint: WebURL, _ client: MobileConnectClient, _ fields: FormFields, _ route: BackendRoute
  ) -> BackendCall {
    let (headers, fields) = ClientProof.basic(client.secret).token(client.id, fields)
    return BackendCall(
      step, .post, endpoint, headers: headers + [.accept("application/json")], body: .form(fields), route: route)
  }
}

import AuthCore
import ModemModel
import RedirectChain
import Web
import AuthFlows

/// Revokes a token (RFC 7009). An unknown token counts as revoked.
struct MobileConnectRevocationMachine: FlowMachine {
  typealias Answer = Never
  static var usesBearer: Bool { false }

  private let call: BackendCall

  init(
    _ token: Secret, _ kind: MobileConnectTokenKind, at endpoint: WebURL, client: MobileConnectClient,
    route: BackendRoute
  ) {
    let fields = FormFields(["token": token.revealed, "token_type_hint": kind.rawValue])
    call = .asClient("revokeToken", endpoint, client, fields, route)
  }

  mutating func start(at now: Timestamp) -> FlowAction<Never> { .send(call) }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Never> {
    switch event {
    case .answered(let reply) where reply.isSuccess && reply.json?["error"] == nil:
      return .finish(FlowOutcome(.authorized, status: reply.status, "the operator no longer takes the token"), nil)
    case .answered(let reply):
      let word = reply.json?["error"]?.string
      // No token is sent that could have expired: the client is refused.
      let status = word == nil && reply.status == 401 ? 403 : reply.status
      var outcome = OpenIDProblem.outcome(
        word, MobileConnectProblem.results, status: status, retryAfter: reply.retryAfter, host: call.url.host)
      outcome.status = reply.status
      return .finish(outcome, nil)
    case .unanswered(let failure): return .finish(failure.outcome, nil)
    case .opened, .code, .noCode, .simAnswered, .simFailed, .resumed: return .unexpected(event)
    }
  }
}

/// Which token is meant.
package enum MobileConnectTokenKind: String, Hashable, Sendable, CaseIterable {
  case access = "access_token"
  case refresh = "refresh_token"
}

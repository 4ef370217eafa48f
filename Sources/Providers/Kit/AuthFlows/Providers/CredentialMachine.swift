import AuthCore
import JSONTree
import ModemModel
import Web

/// Asks a service once whether it knows a client, with a request that costs nothing.
package struct CredentialMachine: FlowMachine {
  /// What stands where a code or a token would: no service has ever given it.
  package static let noCode = "modemd-asks-for-nothing"

  package static var usesBearer: Bool { false }

  private let call: BackendCall
  private let read: @Sendable (BackendReply) -> FlowOutcome

  /// - Parameter read: what an answer of any status means.
  package init(_ call: BackendCall, read: @escaping @Sendable (BackendReply) -> FlowOutcome) {
    self.call = call
    self.read = read
  }

  /// A request to a token endpoint (RFC 6749, 5). An endpoint looks at the client before it looks
  /// at the grant. If it refuses the grant alone, it knows the client.
  package init(token call: BackendCall) {
    let host = call.url.host
    self.init(call) { reply in
      let word = reply.json?["error"]?.string
      if reply.isSuccess {
        return FlowOutcome(.authorized, status: reply.status, "\(host) accepts the credentials")
      }
      switch word {
      case "invalid_grant", "unauthorized_client", "unsupported_grant_type":
        return FlowOutcome(.authorized, code: word, status: reply.status, "\(host) accepts the credentials")
      case "invalid_client", "invalid_client_credentials":
        return FlowOutcome(.clientRefused, code: word, status: reply.status, Self.refusal(host))
      default:
        guard reply.status != 401 else {
          return FlowOutcome(.clientRefused, code: word, status: reply.status, Self.refusal(host))
        }
        return OpenIDProblem.outcome(
          word, OpenIDProblem.results, status: reply.status, retryAfter: reply.retryAfter, host: host)
      }
    }
  }

  package func start(at now: Timestamp) -> FlowAction<Void> { .send(call) }

  package func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Void> {
    switch event {
    case .answered(let reply): .finish(read(reply), nil)
    case .unanswered(let failure): .finish(failure.outcome, nil)
    case .opened, .code, .noCode, .simAnswered, .simFailed, .resumed: .unexpected(event)
    }
  }

  private static func refusal(_ host: String) -> String {
    "\(host) refuses the client; compare client id and secret with the registration"
  }
}

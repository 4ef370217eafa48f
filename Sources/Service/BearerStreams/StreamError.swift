import BoundHTTP
import TrafficLedger

/// Why there is no connection.
package enum StreamError: Error, Hashable, Sendable {
  package enum Reason: String, CaseIterable, Hashable, Sendable {
    case refused, timedOut, unreachable, refusedAddress, bearerLost, failed
  }

  case notResolved(name: String, text: String)
  case notConnected(Reason, text: String)
  case destinationNotAllowed(host: String, port: Int, text: String)
  /// Which budget, and when it starts anew (RFC 3339).
  case budgetSpent(budget: String, resets: String?, text: String)
}

extension StreamError {
  init(_ refusal: TrafficRefusal, host: String?, port: Int?) {
    switch refusal {
    case .destination(let text): self = .destinationNotAllowed(host: host ?? "", port: port ?? 0, text: text)
    case .budget(let name, let resets, let text):
      self = .budgetSpent(budget: name, resets: resets?.description, text: text)
    }
  }

  init(_ failure: DialFailure, host: String?, port: Int?) {
    switch failure {
    case .notResolved(let name, let text): self = .notResolved(name: name, text: text)
    case .notConnected(let reason, let text): self = .notConnected(Reason(reason), text: text)
    case .notPermitted:
      self = .destinationNotAllowed(
        host: host ?? "", port: port ?? 0, text: "the settings allow none of the addresses of this host")
    }
  }

  init(_ end: ConnectionLife.End) {
    switch end {
    case .budgetSpent:
      self = .budgetSpent(
        budget: "connections", resets: nil, text: "the budget was spent while the connection was made")
    case .requested: self = .notConnected(.failed, text: "the connection was ended while it was made")
    case .bearerLost: self = .notConnected(.bearerLost, text: "the bearer was lost or changed meanwhile; try again")
    }
  }
}

extension StreamError.Reason {
  fileprivate init(_ reason: DialFailure.Reason) {
    self =
      switch reason {
      case .refused: .refused
      case .timedOut: .timedOut
      case .unreachable: .unreachable
      case .refusedAddress: .refusedAddress
      case .bearerLost: .bearerLost
      case .failed: .failed
      }
  }
}

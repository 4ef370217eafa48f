import JSONTree
import OutsideNumber
import RedirectChain
import Web

/// An answer of a backend. A flow makes verdicts, codes, tokens and sessions only from it.
///
/// A machine gets it as the answer to a `BackendCall`, or from a chain's answer through
/// `verified(from:)`.
package typealias BackendReply = WebReply

extension BackendReply {
  /// The body as JSON; nil if it is not JSON.
  package var json: JSONValue? { JSONValue(parsing: body) }

  /// Seconds in Retry-After, zero to a week; nil if it is missing or a date.
  package var retryAfter: Int? {
    header("retry-after").flatMap { OutsideSeconds($0.filter { $0 != " " }) }.map { RetryDelay.bounded($0.count) }
  }
}

/// Why a backend gave no answer.
package struct BackendFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a flow can act on.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case dns, connect, tls, timeout, closed, tooLarge, refused, cancelled
    /// It had to go over the bearer, and there is none.
    case noDataPath
  }

  package let kind: Kind
  /// Set with `noDataPath`.
  package let cause: ChainFailure.Cause?
  /// One sentence that only names the host, and says what to do.
  package let text: String

  package init(_ kind: Kind, cause: ChainFailure.Cause? = nil, _ text: String) {
    self.kind = kind
    self.cause = cause
    self.text = text
  }

  /// Why it gave none over the machine's own network.
  package init(_ failure: WebFailure) {
    let kind: Kind =
      switch failure.kind {
      case .dns: .dns
      case .connect: .connect
      case .tls: .tls
      case .timeout: .timeout
      case .closed: .closed
      case .tooLarge: .tooLarge
      case .refused: .refused
      case .cancelled: .cancelled
      }
    self.init(kind, failure.text)
  }

  /// Why there was no reply over the bearer.
  package init(_ failure: ChainFailure) {
    let kind: Kind =
      switch failure.cause {
      case .noModem, .portUnavailable, .simAbsent, .simLocked, .simNotReady, .notRegistered, .bearerRefused, .noAddress,
        .modemFailed, .bearerLost:
        .noDataPath
      case .dnsFailed: .dns
      case .connectFailed: .connect
      case .tlsFailed, .possibleCaptivePortal: .tls
      case .timeout: .timeout
      case .tooLarge: .tooLarge
      case .cancelled: .cancelled
      case .tooManyRedirects, .redirectLoop, .badRedirect, .refusedByPolicy, .badAnswer, .stateMismatch,
        .interactionRequired, .rateLimited:
        .closed
      }
    self.init(kind, cause: failure.cause, failure.text)
  }

  package var description: String { text }

  /// Its meaning for a flow.
  package var outcome: FlowOutcome {
    let result: FlowResult =
      switch kind {
      case .dns: .dnsError
      case .connect, .closed: .providerUnavailable
      case .tls: .tlsError
      case .timeout: .timeout
      case .tooLarge: .badAnswer
      case .refused: .notConfigured
      case .cancelled: .cancelled
      case .noDataPath: .noDataPath
      }
    return FlowOutcome(result, cause: cause, text)
  }
}

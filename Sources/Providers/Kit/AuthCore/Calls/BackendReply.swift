import JSONTree
import OutsideNumber
import RedirectChain
import Web

/// An answer of a backend. A flow makes verdicts, codes, tokens and sessions only from it.
///
/// A machine gets it as the answer to a `BackendCall`, or from a chain's answer through
/// `verified(from:)`.
public typealias BackendReply = WebReply

extension BackendReply {
  /// The body as JSON; nil if it is not JSON.
  public var json: JSONValue? { JSONValue(parsing: body) }

  /// Seconds in Retry-After, zero to a week; nil if it is missing or a date.
  public var retryAfter: Int? {
    header("retry-after").flatMap { OutsideSeconds($0.filter { $0 != " " }) }.map { RetryDelay.bounded($0.count) }
  }
}

/// Why a backend gave no answer.
public struct BackendFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a flow can act on.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case dns, connect, tls, timeout, closed, tooLarge, refused, cancelled
    /// It had to go over the bearer, and there is none.
    case noDataPath
  }

  public let kind: Kind
  /// Set with `noDataPath`.
  public let cause: ChainFailure.Cause?
  /// One sentence that only names the host, and says what to do.
  public let text: String

  public init(_ kind: Kind, cause: ChainFailure.Cause? = nil, _ text: String) {
    self.kind = kind
    self.cause = cause
    self.text = text
  }

  /// Why it gave none over the machine's own network.
  public init(_ failure: WebFailure) {
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

  /// Why it gave none over the bearer.
  public init(_ failure: ChainFailure) {
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

  public var description: String { text }

  /// Its meaning for a flow.
  public var outcome: FlowOutcome {
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

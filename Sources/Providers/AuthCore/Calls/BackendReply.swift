import JSONTree
import OutsideNumber
import RedirectChain

/// An HTTP answer of any status by an origin that is known: for https its server has proved by TLS to be the host that the URL names, and in clear the
/// configuration names it so. A flow makes verdicts, codes, tokens and sessions of it alone.
///
/// It is made where the exchange took place, by who imports this module with `@_spi(Exchange)`; a machine gets it as the answer to a `BackendCall`, or
/// from a chain's answer by `verified(from:)`.
public struct BackendReply: Hashable, Sendable {
  public let status: Int
  public let headers: [ChainRequest.Header]
  public let body: [UInt8]

  @_spi(Exchange) public init(status: Int, headers: [ChainRequest.Header] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  public var isSuccess: Bool { (200...299).contains(status) }

  /// The body as JSON; nil where it is none.
  public var json: JSONValue? { JSONValue(parsing: body) }

  /// The first field of a name.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Seconds in Retry-After, none to a week; nil where it is missing, or a date.
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
  /// One sentence that names the host only, and says what to do.
  public let text: String

  public init(_ kind: Kind, cause: ChainFailure.Cause? = nil, _ text: String) {
    self.kind = kind
    self.cause = cause
    self.text = text
  }

  public var description: String { text }

  /// What it means to a flow.
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

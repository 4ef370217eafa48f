import Web
import OutsideNumber

/// Why a chain ended without an answer.
public struct ChainFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a program can act on. org.modemd.Check defines the names.
  public enum Cause: String, Sendable, CaseIterable {
    case noModem, portUnavailable, simAbsent, simLocked, simNotReady, notRegistered, bearerRefused, noAddress
    case modemFailed, bearerLost, dnsFailed, connectFailed, tlsFailed, tooManyRedirects, redirectLoop, badRedirect
    case refusedByPolicy, timeout, tooLarge, badAnswer, stateMismatch, interactionRequired, possibleCaptivePortal
    case cancelled, rateLimited
  }

  public let cause: Cause
  /// From 1; nil before the first hop.
  public let hop: Int?
  /// One sentence that only names hosts: what happened, and what to do.
  public let text: String
  /// With `rateLimited`: seconds until the server accepts requests again, 0 to a week; nil if it
  /// gave no time.
  public let retryAfter: Int?
  /// With `rateLimited` and `badRedirect`: the server's answer; for a redirect, without its body.
  public let answer: ChainAnswer?
  /// Whether the failed hop's request was not sent, so that its server cannot have received it.
  public let isUnsent: Bool

  public init(
    _ cause: Cause, hop: Int? = nil, retryAfter: Int? = nil, answer: ChainAnswer? = nil, isUnsent: Bool = false,
    _ text: String
  ) {
    self.cause = cause
    self.hop = hop
    self.text = text
    self.retryAfter = retryAfter.map { RetryDelay.bounded($0) }
    self.answer = answer
    self.isUnsent = isUnsent
  }

  public var description: String { text }
}

/// An HTTP answer of any status, from any server.
///
/// Its content is only for code that passes it on, which imports this module with
/// `@_spi(Exchange)`. A flow reads it only through `verified(from:)`, with the origins that it
/// trusts, and treats unauthenticated content as `Hearsay` (both in AuthCore).
public struct ChainAnswer: Hashable, Sendable {
  public let status: Int
  public let contentType: String?
  /// Nil for an answer that did not come from an exchange.
  public let source: AnswerSource?
  @_spi(Exchange) public let body: [UInt8]
  /// All its fields, including secret ones: not for logs.
  @_spi(Exchange) public let fields: [WebHeader]

  /// - Parameter source: who gave the answer; nil for an untrusted source.
  @_spi(Exchange) public init(
    status: Int, contentType: String?, body: [UInt8], fields: [WebHeader] = [],
    from source: AnswerSource? = nil
  ) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.fields = fields
    self.source = source
  }

  /// All values of a field.
  ///
  /// - Parameter name: in lower case.
  @_spi(Exchange) public func values(_ name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name }.map(\.value)
  }
}

/// How a chain ended.
public enum ChainResult: Hashable, Sendable {
  case answer(ChainAnswer)
  /// The registered URI was reached and not fetched. `by` announced it; nil if no exchange did.
  case redirectReached(uri: String, parameters: [String: String], by: AnswerSource? = nil)
  case failed(ChainFailure)
}

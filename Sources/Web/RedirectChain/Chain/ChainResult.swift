import Web
import OutsideNumber

/// Why a chain ended without an answer.
public struct ChainFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a program can act on. The names are those of org.modemd.Check.
  public enum Cause: String, Sendable, CaseIterable {
    case noModem, portUnavailable, simAbsent, simLocked, simNotReady, notRegistered, bearerRefused, noAddress
    case modemFailed, bearerLost, dnsFailed, connectFailed, tlsFailed, tooManyRedirects, redirectLoop, badRedirect
    case refusedByPolicy, timeout, tooLarge, badAnswer, stateMismatch, interactionRequired, possibleCaptivePortal
    case cancelled, rateLimited
  }

  public let cause: Cause
  /// From 1; nil before the first hop.
  public let hop: Int?
  /// One sentence that names hosts only: what happened, and what to do.
  public let text: String
  /// With `rateLimited`: seconds until the server wants to be asked again, 0 to a week; nil when it did not say.
  public let retryAfter: Int?
  /// With `rateLimited` and `badRedirect`: what the server answered; of a redirect without its body.
  public let answer: ChainAnswer?
  /// Whether the failed hop's request did not leave, so that its server cannot have received it.
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

/// An HTTP answer of any status, by somebody.
///
/// What it says is for those who pass it on, who import this module with `@_spi(Exchange)`. A flow reads it through `verified(from:)` alone, with
/// the origins whose word counts, and what nobody vouches for as `Hearsay` (both in AuthCore).
public struct ChainAnswer: Hashable, Sendable {
  public let status: Int
  public let contentType: String?
  /// Nil for an answer that no exchange gave.
  public let source: AnswerSource?
  @_spi(Exchange) public let body: [UInt8]
  /// All its fields, secret ones among them: not for logs.
  @_spi(Exchange) public let fields: [WebHeader]

  /// - Parameter source: who gave it; nil is nobody whose word counts.
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
  /// The registered URI was reached, and not fetched. `by` announced it: nil where no exchange did.
  case redirectReached(uri: String, parameters: [String: String], by: AnswerSource? = nil)
  case failed(ChainFailure)
}

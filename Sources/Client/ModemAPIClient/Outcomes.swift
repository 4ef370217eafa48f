import ModemAPI
import Varlink

/// An outcome is not what its call hoped for; `unwrap()` throws it.
public struct OutcomeError<Outcome: Sendable>: Error, Sendable, CustomStringConvertible {
  public let outcome: Outcome
  public let description: String
}

extension VerifyInterface.Outcome {
  /// Whether the flow did what it is for. A word that this version does not know did not.
  public var succeeded: Bool {
    switch result {
    case .verified, .simUnchanged, .covered, .authorized, .numberRead, .signedIn, .signed, .registered, .answered: true
    default: false
    }
  }

  /// This outcome, if the flow did what it is for.
  ///
  /// - Throws: `OutcomeError` with this outcome, if it did not.
  @discardableResult public func unwrap() throws -> Self {
    guard succeeded else { throw OutcomeError(outcome: self, description: "\(result.rawValue): \(text)") }
    return self
  }
}

extension CheckInterface.Outcome {
  /// Whether there is an answer, of any status, or the redirect URI was reached.
  public var succeeded: Bool { [.answer, .redirectReached].contains(result) }

  /// This outcome, if the chain came to an answer or to the redirect URI.
  ///
  /// - Throws: `OutcomeError` with this outcome, if it did not.
  @discardableResult public func unwrap() throws -> Self {
    guard succeeded else {
      throw OutcomeError(outcome: self, description: "\(result.rawValue): \(failure?.text ?? "no answer")")
    }
    return self
  }
}

extension ReplySequence where Reply: FlowMethodReply {
  /// Reads what is left, and returns the outcome, whatever it says.
  ///
  /// - Throws: as the iterator; `VarlinkClientError.badReply` if the last reply has no outcome.
  public func outcome() async throws -> VerifyInterface.Outcome {
    guard let outcome = try await last().outcome else { throw VarlinkClientError.badReply(method: "\(Reply.self)") }
    return outcome
  }
}

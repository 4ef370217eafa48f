import AuthCore
import ModemModel

/// A provider that gets operator tokens: the SIM answers a challenge of its operator, and the
/// operator gives a token for one operation, which an API of the same operator takes in place of a
/// login over the bearer.
package protocol OperatorTokenSource: Sendable {
  /// The provider's name in the configuration.
  var name: String { get }
  /// Whether it sends anything over the SIM's bearer.
  var needsBearer: Bool { get }

  /// Gets one token. It may cost a call of the SIM.
  ///
  /// - Parameters:
  ///   - operation: the only one that the token is good for.
  ///   - subscriber: the SIM that answers.
  /// - Returns: the outcome `authorized` with the token, else why there is none.
  /// - Throws: what the lanes throw.
  func operatorToken(
    for operation: OperatorTokenOperation, of subscriber: Subscriber, _ run: FlowRun
  ) async throws -> FlowEnd<OperatorToken>
}

extension OperatorTokenSource {
  package var needsBearer: Bool { false }
}

/// What an operator token is good for.
package enum OperatorTokenOperation: Hashable, Sendable, CaseIterable {
  /// The operator tells the SIM's number.
  case phoneNumber
  /// The operator tells whether a number is the SIM's.
  case verify
}

/// A token of the SIM's operator, for one operation. Whoever has it may ask in the SIM's name,
/// once.
package struct OperatorToken: Hashable, Sendable {
  package let secret: Secret
  /// When it ends; nil if the operator does not tell.
  package let end: Timestamp?

  package init(_ secret: Secret, end: Timestamp? = nil) {
    self.secret = secret
    self.end = end
  }
}

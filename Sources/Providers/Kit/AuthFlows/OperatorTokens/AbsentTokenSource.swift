import AuthCore

/// Stands where a provider's file names a source of operator tokens that cannot be used: each
/// question for a token ends with the reason.
package struct AbsentTokenSource: OperatorTokenSource {
  /// The name in the file.
  package let name: String
  private let reason: String

  /// - Parameter reason: one sentence: what is wrong, and what to do.
  package init(name: String, _ reason: String) {
    self.name = name
    self.reason = reason
  }

  package func operatorToken(
    for operation: OperatorTokenOperation, of subscriber: Subscriber, _ run: FlowRun
  ) async throws -> FlowEnd<OperatorToken> { FlowEnd(FlowOutcome(.notConfigured, reason)) }
}

import AuthCore
import AuthFlows
import ModemModel

/// A SIMCheck by an application's backend that another provider's file names. The backend itself
/// decides how far it looks back.
package struct TruIDBackendSIMCheck: SIMChangeChecker {
  package let name: String
  private let backend: TruIDBackend

  /// - Parameter name: its name in outcomes.
  package init(_ backend: SIMCheckBackend, named name: String) {
    self.name = name
    self.backend = TruIDBackend(
      backend.endpoint, user: backend.user, password: backend.password, route: backend.route)
  }

  package func machine(
    for question: SIMChangeQuestion, at now: Timestamp
  ) async throws -> any FlowMachine<SIMChangeAnswer> {
    guard let number = question.number else {
      throw AuthError.invalid("number", "a number, since a backend knows the bearer's by no token")
    }
    return TruIDSIMChangeMachine(number, 0, .backend(backend))
  }
}

import ModemModel
import Synchronization

/// Temporary tokens of an operator (TS.43, 6.5.7): its entitlement server gives them out, and
/// itself or another of the operator's servers takes them, once.
package final class SimulatedOperatorTokens: Sendable {
  /// What a token stands for.
  package struct Grant: Hashable, Sendable {
    /// E.164.
    package var number: String
    /// Operations that it allows, as in `GetPhoneNumber`.
    package var operations: Set<String>
    package var end: Timestamp

    package init(number: String, operations: Set<String>, end: Timestamp) {
      self.number = number
      self.operations = operations
      self.end = end
    }
  }

  /// What a token came to.
  package enum Result: Hashable, Sendable {
    case taken(Grant)
    /// It is not known, too old, or was taken before.
    case unusable
    /// It does not allow this operation, and can be used for another.
    case otherOperation
  }

  private let grants = Mutex<[String: Grant]>([:])

  package init() {}

  package func give(_ token: String, _ grant: Grant) { grants.withLock { $0[token] = grant } }

  /// Takes a token for one operation; it works once.
  package func take(_ token: String, for operation: String, at now: Timestamp) -> Result {
    grants.withLock { grants in
      guard let grant = grants[token], now < grant.end else { return .unusable }
      guard grant.operations.contains(operation) else { return .otherOperation }
      grants[token] = nil
      return .taken(grant)
    }
  }
}

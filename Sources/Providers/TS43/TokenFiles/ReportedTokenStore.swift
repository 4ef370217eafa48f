import AuthCore
import Synchronization
import TS43Flows

/// A store whose failures somebody is told. Flows go on without a store that fails, so that nobody
/// would see that the SIM is asked each time.
package final class ReportedTokenStore: EntitlementTokenStore {
  private let store: any EntitlementTokenStore
  private let report: @Sendable (AuthError) -> Void
  private let isFailing = Mutex(false)

  /// - Parameters:
  ///   - store: which keeps the tokens.
  ///   - report: gets the first failure, and none after it until the store has worked again.
  package init(_ store: any EntitlementTokenStore, report: @escaping @Sendable (AuthError) -> Void) {
    self.store = store
    self.report = report
  }

  package func token(for key: EntitlementTokenKey) async throws(AuthError) -> EntitlementToken? {
    try await watched { () async throws(AuthError) in try await store.token(for: key) }
  }

  package func keep(_ token: EntitlementToken, for key: EntitlementTokenKey) async throws(AuthError) {
    try await watched { () async throws(AuthError) in try await store.keep(token, for: key) }
  }

  package func forget(_ token: Secret, for key: EntitlementTokenKey) async throws(AuthError) {
    try await watched { () async throws(AuthError) in try await store.forget(token, for: key) }
  }

  private func watched<Value: Sendable>(_ body: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
    do throws(AuthError) {
      let value = try await body()
      isFailing.withLock { $0 = false }
      return value
    } catch {
      let isFirst = isFailing.withLock { isFailing in
        defer { isFailing = true }
        return !isFailing
      }
      if isFirst { report(error) }
      throw error
    }
  }
}

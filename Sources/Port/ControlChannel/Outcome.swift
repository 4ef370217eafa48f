import ModemModel

/// The outcome of a question that is asked beside others, for `async let`, which carries no typed
/// error.
package func outcome<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation, _ ask: () async throws(ModemError) -> Value
) async -> Result<Value, ModemError> {
  do throws(ModemError) {
    return .success(try await ask())
  } catch {
    return .failure(error)
  }
}

import AuthCore
import AuthFlows

/// One call of a flow's method, with the modem and the provider found for it.
package struct FlowCall<Provider: Sendable>: Sendable {
  /// The choice of what to ask; for a provider of one kind, its settings for the SIM's network.
  package let provider: Provider
  /// The provider's name in the configuration; nil if several may be asked.
  package let name: String?
  /// All that are configured.
  package let providers: ProviderSet
  package let subscriber: Subscriber
  package let run: FlowRun
  /// Whether the caller can be asked for something, which requires that it accepts more than one
  /// reply.
  package let canAsk: Bool
  /// Whether the caller may see what the SIM itself says of its identity.
  package let seesSIM: Bool
}

extension SubscriberNumber {
  /// Reads a number that a caller gave.
  ///
  /// - Throws: `AuthError` `invalidArgument`.
  package init(argument text: String, named argument: String = "number") throws {
    do {
      try self.init(text)
    } catch {
      throw AuthError.invalid(
        argument, "a number with its country's code, + or 00 and 7 to 15 digits, as in +447700900123")
    }
  }
}

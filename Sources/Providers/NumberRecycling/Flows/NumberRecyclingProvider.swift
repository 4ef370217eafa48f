import AuthCore
import AuthFlows
import CAMARACommonalities
import ModemModel

/// A configured operator: makes machines with fresh secrets.
package struct NumberRecyclingProvider: Sendable {
  private let settings: NumberRecyclingSettings

  package init(_ settings: NumberRecyclingSettings) { self.settings = settings }

  /// A machine for one question.
  ///
  /// - Parameters:
  ///   - number: nil for the SIM in this machine.
  ///   - day: since when the subscriber may have changed.
  ///   - subscriber: the SIM in this machine.
  /// - Throws: `AuthError` where the number is missing or may not be given, and where the client's
  ///   key cannot sign.
  package func machine(
    for number: SubscriberNumber?, since day: CalendarDay, of subscriber: Subscriber, at now: Timestamp
  ) async throws(AuthError) -> NumberRecyclingMachine {
    let isSubscribers = try settings.token.usesSubscriberToken(for: number, of: subscriber)
    let proof = try await settings.server.proof(at: now)
    let grant: CAMARAAccess.Grant =
      isSubscribers ? .subscriber(AuthorizationTicket(settings.server.tools), loginHint: nil) : .client
    return NumberRecyclingMachine(
      isSubscribers ? nil : number, since: day, settings, grant, proof, correlator: settings.server.correlator())
  }
}

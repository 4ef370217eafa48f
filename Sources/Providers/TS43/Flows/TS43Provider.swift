import AuthCore
import AuthFlows
import ModemModel

/// A configured entitlement server, as the flows use it.
package struct TS43Provider: Sendable {
  private let settings: TS43Settings

  package init(_ settings: TS43Settings) { self.settings = settings }

  /// Asks the server: with a kept token, or else after a login with the SIM.
  ///
  /// - Throws: what the lanes throw.
  package func run(
    _ operation: TS43Operation, of subscriber: Subscriber, _ run: FlowRun
  ) async throws -> FlowEnd<TS43Answer> {
    FlowEnd(FlowOutcome(.notConfigured, "logins at an entitlement server are not there yet"))
  }
}

import ModemService

/// Counts what passes over the bearers, by user and purpose, and refuses what is not allowed.
package final class TrafficLedger: Sendable {
  package init() {}

  /// Opens an account, if the destination is allowed and no budget is spent.
  package func open(_ request: TrafficRequest) throws(TrafficRefusal) -> TrafficAccount {
    TrafficAccount(id: "0", request: request)
  }
}

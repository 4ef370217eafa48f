import NetworkAddress
import Synchronization

/// The bytes of one connection, or of one chain or flow.
package final class TrafficAccount: Sendable {
  /// Why an account was ended from outside.
  package enum End: Hashable, Sendable {
    /// Its budget is spent.
    case budgetSpent
    /// Someone asked for it (org.modemd.Usage.EndSocket).
    case requested
    /// Its bearer was lost.
    case bearerLost
  }

  /// Identifies it while modemd runs.
  package let id: String
  package let request: TrafficRequest

  init(id: String, request: TrafficRequest) {
    self.id = id
    self.request = request
  }

  /// Whether the administrator lets the caller reach an address, after its name was resolved. It
  /// comes on top of what no chain may reach.
  package func allows(_ address: IPAddress) -> Bool { true }

  /// Asks for bytes ahead of moving them: for what is about to be written, and for no longer than
  /// that, since others cannot use what is reserved. Fewer bytes than asked for mean that the
  /// budget ends with them; what exceeds them must not be moved.
  ///
  /// - Returns: how many may be moved, at most `wanted`; 0 if the budget is spent.
  package func reserve(_ wanted: Int) -> Int { wanted }

  /// Bytes were moved. What was reserved and not taken is free again.
  package func took(sent: Int, received: Int, ofReserved reserved: Int) {}

  /// The kernel's counters of a socket that was handed over, since its beginning.
  package func note(sentTotal: Int, receivedTotal: Int) {}

  /// The addresses of the connection, and its SO_COOKIE, when they are known.
  package func connected(source: IPAddress, address: IPAddress?, cookie: UInt64?) {}

  /// Runs once, if the account is ended from outside. Runs at once if that has happened.
  package func onEnd(_ body: @escaping @Sendable (End) -> Void) {}

  /// The connection is over.
  package func close() {}
}

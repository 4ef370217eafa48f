import NetworkAddress

/// The bytes of one connection. It ends with `close`, or with the last reference to it; one whose
/// cookie is known belongs to another process, and ends when the kernel does not have it any more.
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
  private let ledger: TrafficLedger
  private let rules: [DestinationRule]
  private let allowed: Set<IPAddress>

  init(
    id: String, request: TrafficRequest, _ ledger: TrafficLedger, rules: [DestinationRule], allowed: Set<IPAddress>
  ) {
    self.id = id
    self.request = request
    self.ledger = ledger
    self.rules = rules
    self.allowed = allowed
  }

  deinit { ledger.abandon(id) }

  /// Whether the administrator lets the caller reach an address, after its name was resolved. It
  /// comes on top of what no chain may reach. Behind a translator (NAT64), ask for the IPv4 address
  /// as well, if the prefix is the network's own.
  package func allows(_ address: IPAddress) -> Bool {
    allowed.contains(address) || rules.contains { $0.allows(address) }
  }

  /// Asks for bytes ahead of moving them: for what is about to be written, and for no longer than
  /// that, since others cannot use what is reserved. Fewer bytes than asked for mean that the
  /// budget ends with them; what exceeds them must not be moved.
  ///
  /// - Returns: how many may be moved, at most `wanted`; 0 if the budget is spent, and after the
  ///   account's end.
  package func reserve(_ wanted: Int) -> Int { ledger.reserve(wanted, id) }

  /// Bytes were moved. What was reserved and not taken is free again.
  package func took(sent: Int, received: Int, ofReserved reserved: Int) {
    ledger.took(sent: sent, received: received, ofReserved: reserved, id)
  }

  /// Bytes were moved for the connection that are none of the program's, such as questions about
  /// names. They count as all others, and are not shown as the connection's own.
  package func tookAside(sent: Int, received: Int) { ledger.tookAside(sent: sent, received: received, id) }

  /// The kernel's counters of a socket that was handed over, since its beginning.
  package func note(sentTotal: Int, receivedTotal: Int) { ledger.note(sentTotal, receivedTotal, id) }

  /// The addresses of the connection, and its SO_COOKIE, when they are known. With a cookie, the
  /// connection is one that is handed over, and the ledger follows it by itself.
  package func connected(source: IPAddress, address: IPAddress?, cookie: UInt64?) {
    ledger.connected(source, address, cookie, id)
  }

  /// Runs once, if the account is ended from outside. Runs at once if that has happened.
  package func onEnd(_ body: @escaping @Sendable (End) -> Void) { ledger.onEnd(body, id) }

  /// The connection is over.
  package func close() { ledger.close(id) }
}

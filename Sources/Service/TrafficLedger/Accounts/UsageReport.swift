import ModemModel
import NetworkAddress

/// An open socket or stream.
package struct BearerSocket: Hashable, Sendable {
  package let id: String
  package let user: UInt32
  package let request: TrafficRequest
  package let program: String?
  package let opened: Timestamp
  package let source: IPAddress?
  package let address: IPAddress?
  package let sent: Int
  package let received: Int
  /// Whether the kernel does not count its bytes.
  package let isUncounted: Bool

  init(_ id: String, _ account: OpenAccount) {
    self.id = id
    user = account.user
    request = account.request
    program = account.program
    opened = account.opened
    source = account.source
    address = account.address
    sent = account.sent
    received = account.received
    isUncounted = account.request.isDatagram && account.request.purpose == .sockets
  }
}

/// What was used.
package struct UsageReport: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package let key: TrafficKey
    package let counts: TrafficCounts

    var order: (String, UInt32, String) { (key.modem, key.user ?? .max, key.purpose.rawValue) }
  }

  package struct Day: Hashable, Sendable {
    package let day: CivilDay
    package let rows: [Row]
  }

  /// Since the bearers that are up came up.
  package let bearer: [Row]
  /// Since the first day of this month.
  package let month: [Row]
  /// The latest first.
  package let days: [Day]
}

/// A budget of a user.
package struct Budget: Hashable, Sendable {
  /// Its key in the settings.
  package let key: String
  package let kind: BudgetKind
  package let user: UInt32
  package let limit: Int
  package let used: Int
  /// When it starts anew; nil for connections at one time.
  package let resets: Timestamp?
}

/// A budget has passed 80 %, or is spent.
package struct BudgetEvent: Hashable, Sendable {
  package let isSpent: Bool
  package let budget: Budget
}

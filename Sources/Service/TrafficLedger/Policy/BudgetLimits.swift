import ModemService

/// How much a user may have over all bearers of this machine; nil for any amount.
package struct BudgetLimits: Hashable, Sendable {
  /// Bytes in both directions together, without the headers of IP and TCP.
  package var dayBytes: Int?
  package var monthBytes: Int?
  /// Of the day's bytes, those while roaming.
  package var roamingDayBytes: Int?
  /// Sockets, streams and connections of the proxy at one time.
  package var connections: Int?
  package var dayConnections: Int?

  package init(
    dayBytes: Int? = nil, monthBytes: Int? = nil, roamingDayBytes: Int? = nil, connections: Int? = nil,
    dayConnections: Int? = nil
  ) {
    self.dayBytes = dayBytes
    self.monthBytes = monthBytes
    self.roamingDayBytes = roamingDayBytes
    self.connections = connections
    self.dayConnections = dayConnections
  }

  subscript(_ kind: BudgetKind) -> Int? {
    switch kind {
    case .dayBytes: dayBytes
    case .monthBytes: monthBytes
    case .roamingDayBytes: roamingDayBytes
    case .connections: connections
    case .dayConnections: dayConnections
    }
  }
}

/// A budget, by its key in the settings.
package enum BudgetKind: String, CaseIterable, Hashable, Sendable {
  case dayBytes, monthBytes, roamingDayBytes, connections, dayConnections

  package var isOfBytes: Bool { self != .connections && self != .dayConnections }
}

/// The limits of one user, each with the key that it has in the settings.
struct UserLimits: Hashable, Sendable {
  struct Limit: Hashable, Sendable {
    let key: String
    let amount: Int
  }

  private(set) var limits: [BudgetKind: Limit] = [:]

  static let none = UserLimits()

  private init() {}

  /// If several groups have entries, the user has the largest limit of each kind; a group without
  /// one has no limit.
  init(_ entries: [ByCaller<BudgetLimits>.Entry]) {
    for kind in BudgetKind.allCases {
      let given = entries.map { entry in entry.value[kind].map { Limit(key: "\(entry.key).\(kind)", amount: $0) } }
      guard !given.contains(nil), let largest = given.compactMap(\.self).max(by: { $0.amount < $1.amount }) else {
        continue
      }
      limits[kind] = largest
    }
  }

  subscript(_ kind: BudgetKind) -> Limit? { limits[kind] }

  /// How many bytes are written down ahead of being moved: what a crash may cost a user. Never more
  /// than 1/8192 of the smallest limit, if that is at least 4 KiB.
  var block: Int {
    let smallest = limits.filter { $0.key.isOfBytes }.map(\.value.amount).min() ?? .max
    return min(max(smallest / 8192, 4096), 1 << 16)
  }
}

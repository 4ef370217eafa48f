import ModemService

/// What one user has used of the present day and month, and what is promised to open connections.
struct BudgetMeter: Sendable {
  /// How far a budget is used.
  enum Level: Int, Comparable, Sendable {
    case free, warned, spent

    static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
  }

  var groups: Set<UInt32>
  var limits: UserLimits
  var used: BudgetCounts
  /// Connections at this time.
  var openConnections = 0
  /// Bytes that may be on their way: reserved, and neither moved nor returned.
  private(set) var reserved = 0
  /// Whether any of it is for a connection that is roaming.
  private(set) var isReservedRoaming = false
  /// Counted bytes that the file does not have yet.
  private(set) var unwritten = 0
  private(set) var unwrittenRows: UsageBook.Rows = [:]
  /// Bytes that count as used if this process is killed now, beyond those in the file.
  private(set) var lease = 0
  private(set) var isLeaseRoaming = false
  /// What the user was told of each budget.
  private var told: [BudgetKind: Level] = [:]

  init(groups: Set<UInt32>, limits: UserLimits, used: BudgetCounts) {
    self.groups = groups
    self.limits = limits
    self.used = used
  }

  func amount(of kind: BudgetKind) -> Int {
    switch kind {
    case .dayBytes: used.dayBytes
    case .monthBytes: used.monthBytes
    case .roamingDayBytes: used.roamingDayBytes
    case .connections: openConnections
    case .dayConnections: used.dayConnections
    }
  }

  /// The budget that has the fewest bytes left for a connection, counting what is reserved; nil if
  /// none has an end.
  func tightest(isRoaming: Bool) -> (kind: BudgetKind, left: Int)? {
    BudgetKind.allCases.compactMap { kind -> (kind: BudgetKind, left: Int)? in
      guard kind.isOfBytes, isRoaming || kind != .roamingDayBytes, let limit = limits[kind] else { return nil }
      return (kind, max(limit.amount - amount(of: kind).plus(reserved), 0))
    }.min { $0.left < $1.left }
  }

  /// A budget of bytes of which nothing is left, whatever is reserved.
  func spentBytes(isRoaming: Bool) -> BudgetKind? {
    BudgetKind.allCases.first { kind in
      guard kind.isOfBytes, isRoaming || kind != .roamingDayBytes, let limit = limits[kind] else { return false }
      return amount(of: kind) >= limit.amount
    }
  }

  mutating func reserve(_ bytes: Int, isRoaming: Bool) {
    reserved = reserved.plus(bytes)
    isReservedRoaming = isReservedRoaming || isRoaming
  }

  mutating func release(_ bytes: Int) {
    reserved = max(reserved.plus(-bytes), 0)
    if reserved == 0 { isReservedRoaming = false }
  }

  mutating func count(_ counts: TrafficCounts, for key: TrafficKey) {
    used.add(counts, for: key.purpose)
    unwritten = unwritten.plus(counts.bytes)
    unwrittenRows[key, default: TrafficCounts()] += counts
  }

  /// Whether the file must know more before anything else is moved.
  var needsWriting: Bool { unwritten.plus(reserved) > lease }

  /// The lease that the file should have now.
  func newLease(isIdle: Bool) -> Int { isIdle && reserved == 0 ? 0 : reserved.plus(limits.block) }

  /// The file has everything, with this lease.
  mutating func wrote(lease: Int, isRoaming: Bool) {
    (unwritten, unwrittenRows) = (0, [:])
    self.lease = lease
    isLeaseRoaming = isRoaming && lease > 0
  }

  /// The budgets that passed a mark since this was asked last.
  mutating func passedMarks() -> [(kind: BudgetKind, level: Level)] {
    guard !limits.limits.isEmpty else { return [] }
    var passed: [(kind: BudgetKind, level: Level)] = []
    for kind in BudgetKind.allCases {
      // How many connections are open at one time changes all the time, and who asks is told.
      guard kind != .connections, let limit = limits[kind] else { continue }
      let level = Self.level(of: amount(of: kind), limit.amount)
      if level > told[kind] ?? .free { passed.append((kind, level)) }
      told[kind] = level
    }
    return passed
  }

  private static func level(of used: Int, _ limit: Int) -> Level {
    if used >= limit { return .spent }
    // Without a product that could overflow.
    return used >= limit - limit / 5 ? .warned : .free
  }
}

/// What counts against budgets.
struct BudgetCounts: Hashable, Codable, Sendable {
  var dayBytes = 0
  var monthBytes = 0
  var roamingDayBytes = 0
  var dayConnections = 0

  var isZero: Bool { self == BudgetCounts() }

  /// Bytes of any purpose count. Connections count if a user asks for each of them.
  mutating func add(_ counts: TrafficCounts, for purpose: TrafficPurpose) {
    add(bytes: counts.bytes, roaming: counts.roaming)
    if purpose.isRefused { dayConnections = dayConnections.plus(counts.connections) }
  }

  private mutating func add(bytes: Int, roaming: Int) {
    dayBytes = dayBytes.plus(bytes)
    monthBytes = monthBytes.plus(bytes)
    roamingDayBytes = roamingDayBytes.plus(roaming)
  }

  /// Bytes that a killed process may have moved.
  mutating func add(lease: Int, isRoaming: Bool) {
    add(bytes: lease, roaming: isRoaming ? lease : 0)
  }

  /// A day begins, perhaps of another month.
  mutating func beginDay(ofNewMonth isNewMonth: Bool) {
    self = BudgetCounts(monthBytes: isNewMonth ? 0 : monthBytes)
  }
}

extension BudgetCounts {
  init(monthBytes: Int) {
    self.init()
    self.monthBytes = monthBytes
  }
}

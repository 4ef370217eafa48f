import LimitClock
import ModemModel
import ModemService
import NetworkAddress
import Synchronization

/// Counts what passes over the bearers, by user and purpose, and refuses what is not allowed.
///
/// Whoever reserves before moving bytes cannot pass a budget, however many do so at once.
package final class TrafficLedger: Sendable {
  /// What the ledger needs of the machine.
  package struct Means: Sendable {
    /// Where the ledger is kept; nil for memory alone.
    package var folder: String?
    package var now: @Sendable () -> Timestamp = Timestamp.now
    package var calendar = LocalCalendar.machine
    package var clock = LimitClock.machine
    /// A user's groups, where no caller told them.
    package var groups: @Sendable (_ userID: UInt32) -> Set<UInt32> = { _ in [] }
    /// Gets one sentence for the journal.
    package var tell: @Sendable (String) -> Void = { _ in }
    /// The same for a budget that passed a mark; nil for `tell`.
    package var tellOfBudget: (@Sendable (_ text: String, _ isSpent: Bool) -> Void)?

    package init(folder: String? = nil) { self.folder = folder }
  }

  struct State {
    var policy: TrafficPolicy
    /// The day that counts, with the moments in which it need not be looked up again.
    var day: CivilDay
    var dayRange: Range<Timestamp>
    var dayBegan: LimitClock.Instant
    var monthBegan: LimitClock.Instant
    var isClockBackTold = false
    var meters: [UInt32: BudgetMeter] = [:]
    var book = UsageBook()
    var accounts: [String: OpenAccount] = [:]
    var lastNumber: UInt64 = 0
    var totals = TrafficTotals()
    var roamingModems: Set<String> = []
    var upBearers: Set<String> = []
    var watchers: [UInt64: (user: UInt32?, AsyncStream<BudgetEvent>.Continuation)] = [:]
    var descriptorNews: AsyncStream<DescriptorNews>.Continuation?
    /// What is to be done when the lock is free.
    var after: [@Sendable () -> Void] = []
  }

  /// As whom modemd counts what it does for itself: no user has this id.
  static let itself = UInt32.max
  /// How long a day lasts at least while the clock is behind it.
  static let longestDay = Duration.seconds(24 * 3600)
  static let longestMonth = Duration.seconds(31 * 24 * 3600)

  let means: Means
  let files: LedgerFiles?
  private let state: Mutex<State>

  /// Reads what was kept, and blocks meanwhile.
  package init(policy: TrafficPolicy = TrafficPolicy(), means: Means = Means()) {
    self.means = means
    files = means.folder.map { LedgerFiles(folder: $0, tell: means.tell) }
    let content = files?.load() ?? LedgerContent()
    let now = means.now()
    let (day, range) = means.calendar.span(of: now)
    let instant = means.clock.now
    var state = State(policy: policy, day: content.day ?? day, dayRange: range, dayBegan: instant, monthBegan: instant)
    state.book = content.book
    for (user, counts) in content.users {
      state.meters[user] = BudgetMeter(groups: [], limits: .none, used: counts)
    }
    self.state = Mutex(state)
    // With the rests of the last process's leases.
    _ = files?.beginJournal(isStart: true)
    change { state in
      // Not looked up yet with the day of the file.
      state.dayRange = now..<now
      roll(&state)
      for user in state.meters.keys { update(user, groups: groups(of: user, in: state.policy), &state) }
    }
  }

  /// Changes the state, then does what the change left to do.
  @discardableResult
  func change<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    let (result, after) = try state.withLock { state in
      let result = try body(&state)
      defer { state.after = [] }
      return (result, state.after)
    }
    for one in after { one() }
    return result
  }

  /// Other budgets and destinations apply from now on. What was opened goes on, if its user's bytes
  /// are not spent.
  package func change(to policy: TrafficPolicy) {
    let users = change { state in
      state.policy = policy
      return Array(state.meters.keys)
    }
    // Outside of the lock: it may ask a server.
    let memberships = policy.budgets.groups.isEmpty ? [:] : users.reduce(into: [:]) { $0[$1] = means.groups($1) }
    change { state in
      for user in state.meters.keys {
        let groups = state.meters[user]?.groups ?? []
        update(user, groups: groups.isEmpty ? memberships[user] ?? [] : groups, &state)
        look(at: user, &state)
      }
    }
  }

  /// A user's groups, for entries that name groups.
  func groups(of user: UInt32, in policy: TrafficPolicy) -> Set<UInt32> {
    policy.budgets.groups.isEmpty || user == Self.itself ? [] : means.groups(user)
  }

  /// Makes a user's meter, or gives it the limits that apply now.
  func update(_ user: UInt32, groups: Set<UInt32>, _ state: inout State) {
    let limits =
      user == Self.itself
      ? UserLimits.none : UserLimits(state.policy.budgets.entries(for: user, in: groups))
    var meter = state.meters[user] ?? BudgetMeter(groups: groups, limits: limits, used: BudgetCounts())
    meter.groups = groups
    meter.limits = limits
    state.meters[user] = meter
  }

  // MARK: - Opening

  /// Opens an account, if the destination is allowed and no budget is spent.
  ///
  /// - Throws: `TrafficRefusal`, if the purpose is one that can be refused.
  package func open(_ request: TrafficRequest) throws(TrafficRefusal) -> TrafficAccount {
    let user = request.caller?.userID ?? Self.itself
    var groups = request.caller?.groupIDs ?? []
    if groups.isEmpty, user != Self.itself, change({ $0.policy.namesGroups }) { groups = means.groups(user) }
    let program = request.purpose.isRefused ? request.processID.flatMap { ProcessName.find($0) } : nil
    let result = change { [groups] state -> Result<TrafficAccount, TrafficRefusal> in
      roll(&state)
      update(user, groups: groups, &state)
      let rules = state.policy.rules(for: user, in: groups)
      if request.purpose.isRefused {
        if let refusal = Self.refusal(of: request, rules) { return .failure(refusal) }
        if let refusal = budgetRefusal(of: request, user, state) { return .failure(refusal) }
      }
      let id = Self.newID(state)
      state.lastNumber += 1
      state.accounts[id] = OpenAccount(
        request: request, user: user, opened: means.now(), number: state.lastNumber, program: program)
      if request.purpose.isRefused { state.meters[user]?.openConnections += 1 }
      count(TrafficCounts(connections: 1), id, &state)
      if state.meters[user]?.limits[.dayConnections] != nil { write(user, &state) }
      let account = TrafficAccount(
        id: id, request: request, self, rules: rules.map(\.value), allowed: state.policy.allowedAddresses)
      return .success(account)
    }
    return try result.get()
  }

  /// Random, since a number would tell how many others have.
  private static func newID(_ state: State) -> String {
    while true {
      let digits = String(UInt64.random(in: 0..<1 << 48), radix: 16)
      let id = String(repeating: "0", count: max(12 - digits.count, 0)) + digits
      if state.accounts[id] == nil { return id }
    }
  }

  private static func refusal(
    of request: TrafficRequest, _ rules: [ByCaller<DestinationRule>.Entry]
  ) -> TrafficRefusal? {
    var first: String?
    for rule in rules {
      if request.purpose == .sockets, !rule.value.allowsSockets {
        first =
          first
          ?? "\(rule.key) names this user's destinations, and a socket that is handed over can be connected to others; open a stream or use the proxy, or have \(rule.key).allowsSockets set"
        continue
      }
      guard let host = request.host else { return nil }
      guard let key = rule.value.refusal(of: host, port: request.port) else { return nil }
      first =
        first
        ?? (rule.key.isEmpty
          ? "it is no public address; usage.destinations in the settings says who may reach others"
          : "\(rule.key).\(key) does not allow it")
    }
    return first.map { .destination(text: $0) }
  }

  private func budgetRefusal(of request: TrafficRequest, _ user: UInt32, _ state: State) -> TrafficRefusal? {
    guard let meter = state.meters[user] else { return nil }
    let spent =
      [BudgetKind.connections, .dayConnections].first { kind in
        meter.limits[kind].map { meter.amount(of: kind) >= $0.amount } ?? false
      } ?? meter.spentBytes(isRoaming: isRoaming(request, state))
    guard let spent, let limit = meter.limits[spent] else { return nil }
    let resets = resets(spent, state)
    let text =
      spent == .connections
      ? "\(limit.amount) connections are open already, which is all that \(limit.key) allows; close one"
      : "\(limit.key), \(limit.amount) \(spent.isOfBytes ? "bytes" : "connections"), is spent"
    return .budget(name: limit.key, resets: resets, text: text)
  }

  func isRoaming(_ request: TrafficRequest, _ state: State) -> Bool {
    request.isRoaming || state.roamingModems.contains(request.modem)
  }

  /// When a budget starts anew; nil for connections at one time.
  func resets(_ kind: BudgetKind, _ state: State) -> Timestamp? {
    switch kind {
    case .dayBytes, .roamingDayBytes, .dayConnections: means.calendar.nextDay(after: state.day)
    case .monthBytes: means.calendar.nextMonth(after: state.day)
    case .connections: nil
    }
  }
}

import LimitClock
import ModemModel
import ModemService
import NetworkAddress

extension TrafficLedger {
  // MARK: - An account's bytes

  func reserve(_ wanted: Int, _ id: String) -> Int {
    guard wanted > 0 else { return 0 }
    return change { state in
      roll(&state)
      guard let account = state.accounts[id], account.end == nil, let meter = state.meters[account.user] else {
        return 0
      }
      let isRoaming = isRoaming(account.request, state)
      let left = account.request.purpose.isRefused ? meter.tightest(isRoaming: isRoaming)?.left ?? .max : .max
      let granted = min(wanted, left)
      guard granted > 0 else { return 0 }
      state.meters[account.user]?.reserve(granted, isRoaming: isRoaming)
      state.accounts[id]?.reserved = account.reserved.plus(granted)
      if state.meters[account.user]?.needsWriting == true { write(account.user, &state) }
      return granted
    }
  }

  func took(sent: Int, received: Int, ofReserved reserved: Int, _ id: String) {
    change { state in
      roll(&state)
      guard let account = state.accounts[id] else { return }
      let released = min(max(reserved, 0), account.reserved)
      state.meters[account.user]?.release(released)
      state.accounts[id]?.reserved = account.reserved - released
      count(TrafficCounts(sent: max(sent, 0), received: max(received, 0)), id, &state)
    }
  }

  func tookAside(sent: Int, received: Int, _ id: String) {
    change { state in
      roll(&state)
      guard let account = state.accounts[id] else { return }
      var counts = TrafficCounts(sent: max(sent, 0), received: max(received, 0))
      if isRoaming(account.request, state) { counts.roaming = counts.bytes }
      count(counts, for: account.key, account.user, &state)
    }
  }

  func note(_ sentTotal: Int, _ receivedTotal: Int, _ id: String) {
    change { state in
      roll(&state)
      note(sentTotal, receivedTotal, id, &state)
    }
  }

  /// The kernel's counters never go back: what is less than before was read earlier.
  func note(_ sentTotal: Int, _ receivedTotal: Int, _ id: String, _ state: inout State) {
    guard let account = state.accounts[id] else { return }
    let sent = max(max(sentTotal, 0) - account.sent, 0)
    let received = max(max(receivedTotal, 0) - account.received, 0)
    guard sent > 0 || received > 0 else { return }
    count(TrafficCounts(sent: sent, received: received), id, &state)
  }

  /// Counts what was moved without a reservation, for what budgets do not refuse.
  ///
  /// - Parameter connections: how many were opened for it.
  package func count(
    sent: Int, received: Int, connections: Int = 0, of caller: UInt32?, modem: String, purpose: TrafficPurpose
  ) {
    let user = caller ?? Self.itself
    let isKnown = change { state in state.meters[user] != nil }
    let groups = isKnown ? [] : means.groups(user)
    change { state in
      roll(&state)
      if state.meters[user] == nil { update(user, groups: groups, &state) }
      var counts = TrafficCounts(sent: max(sent, 0), received: max(received, 0), connections: max(connections, 0))
      if state.roamingModems.contains(modem) { counts.roaming = counts.bytes }
      count(counts, for: TrafficKey(modem: modem, user: caller, purpose: purpose), user, &state)
    }
  }

  func count(_ counts: TrafficCounts, _ id: String, _ state: inout State) {
    guard let account = state.accounts[id] else { return }
    state.accounts[id]?.sent = account.sent.plus(counts.sent)
    state.accounts[id]?.received = account.received.plus(counts.received)
    var counts = counts
    if isRoaming(account.request, state) { counts.roaming = counts.bytes }
    count(counts, for: account.key, account.user, &state)
  }

  private func count(_ counts: TrafficCounts, for key: TrafficKey, _ user: UInt32, _ state: inout State) {
    state.book.add(counts, for: key, on: state.day)
    state.totals.add(counts, for: key)
    state.meters[user]?.count(counts, for: key)
    if state.meters[user]?.needsWriting == true { write(user, &state) }
    look(at: user, &state)
  }

  // MARK: - Marks

  /// Tells of budgets that passed a mark, and ends what cannot be held otherwise.
  func look(at user: UInt32, _ state: inout State) {
    guard let passed = state.meters[user]?.passedMarks(), !passed.isEmpty else { return }
    for (kind, level) in passed {
      guard let limit = state.meters[user]?.limits[kind], let budget = budget(kind, of: user, state) else { continue }
      let isSpent = level == .spent
      let event = BudgetEvent(isSpent: isSpent, budget: budget)
      let readers = state.watchers.values.filter { $0.user == nil || $0.user == user }.map(\.1)
      let resets = budget.resets.map { "; it starts anew at \($0)" } ?? ""
      let text =
        "user \(user) has used \(isSpent ? "all" : "80 %") of \(limit.key), \(limit.amount) \(kind.isOfBytes ? "bytes" : "connections")\(resets)"
      state.after.append { [means] in
        for reader in readers { reader.yield(event) }
        if let tell = means.tellOfBudget { tell(text, isSpent) } else { means.tell(text) }
      }
    }
    endSpent(user, &state)
  }

  /// Ends the sockets of a user whose bytes are spent. Streams ask before they move anything.
  private func endSpent(_ user: UInt32, _ state: inout State) {
    guard let meter = state.meters[user] else { return }
    for (id, account) in state.accounts
    where account.user == user && account.request.purpose == .sockets
      && meter.spentBytes(isRoaming: isRoaming(account.request, state)) != nil
    {
      end(id, .budgetSpent, &state)
    }
  }

  // MARK: - Time

  /// Begins another day if it is one. A clock that was set back gives no budget anew: the day goes
  /// on until the clock has passed it, or a day's time is over.
  func roll(_ state: inout State) {
    let now = means.now()
    guard !state.dayRange.contains(now) else { return }
    let (day, range) = means.calendar.span(of: now)
    state.dayRange = range
    let instant = means.clock.now
    if day == state.day { return }
    let isBack = day < state.day
    if isBack, instant - state.dayBegan < Self.longestDay {
      if !state.isClockBackTold {
        state.isClockBackTold = true
        let text = "the clock says \(day) and was at \(state.day) before; budgets of that day go on"
        state.after.append { [tell = means.tell] in tell(text) }
      }
      return
    }
    let isNewMonth =
      isBack ? instant - state.monthBegan >= Self.longestMonth : !day.isInMonth(of: state.day)
    for user in state.meters.keys { write(user, &state) }
    state.isClockBackTold = false
    state.day = day
    state.dayBegan = instant
    if isNewMonth { state.monthBegan = instant }
    for user in state.meters.keys {
      state.meters[user]?.used.beginDay(ofNewMonth: isNewMonth)
      _ = state.meters[user]?.passedMarks()
    }
    let inUse = Set(state.accounts.values.map(\.user))
    state.meters = state.meters.filter { inUse.contains($0.key) || !$0.value.used.isZero }
    files?.append([.day(day, isNewMonth: isNewMonth)])
  }

  // MARK: - Keeping

  /// Brings the file up to date about a user, with some bytes ahead.
  func write(_ user: UInt32, isIdle: Bool = false, _ state: inout State) {
    guard let meter = state.meters[user] else { return }
    let lease = files == nil ? .max : meter.newLease(isIdle: isIdle)
    if let files {
      let isRoaming = !state.roamingModems.isEmpty || meter.isReservedRoaming
      files.append(
        meter.unwrittenRows.map { .row(state.day, $0.key, $0.value) }
          + [.lease(user: user, bytes: lease, isRoaming: isRoaming)])
      state.meters[user]?.wrote(lease: lease, isRoaming: isRoaming)
    } else {
      state.meters[user]?.wrote(lease: lease, isRoaming: false)
    }
  }

  /// Replaces the whole file, and begins a journal that goes on from it. It blocks until the disk
  /// has it.
  func keep() {
    guard let files else { return }
    let copy = change { state -> (LedgerContent, Int)? in
      guard let number = files.beginJournal() else { return nil }
      let users = state.meters.filter { $0.key != Self.itself && !$0.value.used.isZero }.mapValues(\.used)
      let content = LedgerContent(day: state.day, users: users, book: state.book)
      for user in state.meters.keys { state.meters[user]?.wrote(lease: 0, isRoaming: false) }
      // What is promised must be in this journal, too.
      for (user, meter) in state.meters where meter.reserved > 0 { write(user, &state) }
      return (content, number)
    }
    guard let (content, number) = copy else { return }
    files.save(content, generation: number)
  }

  /// Writes down what was counted, and takes back what nobody needs ahead.
  func settle() {
    change { state in
      for (user, meter) in state.meters where meter.unwritten > 0 || meter.lease > 0 && meter.reserved == 0 {
        write(user, isIdle: true, &state)
      }
    }
    files?.sync()
  }
}

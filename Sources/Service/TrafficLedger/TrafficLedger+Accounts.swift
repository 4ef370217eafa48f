import ModemModel
import ModemService
import NetworkAddress

extension TrafficLedger {
  // MARK: - An account's life

  func connected(_ source: IPAddress, _ address: IPAddress?, _ cookie: UInt64?, _ id: String) {
    change { state in
      guard let account = state.accounts[id] else { return }
      state.accounts[id]?.source = source
      state.accounts[id]?.address = address
      guard let cookie else { return }
      state.accounts[id]?.cookie = cookie
      tell(.opened(modem: account.request.modem), &state)
      if account.end != nil { tell(.end(modem: account.request.modem, cookie: cookie), &state) }
    }
  }

  func onEnd(_ body: @escaping @Sendable (TrafficAccount.End) -> Void, _ id: String) {
    change { state in
      guard let account = state.accounts[id] else { return }
      if let end = account.end {
        state.after.append { body(end) }
      } else {
        state.accounts[id]?.onEnd.append(body)
      }
    }
  }

  func close(_ id: String) { change { close(id, &$0) } }

  /// Nobody holds the account any more. A socket that was handed over goes on.
  func abandon(_ id: String) {
    change { state in
      if state.accounts[id]?.cookie == nil { close(id, &state) }
    }
  }

  func close(_ id: String, _ state: inout State) {
    guard let account = state.accounts.removeValue(forKey: id) else { return }
    state.meters[account.user]?.release(account.reserved)
    if account.request.purpose.isRefused { state.meters[account.user]?.openConnections -= 1 }
    // What its closures hold must not end within the lock.
    let bodies = account.onEnd
    if !bodies.isEmpty { state.after.append { withExtendedLifetime(bodies) {} } }
  }

  func end(_ id: String, _ reason: TrafficAccount.End, _ state: inout State) {
    guard let account = state.accounts[id], account.end == nil else { return }
    state.accounts[id]?.end = reason
    state.accounts[id]?.onEnd = []
    let bodies = account.onEnd
    state.after.append { for body in bodies { body(reason) } }
    if let cookie = account.cookie { tell(.end(modem: account.request.modem, cookie: cookie), &state) }
  }

  private func tell(_ news: DescriptorNews, _ state: inout State) {
    guard let reader = state.descriptorNews else { return }
    state.after.append { reader.yield(news) }
  }

  // MARK: - What others may see and do

  /// The sockets and streams that are open, the oldest first.
  ///
  /// - Parameters:
  ///   - user: whose; nil for everybody's.
  ///   - modem: over whose bearer, by id; nil for all.
  package func sockets(of user: UInt32?, modem: String? = nil) -> [BearerSocket] {
    let accounts = change { state in
      state.accounts.filter { one in
        one.value.request.purpose.isRefused && (user == nil || one.value.user == user)
          && (modem == nil || one.value.request.modem == modem)
          // It is not connected yet.
          && one.value.source != nil
      }
    }
    return accounts.sorted { $0.value.number < $1.value.number }.map { BearerSocket($0.key, $0.value) }
  }

  /// Ends a socket or stream.
  ///
  /// - Parameter user: who asks; nil for whoever may end everybody's.
  /// - Returns: false if there is none, or it is another user's.
  package func endSocket(_ id: String, for user: UInt32?) -> Bool {
    change { state in
      guard let account = state.accounts[id], account.request.purpose.isRefused, user == nil || account.user == user
      else { return false }
      end(id, .requested, &state)
      return true
    }
  }

  /// What was used since the present bearers came up, this month, and on the last days.
  ///
  /// - Parameters:
  ///   - user: whose usage; nil for everybody's, modemd's own included.
  ///   - modem: over whose bearer, by id; nil for all.
  ///   - days: how many days, today among them.
  package func usage(of user: UInt32?, modem: String? = nil, days: Int) -> UsageReport {
    // The rows of a year may be many, and whoever moves bytes does not wait for their order.
    let (book, today, up) = change { state in
      roll(&state)
      return (state.book, state.day, state.upBearers)
    }
    let choose = { (rows: UsageBook.Rows) in
      rows.filter { (user == nil || $0.key.user == user) && (modem == nil || $0.key.modem == modem) }
        .map { UsageReport.Row(key: $0.key, counts: $0.value) }.sorted { $0.order < $1.order }
    }
    let bearers = book.bearers.filter { up.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value.rows)
    let firstDay = means.calendar.day(means.calendar.start(today.year, today.month, today.day - max(days - 1, 0)))
    let shown = days > 0 ? book.days.filter { $0.key >= firstDay }.sorted { $0.key > $1.key } : []
    return UsageReport(
      bearer: bearers.flatMap(choose), month: choose(book.month(of: today)),
      days: shown.map { UsageReport.Day(day: $0.key, rows: choose($0.value)) }.filter { !$0.rows.isEmpty })
  }

  /// The budgets that apply.
  ///
  /// - Parameters:
  ///   - user: whose; nil for everybody's who used something today or this month.
  ///   - groups: the user's groups, where they are known.
  package func budgets(of user: UInt32?, groups: Set<UInt32> = []) -> [Budget] {
    if let user {
      let known = change { state in state.meters[user]?.groups }
      let groups = groups.isEmpty ? known ?? change { self.groups(of: user, in: $0.policy) } : groups
      return change { state in
        roll(&state)
        update(user, groups: groups, &state)
        return BudgetKind.allCases.compactMap { budget($0, of: user, state) }
      }
    }
    return change { state in
      roll(&state)
      return state.meters.keys.sorted().flatMap { user in BudgetKind.allCases.compactMap { budget($0, of: user, state) }
      }
    }
  }

  func budget(_ kind: BudgetKind, of user: UInt32, _ state: State) -> Budget? {
    guard let meter = state.meters[user], let limit = meter.limits[kind] else { return nil }
    return Budget(
      key: limit.key, kind: kind, user: user, limit: limit.amount, used: meter.amount(of: kind),
      resets: resets(kind, state))
  }

  /// Budgets that pass 80 % or are spent, from now on.
  ///
  /// - Parameter user: whose; nil for everybody's.
  package func watchBudgets(of user: UInt32?) -> AsyncStream<BudgetEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: BudgetEvent.self, bufferingPolicy: .bufferingNewest(64))
    let number = change { state in
      state.lastNumber += 1
      state.watchers[state.lastNumber] = (user, continuation)
      return state.lastNumber
    }
    continuation.onTermination = { [weak self] _ in
      self?.change { state in
        _ = state.watchers.removeValue(forKey: number)
      }
    }
    return stream
  }
}

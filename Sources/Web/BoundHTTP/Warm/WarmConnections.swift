import NIOConcurrencyHelpers
import NIOCore
import RedirectChain

/// The sets of connections that wait for their chains. A set belongs to its owner: no other user's
/// chain gets it, whatever it is for.
///
/// Being here is what decides: whoever removes a set here, closes it or runs a chain on it.
final class WarmConnections: Sendable {
  /// What becomes of a set that is offered.
  enum Admission {
    case taken
    /// One for the same chain is there already.
    case covered(by: WarmSet)
    case refused
  }

  private struct Waiting {
    let set: WarmSet
    let since: NIODeadline
    let until: NIODeadline
    let timer: Scheduled<Void>
  }

  private struct Contents {
    /// The oldest first.
    var waiting: [Waiting] = []
    var allowance: WarmAllowance
    /// Clients whose settings count. The sets of others have closed.
    var clients: Set<Int> = []
    var nextClient = 0
  }

  let limits: WarmLimits
  private let contents: NIOLockedValueBox<Contents>
  private let now: @Sendable () -> NIODeadline

  init(_ limits: WarmLimits = WarmLimits(), now: @escaping @Sendable () -> NIODeadline = { .now() }) {
    self.limits = limits
    self.now = now
    contents = NIOLockedValueBox(Contents(allowance: WarmAllowance(limit: limits.unusedBytes)))
  }

  /// Whether an owner has any allowance left for connections that no chain may use.
  func mayWarm(_ owner: ChainRequest.Owner, over interface: BoundInterface) -> Bool {
    contents.withLockedValue { $0.allowance.isLeft(to: owner, over: interface.name, now: now()) }
  }

  /// A set would wait for its chain.
  ///
  /// - Parameters:
  ///   - time: how long.
  ///   - isAnother: whether it is for one chain more than the other sets of its kind are.
  ///   - close: closes a set whose time is over, or that makes room.
  func admit(
    _ set: WarmSet, for time: TimeAmount, isAnother: Bool, close: @escaping @Sendable (WarmSet) -> Void
  ) -> Admission {
    let (admission, leaving) = contents.withLockedValue { contents -> (Admission, [WarmSet]) in
      let now = now()
      guard contents.clients.contains(set.key.client) else { return (.refused, []) }
      var leaving: [WarmSet] = []
      // A young one will live about as long as a new one would.
      let alike = contents.waiting.filter { $0.set.key == set.key }
      if !isAnother, let last = alike.last {
        if now - last.since < last.until - now { return (.covered(by: last.set), []) }
        leaving += Self.remove({ $0.key == set.key }, &contents)
      }
      if let crowded = crowd(around: set.key, contents) {
        // One of the same kind in its place would be no gain.
        guard crowded.set.key != set.key else { return (.refused, leaving) }
        leaving += Self.remove({ $0.connections === crowded.set.connections }, &contents)
      }
      let timer = set.connections.opener.scope.loop.scheduleTask(in: time) { [self] in
        if let set = remove(set.connections) { close(set) }
      }
      contents.waiting.append(Waiting(set: set, since: now, until: now + time, timer: timer))
      return (.taken, leaving)
    }
    for set in leaving { close(set) }
    return admission
  }

  /// Takes a set that fits a chain out of here.
  ///
  /// - Parameter keys: what would fit, the best first.
  func take(_ keys: [WarmSet.Key]) -> WarmSet? {
    contents.withLockedValue { contents in
      for key in keys {
        guard let index = contents.waiting.firstIndex(where: { $0.set.key == key }) else { continue }
        let found = contents.waiting.remove(at: index)
        found.timer.cancel()
        return found.set
      }
      return nil
    }
  }

  /// Takes one set out of here; nil if it is not here any more.
  func remove(_ connections: ConnectionsAhead) -> WarmSet? {
    contents.withLockedValue { Self.remove({ $0.connections === connections }, &$0).first }
  }

  /// Takes all sets over an interface out of here.
  func removeAll(over index: Int32) -> [WarmSet] {
    contents.withLockedValue { Self.remove({ $0.key.interface.index == index }, &$0) }
  }

  /// A client may have sets from now on.
  ///
  /// - Returns: what identifies it.
  func register() -> Int {
    contents.withLockedValue { contents in
      contents.nextClient += 1
      contents.clients.insert(contents.nextClient)
      return contents.nextClient
    }
  }

  /// Takes all sets of a client out of here. It gets no others.
  func retire(_ client: Int) -> [WarmSet] {
    contents.withLockedValue { contents in
      contents.clients.remove(client)
      return Self.remove({ $0.key.client == client }, &contents)
    }
  }

  /// An owner spent bytes on connections that no chain used.
  func spent(_ bytes: Int, by key: WarmSet.Key) {
    contents.withLockedValue { $0.allowance.spend(bytes, of: key.owner, over: key.interface.name, now: now()) }
  }

  var count: Int { contents.withLockedValue(\.waiting.count) }

  /// The set that makes room for another of this key; nil if there is room.
  private func crowd(around key: WarmSet.Key, _ contents: Contents) -> Waiting? {
    let own = contents.waiting.filter { $0.set.key.owner == key.owner }
    let beside = own.filter { $0.set.key.interface == key.interface }
    if beside.count >= limits.setsPerBearer { return beside.first }
    if own.count >= (key.owner.isRoot ? limits.setsOfRoot : limits.setsPerOwner) { return own.first }
    guard !key.owner.isRoot else { return nil }
    let all = contents.waiting.filter { !$0.set.key.owner.isRoot }
    guard all.count >= limits.sets else { return nil }
    // Whoever has the most gives one up: nobody with fewer loses any to somebody with more.
    let counts = Dictionary(grouping: all, by: \.set.key.owner).mapValues(\.count)
    guard let most = counts.max(by: { $0.value < $1.value }), most.value > own.count else { return own.first }
    return all.first { $0.set.key.owner == most.key }
  }

  private static func remove(_ isMeant: (WarmSet) -> Bool, _ contents: inout Contents) -> [WarmSet] {
    let leaving = contents.waiting.filter { isMeant($0.set) }
    guard !leaving.isEmpty else { return [] }
    contents.waiting.removeAll { isMeant($0.set) }
    for one in leaving { one.timer.cancel() }
    return leaving.map(\.set)
  }
}

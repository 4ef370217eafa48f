import ModemModel

/// A bearer that was up has been lost or changed.
package struct BearerLoss: Hashable, Sendable {
  /// The port whose it was.
  package let port: String
  package let bearer: InstalledBearer
  /// What happened, in one sentence for its users.
  package let reason: String
}

/// The changes of this machine's bearers that matter to their users.
package enum BearerNews: Hashable, Sendable {
  /// A bearer is coming up.
  case comingUp
  /// One is up, or has other settings than before.
  case up(InstalledBearer, port: String)
  case lost(BearerLoss)
}

/// The bearers in use, each followed until it is lost. Each follower is told of the loss once.
///
/// It is a value: the caller passes in the ports' reports in their order.
struct FollowedBearers {
  /// What is to be told.
  struct Tidings: Hashable {
    /// To everybody.
    var news: [BearerNews] = []
    /// For the followers of one bearer, by number.
    var losses: [UInt64: BearerLoss] = [:]
  }

  private struct Followed {
    let port: String
    let bearer: InstalledBearer
    let since: Timestamp
    /// A port's answer may overtake its announcement: until the bearer was seen up, older states
    /// are ignored.
    var wasSeen: Bool
  }

  /// The bearers that ports announced, by port.
  private var announced: [String: InstalledBearer] = [:]
  /// Ports whose bearer was announced as coming up.
  private var comingUp: Set<String> = []
  private var followed: [UInt64: Followed] = [:]
  /// Their numbers by port, so that a port's report is not compared with the others'.
  private var followedOn: [String: Set<UInt64>] = [:]

  /// The bearers that are up.
  var present: [BearerNews] { announced.map { .up($0.value, port: $0.key) } }

  /// Follows a bearer that a port gave.
  ///
  /// - Parameters:
  ///   - number: identifies it among the followed bearers.
  ///   - since: when the bearer came up, as the port reported.
  ///   - state: the port's last announcement; nil after the port was removed.
  /// - Returns: its loss, if it is already lost. It is not followed then.
  mutating func follow(
    _ bearer: InstalledBearer, as number: UInt64, on port: String, since: Timestamp, state: ModemState?
  ) -> BearerLoss? {
    followed[number] = Followed(port: port, bearer: bearer, since: since, wasSeen: false)
    followedOn[port, default: []].insert(number)
    return loss(of: number, state)
  }

  mutating func forget(_ number: UInt64) {
    guard let one = followed.removeValue(forKey: number) else { return }
    followedOn[one.port]?.remove(number)
    if followedOn[one.port]?.isEmpty ?? false { followedOn[one.port] = nil }
  }

  /// A port reported its state or has stopped; nil if it was removed.
  mutating func see(_ state: ModemState?, of port: String) -> Tidings {
    var tidings = Tidings()
    if state?.bearer.state.isOnItsWay ?? false {
      if comingUp.insert(port).inserted { tidings.news.append(.comingUp) }
    } else {
      comingUp.remove(port)
    }
    let present = state.flatMap { $0.fault == nil ? $0.bearer.state.installed : nil }
    // For work that began over it, a bearer with other addresses is another bearer.
    if let last = announced[port], present?.carries(last) != true {
      tidings.news.append(.lost(BearerLoss(port: port, bearer: last, reason: Self.reason(state))))
    }
    if let present, announced[port] != present { tidings.news.append(.up(present, port: port)) }
    announced[port] = present
    for number in followedOn[port] ?? [] { tidings.losses[number] = loss(of: number, state) }
    return tidings
  }

  /// The loss of a followed bearer, which is not followed any more then.
  private mutating func loss(of number: UInt64, _ state: ModemState?) -> BearerLoss? {
    guard let one = followed[number] else { return nil }
    if let state {
      let present = state.bearer.state.installed
      if let present, present == one.bearer || one.wasSeen && present.carries(one.bearer) {
        followed[number]?.wasSeen = true
        if state.fault == nil { return nil }
      } else if !one.wasSeen, max(state.bearer.since, state.fault?.since ?? one.since) <= one.since {
        return nil
      }
    }
    forget(number)
    return BearerLoss(port: one.port, bearer: one.bearer, reason: Self.reason(state))
  }

  private static func reason(_ state: ModemState?) -> String {
    guard let state else { return "the modem was taken away during the chain" }
    if let fault = state.fault { return "the bearer was lost during the chain: \(fault.cause)" }
    if case .down(let cause?) = state.bearer.state { return "the bearer was lost during the chain: \(cause)" }
    if state.bearer.state.installed != nil {
      return "the bearer changed during the chain: the network gave it other addresses; open the URL again"
    }
    return "the bearer was taken down during the chain; open the URL again"
  }
}

extension BearerState {
  fileprivate var isOnItsWay: Bool {
    switch self {
    case .attaching, .connecting, .configuring, .up: true
    case .down, .disconnecting, .failed: false
    }
  }
}

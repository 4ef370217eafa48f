import ModemModel

/// A bearer's life: from what happens to it follows what it is now, what is told of it and what is to be done. No I/O, no clock: time and chance are
/// given to it.
///
/// Who waits for something (the modem, the kernel, a timer) tells the machine of its end, and then looks where the bearer is: it may have moved on.
struct BearerMachine: Hashable, Sendable {
  /// Where the bearer is in its life.
  enum Phase: Hashable, Sendable {
    /// Nothing in the modem or the kernel is ours.
    case idle
    /// An attempt is under way.
    case comingUp
    case up(InstalledBearer)
    /// The modem's part is up, and the kernel's part is damaged: somebody took a route, an address or the interface away.
    case damaged(InstalledBearer, NetworkCause)
    /// The attempt is being broken off; with why, where that was not asked for.
    case breakingOff(NetworkCause?)
    /// One that was up is taken down; with why, where that was not asked for.
    case goingDown(NetworkCause?)
    /// Nothing of it is left on this machine; the modem has yet to confirm the end of its part.
    case releasing
  }

  /// A bearer that somebody asked for to stay.
  struct Wish: Hashable, Sendable {
    let request: BearerRequest
    /// Modem and SIM that it was asked for; another SIM's credit is not spent for it.
    let owner: BearerOwner
  }

  /// What becomes of a bearer that is down.
  enum Keeping: Hashable, Sendable {
    /// It stays down.
    case notKept
    /// Somebody asked for it to stay, and has not taken it down since.
    case kept(Wish)
    /// The same, and its next attempt is waited for.
    case waiting(Wish, attempt: Int)
  }

  private(set) var phase = Phase.idle
  private(set) var keeping = Keeping.notKept
  /// What is told of the bearer.
  private(set) var status: BearerStatus

  private var backoff: ReconnectBackoff
  private let reconnects: Bool
  private let probes: Bool
  private var lastAttempt: Timestamp?
  private var upSince: Timestamp?
  private var lastNumber = 0
  /// Whether the modem has confirmed the last end that it was told of.
  private var hasWord = true

  /// - Parameters:
  ///   - reconnects: whether bearers are kept at all.
  ///   - probes: whether a bearer that is up is tried for traffic.
  init(status: BearerStatus, backoff: ReconnectBackoff, reconnects: Bool, probes: Bool) {
    self.status = status
    self.backoff = backoff
    self.reconnects = reconnects
    self.probes = probes
  }

  /// What is wanted to stay; nil where nothing is.
  var wish: Wish? {
    switch keeping {
    case .notKept: nil
    case .kept(let wish), .waiting(let wish, _): wish
    }
  }

  var isWaiting: Bool { if case .waiting = keeping { true } else { false } }
  var isUp: Bool { if case .up = phase { true } else { false } }

  /// - Parameters:
  ///   - time: now.
  ///   - chance: a number from 0 up to 1.
  mutating func handle(_ event: Event, at time: Timestamp, chance: Double = 0) -> [Action] {
    switch event {
    case .asked(let isKept):
      if isKept { backoff.reset() }
      return []
    case .begun(let request, let owner):
      guard phase == .idle else { return [] }
      let actions = stopWaiting()
      lastAttempt = time
      phase = .comingUp
      return actions + [.bringUp(request, for: owner)]
    case .ended(let cause): return end(cause, at: time)
    case .missed, .granted, .givenUp, .timer, .goodNews, .resumed, .wantedAgain, .resumption:
      return handleWish(event, at: time, chance)
    case .trying, .attaching, .connecting, .configuring, .installed, .failed: return handleAttempt(event, at: time)
    case .renewed, .probed, .damaged, .verified, .lost: return handleUp(event, at: time)
    case .modemTold, .takenDown, .released: return handleEnd(event, at: time, chance)
    }
  }

  // MARK: Coming up

  private mutating func handleAttempt(_ event: Event, at time: Timestamp) -> [Action] {
    // What was asked for before the end came may still be answered.
    guard phase == .comingUp else { return [] }
    switch event {
    case .trying(let request):
      status.apn = request.apn
      status.apnSource = request.apn == nil ? .network : request.source
    case .attaching: show(.attaching, at: time)
    case .connecting: show(.connecting, at: time)
    case .configuring: show(.configuring, at: time)
    case .installed(let bearer):
      phase = .up(bearer)
      upSince = time
      show(.up(bearer), at: time)
      return [.watch(bearer), .log(.up(bearer))]
    case .failed(let cause):
      let actions = rest()
      show(.failed(cause), at: time)
      return actions
    default: break
    }
    return []
  }

  // MARK: Up

  private mutating func handleUp(_ event: Event, at time: Timestamp) -> [Action] {
    switch (event, phase) {
    case (.renewed(let old, let new), .up(let present)) where present == old:
      phase = .up(new)
      show(.up(new), at: time)
      return [.watch(new), .log(.renewed(new))]
    case (.probed(let bearer, let traffic), .up(let present)) where present == bearer: status.traffic = traffic
    case (.damaged(let bearer, let cause), .up(let present)) where present == bearer:
      // It stays as it is until somebody verifies or connects it: whoever relied on it shall learn what happened. One that is kept is made
      // anew without being asked for.
      phase = .damaged(bearer, cause)
      return [.showFault(cause.text)] + (wish == nil ? [] : [.end(cause)])
    case (.verified(let bearer), .damaged(let present, _)) where present == bearer:
      // Whoever took something away has put it back.
      phase = .up(bearer)
      return [.forgetFault]
    case (.lost(let bearer, let cause), .up(let present)) where present == bearer: return end(cause, at: time)
    default: break
    }
    return []
  }

  // MARK: Going down

  private mutating func end(_ cause: NetworkCause?, at time: Timestamp) -> [Action] {
    switch phase {
    case .idle, .releasing, .breakingOff, .goingDown: return []
    case .comingUp:
      phase = .breakingOff(cause)
      return [.breakOff]
    case .up(let bearer), .damaged(let bearer, _):
      if let upSince { backoff.ended(afterUp: time.time(since: upSince)) }
      upSince = nil
      phase = .goingDown(cause)
      // One that others ended is down already, and whoever relies on it wants the cause now.
      show(cause.map { .down($0) } ?? .disconnecting, at: time)
      return [.takeDown(bearer)]
    }
  }

  private mutating func handleEnd(_ event: Event, at time: Timestamp, _ chance: Double) -> [Action] {
    switch (event, phase) {
    case (.modemTold(let isConfirmed), _): hasWord = isConfirmed
    case (.takenDown, .breakingOff(let cause)): return rest(because: cause, at: time, chance)
    case (.takenDown, .goingDown(let cause)):
      return rest(because: cause, at: time, chance) + [.unwatch, .forgetFault]
    case (.released, .releasing):
      phase = .idle
      status.isReleasing = false
      // One that is kept was not to be made anew before.
      return handle(.goodNews, at: time, chance: chance)
    default: break
    }
    return []
  }

  private mutating func rest(because cause: NetworkCause?, at time: Timestamp, _ chance: Double) -> [Action] {
    var actions = rest()
    show(.down(cause), at: time)
    actions.append(.log(.down(cause)))
    if let cause { actions += planNext(isLasting: cause.isLasting, at: time, chance) }
    return actions + [.reconsiderSharing]
  }

  /// Nothing of the bearer is left on this machine. It is idle, once the modem has given its word.
  private mutating func rest() -> [Action] {
    guard !hasWord else {
      phase = .idle
      status.isReleasing = false
      return []
    }
    hasWord = true
    phase = .releasing
    status.isReleasing = true
    return [.log(.releasing), .awaitRelease]
  }

  // MARK: Coming back

  private mutating func handleWish(_ event: Event, at time: Timestamp, _ chance: Double) -> [Action] {
    switch event {
    case .missed(let isLasting): return planNext(isLasting: isLasting, at: time, chance)
    case .granted(let wish, let wasUp):
      guard isUp else { return [] }
      status.resumption = nil
      // One that is kept stays as it was asked for.
      guard reconnects, !wasUp || keeping == .notKept else { return [] }
      keeping = .kept(wish)
      return [.writeDown(wish.request)]
    case .givenUp:
      let actions = stopWaiting()
      keeping = .notKept
      return actions
    case .timer(let number):
      guard case .waiting(let wish, attempt: number) = keeping else { return [] }
      keeping = .kept(wish)
      status.nextAttempt = nil
      return [.attempt(wish)]
    case .goodNews:
      guard let wish, phase == .idle else { return [] }
      let past = lastAttempt.map { time.time(since: $0) }
      return wait(backoff.delayAfterGoodNews(sinceAttempt: past), for: wish, at: time)
    case .resumed:
      backoff.reset()
      lastAttempt = nil
    case .wantedAgain(let wish, let isReady):
      keeping = .kept(wish)
      status.resumption = isUp ? .resumed : .pending(nil)
      guard phase == .idle else { return [.writeDown(wish.request)] }
      // Registration is news that brings the attempt forward.
      return [.writeDown(wish.request)] + wait(isReady ? .zero : backoff.policy.leastSpacing, for: wish, at: time)
    case .resumption(let resumption): status.resumption = resumption
    default: break
    }
    return []
  }

  /// Plans the next attempt of a bearer that is kept and down.
  private mutating func planNext(isLasting: Bool, at time: Timestamp, _ chance: Double) -> [Action] {
    guard case .kept(let wish) = keeping, phase == .idle else { return [] }
    return wait(backoff.delay(isLasting: isLasting, chance: chance), for: wish, at: time)
  }

  private mutating func wait(_ delay: Duration, for wish: Wish, at time: Timestamp) -> [Action] {
    lastNumber += 1
    keeping = .waiting(wish, attempt: lastNumber)
    status.nextAttempt = time.later(by: delay)
    status.failures = backoff.failures
    return [.wait(delay, attempt: lastNumber)]
  }

  /// Gives up waiting for the next attempt, as one is made now or none is wanted.
  private mutating func stopWaiting() -> [Action] {
    status.nextAttempt = nil
    guard case .waiting(let wish, _) = keeping else { return [] }
    keeping = .kept(wish)
    return [.stopWaiting]
  }

  private mutating func show(_ state: BearerState, at time: Timestamp) {
    guard status.state != state else { return }
    status.state = state
    status.since = time
    status.traffic = state.installed != nil && probes ? .untested : nil
    status.resumption = status.resumption?.afterChange(to: state)
  }
}

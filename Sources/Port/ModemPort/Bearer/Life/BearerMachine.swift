import ModemModel

/// A bearer's life. Each event determines its new state, what is reported about it and what to do.
/// It has no I/O and no clock: the caller supplies time and chance.
///
/// Code that waits for something (the modem, the kernel, a timer) reports its end to the machine
/// and then checks the bearer's state, which may have changed.
struct BearerMachine: Hashable, Sendable {
  /// The bearer's phase of life.
  enum Phase: Hashable, Sendable {
    /// Neither the modem nor the kernel holds anything of ours.
    case idle
    /// An attempt is under way.
    case comingUp
    case up(InstalledBearer)
    /// The modem's part is up, but the kernel's part is damaged: another program removed a route,
    /// an address or the interface.
    case damaged(InstalledBearer, NetworkCause)
    /// The attempt is being aborted; the cause, unless that was requested.
    case breakingOff(NetworkCause?)
    /// A bearer that was up is being taken down; the cause, unless that was requested.
    case goingDown(NetworkCause?)
    /// Nothing of it is left on this machine; the modem must still confirm the end of its part.
    case releasing
  }

  /// A bearer that a caller asked to keep.
  struct Wish: Hashable, Sendable {
    let request: BearerRequest
    /// The modem and SIM that it was requested for; another SIM's credit is not spent on it.
    let owner: BearerOwner
  }

  /// What happens to a bearer that is down.
  enum Keeping: Hashable, Sendable {
    /// It stays down.
    case notKept
    /// A caller asked to keep it, and has not taken it down since.
    case kept(Wish)
    /// The same, while its next attempt is pending.
    case waiting(Wish, attempt: Int)
  }

  private(set) var phase = Phase.idle
  private(set) var keeping = Keeping.notKept
  /// What is reported about the bearer.
  private(set) var status: BearerStatus

  private var backoff: ReconnectBackoff
  /// Whether bearers that are requested from now on are kept at all.
  var reconnects: Bool
  /// Whether a bearer that comes up from now on is probed for traffic.
  var probes: Bool
  private var lastAttempt: Timestamp?
  private var upSince: Timestamp?
  private var lastNumber = 0
  /// Whether the modem has confirmed the last end.
  private var hasWord = true

  /// - Parameters:
  ///   - reconnects: whether bearers are kept at all.
  ///   - probes: whether a bearer that is up is probed for traffic.
  init(status: BearerStatus, backoff: ReconnectBackoff, reconnects: Bool, probes: Bool) {
    self.status = status
    self.backoff = backoff
    self.reconnects = reconnects
    self.probes = probes
  }

  /// The bearer to keep; nil if there is none.
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
    // An answer to a request from before the end may still arrive.
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
      // It stays as it is until a caller verifies or connects it, so that whoever relied on it
      // learns what happened. A kept bearer is made again without a request.
      phase = .damaged(bearer, cause)
      return [.showFault(cause.text)] + (wish == nil ? [] : [.end(cause)])
    case (.verified(let bearer), .damaged(let present, _)) where present == bearer:
      // The program that removed something has restored it.
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
      // A bearer that others ended is already down, and its users want the cause now.
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
      // A kept bearer must not be made again before this.
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

  /// Nothing of the bearer is left on this machine. It is idle once the modem has confirmed.
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
      // A kept bearer keeps its original request.
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
      // Registration counts as good news and brings the attempt forward.
      return [.writeDown(wish.request)] + wait(isReady ? .zero : backoff.policy.leastSpacing, for: wish, at: time)
    case .resumption(let resumption): status.resumption = resumption
    default: break
    }
    return []
  }

  /// Plans the next attempt of a kept bearer that is down.
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

  /// Cancels the wait for the next attempt, because one is made now or none is wanted.
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

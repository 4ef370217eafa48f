import LimitClock
import ModemModel

/// What is counted of one modem's bearer, from the states that its port told. A value without
/// clock.
struct BearerLife: Hashable, Sendable {
  enum Event: Hashable, Sendable {
    case attempt(isUp: Bool)
    case up
    case down(cause: String)
    /// A part of the time that it was up, not counted before.
    case wasUp(Duration)
  }

  private enum Phase: Hashable {
    /// Not seen yet.
    case unknown
    /// Down, or failed at this time.
    case down(failedAt: Timestamp?)
    case comingUp
    /// Its time is counted until this moment.
    case up(InstalledBearer, counted: LimitClock.Instant)
  }

  private var phase = Phase.unknown

  /// The port told a state.
  ///
  /// - Parameter isFaulty: whether the port or the modem does not work.
  mutating func see(_ status: BearerStatus, isFaulty: Bool, at now: LimitClock.Instant) -> [Event] {
    switch status.state {
    case .up(let bearer):
      if case .up(let last, let counted) = phase, bearer.carries(last) {
        phase = .up(bearer, counted: counted)
        return []
      }
      var events: [Event] = []
      switch phase {
      case .up: events = end("replaced", at: now)
      // A port shows each step, unless modemd missed it.
      case .comingUp, .down: events = [.attempt(isUp: true)]
      case .unknown: break
      }
      phase = .up(bearer, counted: now)
      return events + [.up]
    case .attaching, .connecting, .configuring:
      let events = end("other", at: now)
      phase = .comingUp
      return events
    case .disconnecting: return end("requested", at: now)
    case .down(let cause):
      let word = isFaulty ? "portStopped" : cause.map(Self.word) ?? "requested"
      let isFailure = phase == .comingUp && cause != nil
      return end(word, at: now) + (isFailure ? [.attempt(isUp: false)] : [])
    case .failed(let cause):
      let last = phase
      var events = end(isFaulty ? "portStopped" : Self.word(for: cause), at: now)
      phase = .down(failedAt: status.since)
      switch last {
      case .comingUp: events.append(.attempt(isUp: false))
      case .down(let failedAt) where failedAt != status.since: events.append(.attempt(isUp: false))
      case .down, .unknown, .up: break
      }
      return events
    }
  }

  /// The modem was taken away.
  mutating func gone(at now: LimitClock.Instant) -> [Event] { end("removed", at: now) }

  /// Counts the time until now.
  mutating func settle(at now: LimitClock.Instant) -> [Event] {
    guard case .up(let bearer, let counted) = phase else { return [] }
    phase = .up(bearer, counted: now)
    return [.wasUp(now - counted)]
  }

  private mutating func end(_ cause: String, at now: LimitClock.Instant) -> [Event] {
    let events = settle(at: now)
    defer { phase = .down(failedAt: nil) }
    guard case .up = phase else { return events }
    return events + [.down(cause: cause)]
  }

  /// 3GPP's number if it is a known one: a network cannot make other words.
  private static func word(for cause: NetworkCause) -> String {
    cause.code.flatMap { NetworkCause.isKnownSession($0) ? "\($0)" : nil } ?? "other"
  }
}

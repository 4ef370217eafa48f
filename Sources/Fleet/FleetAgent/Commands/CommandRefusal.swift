import FleetAPI
import LimitClock

/// Why a command is not carried out.
struct CommandRefusal: Error, Hashable, Sendable {
  typealias Reason = FleetInterface.Refusal.Reason

  let reason: Reason
  /// One sentence for people. It repeats nothing of the command.
  let text: String

  init(_ reason: Reason, _ text: String) {
    self.reason = reason
    self.text = text
  }
}

/// At most so many within a time.
struct RateWindow: Sendable {
  let most: Int
  let span: Duration
  private var taken: [LimitClock.Instant] = []

  init(_ most: Int, within span: Duration) {
    self.most = most
    self.span = span
  }

  /// Counts one more, unless there are as many as there may be.
  mutating func take(_ now: LimitClock.Instant) -> Bool {
    taken.removeAll { now - $0 >= span }
    guard taken.count < most else { return false }
    taken.append(now)
    return true
  }

  /// When one more may come; nil for now.
  mutating func opens(_ now: LimitClock.Instant) -> LimitClock.Instant? {
    taken.removeAll { now - $0 >= span }
    return taken.count < most ? nil : taken.first.map { $0 + span }
  }
}

import LimitClock

/// A command whose wait for the modem's answer is watched.
package struct WatchedCommand: Hashable, Sendable {
  fileprivate let number: UInt64
}

/// The commands that wait for the modem's answer, and when each wants the modem to be asked whether
/// it is there. There are few of them: a port sends some at a time.
struct WaitingCommands: Sendable {
  private struct Wait: Sendable {
    let command: WatchedCommand
    let isLong: Bool
    var began: LimitClock.Instant
    var duration: Duration

    var end: LimitClock.Instant { began.advanced(by: duration) }
  }

  private var waits: [Wait] = []
  private var lastNumber: UInt64 = 0

  /// Whether one of them may take long.
  var hasLong: Bool { waits.contains(where: \.isLong) }

  /// When the first of them wants a question; nil if there are none.
  var nextQuestion: LimitClock.Instant? { waits.lazy.map(\.end).min() }

  mutating func begin(isLong: Bool, after duration: Duration, now: LimitClock.Instant) -> WatchedCommand {
    lastNumber += 1
    let command = WatchedCommand(number: lastNumber)
    waits.append(Wait(command: command, isLong: isLong, began: now, duration: duration))
    return command
  }

  mutating func end(_ command: WatchedCommand) { waits.removeAll { $0.command == command } }

  func due(now: LimitClock.Instant) -> [WatchedCommand] { waits.filter { $0.end <= now }.map(\.command) }

  /// Since when a command waits, or waits anew; nil if it is over.
  func began(_ command: WatchedCommand) -> LimitClock.Instant? { waits.first { $0.command == command }?.began }

  /// Doubles a command's wait, and begins it now.
  mutating func waitAgain(_ command: WatchedCommand, most: Duration, now: LimitClock.Instant) {
    guard let index = waits.firstIndex(where: { $0.command == command }) else { return }
    waits[index].began = now
    waits[index].duration = min(waits[index].duration * 2, most)
  }
}

import OutsideNumber

/// The times at which a port's process ended without a request, and what follows from them.
///
/// Some modem messages always crash the process that reads them (libmbim 1.28 prints replies that
/// nobody waits for). systemd restarts it. A modem that causes this repeatedly is left alone.
package struct EndRecord: Hashable, Sendable {
  /// When to leave a modem alone.
  package struct Limit: Hashable, Sendable {
    /// The number of ends, 1 or more; nil for no limit.
    package var ends: Int?
    /// Within so much time.
    package var time: Duration

    package init(ends: Int? = 5, within time: Duration = .seconds(600)) {
      self.ends = ends
      self.time = time
    }
  }

  /// What a starting process must do.
  package enum Verdict: Hashable, Sendable {
    case serve
    /// Leave the modem alone after this many ends.
    case leaveAlone(ends: Int)
  }

  /// Whether a process is running, or ended without notice.
  private var isRunning = false
  /// Seconds since the machine started, in order.
  private var ends: [Int64] = []

  /// The record of a port that never ran.
  package init() {}

  /// Reads what `text` wrote; a line of any other form is skipped.
  package init(text: String) {
    for line in text.split(separator: "\n") {
      if line == "running" { isRunning = true }
      if line.hasPrefix("ended "), let time = Int64(line.dropFirst(6)) { ends.append(time) }
    }
    ends.sort()
  }

  package var text: String { ends.map { "ended \($0)\n" }.joined() + (isRunning ? "running\n" : "") }

  /// Records that a process starts. If the previous one never reported its end, it counts as ended
  /// now.
  ///
  /// - Parameters:
  ///   - now: seconds since boot, including sleep.
  ///   - mayBeModems: whether the modem may have ended the previous process. It cannot have if
  ///     something else ended it while no message was being read.
  package mutating func begin(at now: Int64, _ limit: Limit, mayBeModems: Bool = true) -> Verdict {
    if isRunning, mayBeModems { ends.append(now) }
    isRunning = true
    // A time in the future is from before the reboot.
    ends = ends.filter { $0 <= now && (OutsideSeconds(now) - OutsideSeconds($0)).duration <= limit.time }
    guard let most = limit.ends, ends.count >= most else { return .serve }
    return .leaveAlone(ends: ends.count)
  }

  /// Records that the process was asked to end, as by `systemctl restart` or when the modem is
  /// unplugged. Everything is forgotten.
  package mutating func finish() { self = EndRecord() }

  /// Records that the process ends by itself, with an error that the modem did not cause.
  package mutating func giveUp() { isRunning = false }
}

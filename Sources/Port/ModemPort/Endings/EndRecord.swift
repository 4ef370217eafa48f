import OutsideNumber

/// The times at which a port's process ended without having been asked to, and what follows from them.
///
/// Some messages of a modem end the process that reads them, whatever it does (libmbim 1.28 prints replies that nobody waits
/// for). systemd starts it anew; a modem that does it again and again is left alone.
public struct EndRecord: Hashable, Sendable {
  /// When a modem is left alone.
  public struct Limit: Hashable, Sendable {
    /// So many ends, 1 or more; nil for no limit.
    public var ends: Int?
    /// Within so much time.
    public var time: Duration

    public init(ends: Int? = 5, within time: Duration = .seconds(600)) {
      self.ends = ends
      self.time = time
    }
  }

  /// What a process that starts shall do.
  public enum Verdict: Hashable, Sendable {
    case serve
    /// Leave the modem alone: so many ends were counted.
    case leaveAlone(ends: Int)
  }

  /// Whether a process is running, or ended without a word.
  private var isRunning = false
  /// Seconds since the machine started, in order.
  private var ends: [Int64] = []

  /// The record of a port that never ran.
  public init() {}

  /// Reads what `text` wrote; a line of any other form is skipped.
  public init(text: String) {
    for line in text.split(separator: "\n") {
      if line == "running" { isRunning = true }
      if line.hasPrefix("ended "), let time = Int64(line.dropFirst(6)) { ends.append(time) }
    }
    ends.sort()
  }

  public var text: String { ends.map { "ended \($0)\n" }.joined() + (isRunning ? "running\n" : "") }

  /// Notes that a process starts; when the one before never said that it ends, it has ended now.
  ///
  /// - Parameters:
  ///   - now: seconds since the machine started, sleep included.
  ///   - mayBeModems: whether the modem may have ended the process before: not when something else did, while no message
  ///     was read.
  public mutating func begin(at now: Int64, _ limit: Limit, mayBeModems: Bool = true) -> Verdict {
    if isRunning, mayBeModems { ends.append(now) }
    isRunning = true
    // A time to come is from before the machine started anew.
    ends = ends.filter { $0 <= now && (OutsideSeconds(now) - OutsideSeconds($0)).duration <= limit.time }
    guard let most = limit.ends, ends.count >= most else { return .serve }
    return .leaveAlone(ends: ends.count)
  }

  /// Notes that the process was asked to end, as by `systemctl restart` or when the modem is unplugged: all is forgotten.
  public mutating func finish() { self = EndRecord() }

  /// Notes that the process ends by itself, with an error of its own that is not the modem's doing.
  public mutating func giveUp() { isRunning = false }
}

/// The waits between two attempts to reach a port that does not answer; the last one repeats.
struct PortRetry {
  private static let waits: [Duration] = [.milliseconds(50), .milliseconds(100), .milliseconds(250), .seconds(1)]
  private var failures = 0

  /// The port answered.
  mutating func succeeded() { failures = 0 }

  /// How long to wait now.
  mutating func next() -> Duration {
    defer { failures += 1 }
    return Self.waits[min(failures, Self.waits.count - 1)]
  }
}

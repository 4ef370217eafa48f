import OutsideNumber

// Sums and differences are limited to the years of a Timestamp, so that no time from outside can
// overflow them.
extension Timestamp {
  /// The first millisecond of the year 0 and the last one of the year 9999: the range of RFC 3339.
  public static let earliest = Timestamp(milliseconds: .min)
  public static let latest = Timestamp(milliseconds: .max)

  /// - Parameter seconds: since 1970.
  public init(_ seconds: OutsideSeconds) { self.init(milliseconds: seconds.milliseconds) }

  /// Whole seconds since 1970, cut off.
  public var seconds: Int64 { milliseconds / 1000 }

  /// The moment later by a time; earlier for a negative time.
  public func later(by time: Duration) -> Timestamp {
    let (sum, isOver) = milliseconds.addingReportingOverflow(time.saturatedMilliseconds)
    return isOver ? (time < .zero ? .earliest : .latest) : Timestamp(milliseconds: sum)
  }

  /// From this moment to a later one; zero if that one is not later.
  public func time(to later: Timestamp) -> Duration { max(later.time(since: self), .zero) }

  /// From an earlier moment to this one; negative if that one is not earlier.
  public func time(since earlier: Timestamp) -> Duration {
    // Impossible: both are within ten thousand years.
    .milliseconds(milliseconds - earlier.milliseconds)
  }
}

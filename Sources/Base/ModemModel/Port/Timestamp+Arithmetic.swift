import OutsideNumber

// Sums and differences are held within the years that a Timestamp has, so that no moment or time from outside can overflow them.
extension Timestamp {
  /// The first millisecond of the year 0 and the last one of the year 9999: what RFC 3339 can write.
  public static let earliest = Timestamp(milliseconds: .min)
  public static let latest = Timestamp(milliseconds: .max)

  /// - Parameter seconds: since 1970.
  public init(_ seconds: OutsideSeconds) { self.init(milliseconds: seconds.milliseconds) }

  /// Whole seconds since 1970, cut off.
  public var seconds: Int64 { milliseconds / 1000 }

  /// The moment so much later; earlier for a negative time.
  public func later(by time: Duration) -> Timestamp {
    let (sum, isOver) = milliseconds.addingReportingOverflow(time.saturatedMilliseconds)
    return isOver ? (time < .zero ? .earliest : .latest) : Timestamp(milliseconds: sum)
  }

  /// From this moment to a later one; zero where that is not later.
  public func time(to later: Timestamp) -> Duration { max(later.time(since: self), .zero) }

  /// From an earlier moment to this one; negative where that is not earlier.
  public func time(since earlier: Timestamp) -> Duration {
    // Impossible: both are within ten thousand years.
    .milliseconds(milliseconds - earlier.milliseconds)
  }
}

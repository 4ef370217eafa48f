extension Duration {
  /// The longest wait: a hundred years. Clocks and timers accept it, but not every duration.
  public static let longest = Duration.seconds(100 * 366 * 86_400)

  /// Limited to the range from zero to `longest`, as timers need it.
  public var bounded: Duration { min(max(self, .zero), .longest) }

  /// Whole milliseconds, truncated towards zero and limited to the range of Int64.
  public var saturatedMilliseconds: Int64 { saturated(thousandths: 1000) }

  /// Whole milliseconds, rounded up so that a wait is long enough, and limited to the range of Int.
  public var millisecondsRoundedUp: Int {
    let whole = saturatedMilliseconds
    return Int(clamping: self > .milliseconds(whole) && whole < .max ? whole + 1 : whole)
  }

  /// Whole nanoseconds, truncated towards zero and limited to the range of Int64.
  public var saturatedNanoseconds: Int64 { saturated(thousandths: 1_000_000_000) }

  /// - Parameter thousandths: parts of a second, a power of ten up to 10^9.
  private func saturated(thousandths parts: Int64) -> Int64 {
    let (seconds, attoseconds) = components
    let (whole, isOver) = seconds.multipliedReportingOverflow(by: parts)
    guard !isOver else { return seconds < 0 ? .min : .max }
    let (sum, isTooMuch) = whole.addingReportingOverflow(attoseconds / (1_000_000_000_000_000_000 / parts))
    guard !isTooMuch else { return seconds < 0 ? .min : .max }
    return sum
  }
}

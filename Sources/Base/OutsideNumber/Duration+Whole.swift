extension Duration {
  /// The longest that anything is waited for: a hundred years. Clocks and timers take it, which do not take any duration.
  public static let longest = Duration.seconds(100 * 366 * 86_400)

  /// Held within nothing and `longest`, as timers need it.
  public var bounded: Duration { min(max(self, .zero), .longest) }

  /// Whole milliseconds, cut off towards zero; what Int64 cannot count is as much as it can.
  public var saturatedMilliseconds: Int64 { saturated(thousandths: 1000) }

  /// Whole milliseconds, rounded up, so that a wait of so long is long enough; what Int cannot count is as much as it can.
  public var millisecondsRoundedUp: Int {
    let whole = saturatedMilliseconds
    return Int(clamping: self > .milliseconds(whole) && whole < .max ? whole + 1 : whole)
  }

  /// Whole nanoseconds, cut off towards zero; what Int64 cannot count is as much as it can.
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

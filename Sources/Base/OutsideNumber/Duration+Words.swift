extension Duration {
  /// The duration for a person: `12 ms`, `1.3 s`, `30 s`.
  ///
  /// Milliseconds below a second, then seconds, with a tenth below ten seconds if it is not zero.
  /// The rest is truncated, and milliseconds are limited to the range of Int64.
  public var words: String {
    let milliseconds = saturatedMilliseconds
    // The sign comes first; the smallest number has no positive counterpart.
    let (sign, whole) = (milliseconds < 0 ? "-" : "", milliseconds.magnitude)
    if whole < 1000 { return "\(sign)\(whole) ms" }
    let (seconds, tenths) = (whole / 1000, whole % 1000 / 100)
    return seconds >= 10 || tenths == 0 ? "\(sign)\(seconds) s" : "\(sign)\(seconds).\(tenths) s"
  }
}

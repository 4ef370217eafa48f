extension Duration {
  /// The duration for a person: `12 ms`, `1.3 s`, `30 s`.
  ///
  /// Below a second in milliseconds; from there on in seconds, with a tenth below ten seconds where there is one. What is left is cut
  /// off, and what Int64 cannot count in milliseconds is as much as it can.
  public var words: String {
    let milliseconds = saturatedMilliseconds
    // The sign stands before all else; the least number has no positive one.
    let (sign, whole) = (milliseconds < 0 ? "-" : "", milliseconds.magnitude)
    if whole < 1000 { return "\(sign)\(whole) ms" }
    let (seconds, tenths) = (whole / 1000, whole % 1000 / 100)
    return seconds >= 10 || tenths == 0 ? "\(sign)\(seconds) s" : "\(sign)\(seconds).\(tenths) s"
  }
}

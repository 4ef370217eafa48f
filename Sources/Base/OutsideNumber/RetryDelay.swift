/// How long to wait before asking again, as the server requests (RFC 9110, 10.2.3).
public enum RetryDelay {
  /// The seconds that are reported: zero to a week.
  public static let seconds = 0...604_800

  /// Held within `seconds`.
  public static func bounded(_ seconds: some BinaryInteger) -> Int {
    OutsideSeconds(seconds).clamped(to: Self.seconds)
  }
}

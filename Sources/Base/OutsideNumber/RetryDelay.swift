/// How long to wait before asking again, as whoever was asked wants it (RFC 9110, 10.2.3).
public enum RetryDelay {
  /// The seconds that are told: none to a week.
  public static let seconds = 0...604_800

  /// Held within `seconds`.
  public static func bounded(_ seconds: some BinaryInteger) -> Int {
    OutsideSeconds(seconds).clamped(to: Self.seconds)
  }
}

/// The dates of HTTP's fields.
public enum HTTPDate {
  /// Seconds since 1970 of a date in any of its three forms (RFC 9110, 5.6.7); nil for any other
  /// text.
  public static func seconds(_ text: String) -> Int64? { CookieDate.seconds(text) }
}

import OutsideNumber

/// When an overloaded server accepts requests again (RFC 9110, 10.2.3; RFC 6585, 4).
enum RetryAfter {
  /// Whether an answer means that requests come too often. A 503 only does if it gives a time;
  /// otherwise it is an error.
  static func isRateLimit(_ response: ChainMachine.Response, now: Int64) -> Bool {
    response.status == 429 || response.status == 503 && seconds(in: response, now: now) != nil
  }

  /// Seconds from now in the first readable Retry-After field; nil without one.
  ///
  /// - Parameter now: seconds since 1970.
  static func seconds(in response: ChainMachine.Response, now: Int64) -> Int? {
    response.values("retry-after").lazy.compactMap { seconds($0, now: now) }.first
  }

  /// Reads a number of seconds or an HTTP-date in any of its three forms (RFC 9110, 5.6.7).
  static func seconds(_ field: String, now: Int64) -> Int? {
    let text = field.trimmingBlanks
    if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
      return OutsideSeconds(text).map { RetryDelay.bounded($0.count) }
    }
    guard let time = CookieDate.seconds(String(text)) else { return nil }
    return RetryDelay.bounded((OutsideSeconds(time) - OutsideSeconds(now)).count)
  }
}

import Web

/// The lenient date of a cookie's Expires (RFC 6265, 5.1.1).
enum CookieDate {
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Seconds since 1970; nil if the text holds no complete date.
  static func seconds(_ text: String) -> Int64? {
    var time: (Int64, Int64, Int64)?
    var (day, month, year): (Int64?, Int64?, Int64?)
    let tokens = text.split { character in
      !(character.isASCII && (character.isLetter || character.isNumber || character == ":"))
    }
    for token in tokens {
      if time == nil, let value = clock(token) {
        time = value
      } else if day == nil, let value = number(token, digits: 1...2) {
        day = value
      } else if month == nil, let index = months.firstIndex(of: token.prefix(3).lowercased()) {
        month = Int64(index) + 1
      } else if year == nil, let value = number(token, digits: 2...4) {
        year = value < 70 ? value + 2000 : value < 100 ? value + 1900 : value
      }
    }
    guard let (hour, minute, second) = time, let day, let month, let year, (1...31).contains(day), year >= 1601,
      hour < 24, minute < 60, second < 60
    else { return nil }
    return days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
  }

  private static func clock(_ token: Substring) -> (Int64, Int64, Int64)? {
    let parts = token.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 1...2) }
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2] else { return nil }
    return (hour, minute, second)
  }

  private static func number(_ token: Substring, digits: ClosedRange<Int>) -> Int64? {
    let prefix = token.prefix { $0.isNumber && $0.isASCII }
    return digits.contains(prefix.count) ? Int64(prefix) : nil
  }

  // Days since 1970 in the proleptic Gregorian calendar, with years that begin on 1 March.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

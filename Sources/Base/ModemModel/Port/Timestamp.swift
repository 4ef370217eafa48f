/// A moment on the wall clock, to the millisecond, in the years 0 to 9999, the range of RFC 3339.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  public let milliseconds: Int64

  /// - Parameter milliseconds: since 1970; moments outside the years 0 to 9999 become the first or
  ///   last moment in them.
  public init(milliseconds: Int64) {
    self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
  }

  /// 0000-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z.
  static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  /// RFC 3339 in UTC with milliseconds, as in 2026-11-21T08:00:00.000Z.
  public var description: String {
    let day = milliseconds.floorDivided(by: 86_400_000)
    // Impossible: a day's beginning is not beyond the moment in it.
    let rest = milliseconds - day * 86_400_000
    let (year, month, date) = Self.civil(daysSince1970: day)
    let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { Self.padded($0, 2) }
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(date, 2))"
      + "T\(time.joined(separator: ":")).\(Self.padded(rest % 1000, 3))Z"
  }

  /// Reads exactly the form that `description` writes, with an optional fraction; nil for anything
  /// else, and for days that a month does not have.
  public init?(rfc3339 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
    for (position, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] {
      guard bytes[position] == Array(mark.utf8)[0] else { return nil }
    }
    let number = { (range: Range<Int>) -> Int64? in
      bytes[range].allSatisfy { (0x30...0x39).contains($0) }
        ? bytes[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) } : nil
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), (1...12).contains(month), (1...31).contains(day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    var fraction: Int64 = 0
    if bytes.count > 20 {
      guard bytes[19] == UInt8(ascii: "."), bytes.count == 24, let value = number(20..<23) else { return nil }
      fraction = value
    }
    let days = Self.days(year: year, month: month, day: day)
    guard Self.civil(daysSince1970: days) == (year, month, day) else { return nil }
    milliseconds = (days * 86_400 + hour * 3600 + minute * 60 + second) * 1000 + fraction
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }

  // The proleptic Gregorian calendar, counted in 400-year eras that begin on 1 March.
  private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year.floorDivided(by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Int64 {
  fileprivate func floorDivided(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : (self - divisor + 1) / divisor
  }
}

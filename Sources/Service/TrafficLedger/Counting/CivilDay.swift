import Glibc
import ModemModel

/// A day of the calendar.
package struct CivilDay: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let year: Int
  package let month: Int
  package let day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads the form of `description`; nil for anything else.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      parts.map(\.utf8.count) == [4, 2, 2], let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2]),
      (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  package static func < (one: CivilDay, other: CivilDay) -> Bool {
    (one.year, one.month, one.day) < (other.year, other.month, other.day)
  }

  package func isInMonth(of other: CivilDay) -> Bool { (year, month) == (other.year, other.month) }

  /// As in 2026-11-26.
  package var description: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}

/// Days and their beginnings, in one time zone.
package struct LocalCalendar: Sendable {
  let day: @Sendable (Timestamp) -> CivilDay
  /// The first moment of a day; a `day` or `month` beyond the end counts on.
  let start: @Sendable (_ year: Int, _ month: Int, _ day: Int) -> Timestamp

  /// - Parameters:
  ///   - day: the day of a moment.
  ///   - start: the first moment of a day; a day or month beyond the last one counts on.
  package init(
    day: @escaping @Sendable (Timestamp) -> CivilDay,
    start: @escaping @Sendable (_ year: Int, _ month: Int, _ day: Int) -> Timestamp
  ) {
    self.day = day
    self.start = start
  }

  /// The day of a moment, with its first moment and that of the next day.
  func span(of moment: Timestamp) -> (day: CivilDay, range: Range<Timestamp>) {
    let day = day(moment)
    let first = start(day.year, day.month, day.day)
    let next = start(day.year, day.month, day.day + 1)
    // Time zones do strange things at times: a day is never looked up forever, nor for ever.
    return (day, min(first, moment)..<max(next, moment.later(by: .seconds(1))))
  }

  func nextDay(after day: CivilDay) -> Timestamp { start(day.year, day.month, day.day + 1) }

  func nextMonth(after day: CivilDay) -> Timestamp { start(day.year, day.month + 1, 1) }

  /// That of this machine.
  package static let machine = LocalCalendar { moment in
    var (time, parts) = (time_t(moment.seconds), tm())
    tzset()
    guard localtime_r(&time, &parts) != nil else { return CivilDay(year: 1970, month: 1, day: 1) }
    return CivilDay(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
  } start: { year, month, day in
    var parts = tm()
    parts.tm_year = Int32(clamping: year - 1900)
    parts.tm_mon = Int32(clamping: month - 1)
    parts.tm_mday = Int32(clamping: day)
    parts.tm_isdst = -1
    return Timestamp(seconds: Int64(mktime(&parts)))
  }
}

extension Timestamp {
  /// - Parameter seconds: since 1970, of the machine's clock.
  fileprivate init(seconds: Int64) {
    let (milliseconds, isOver) = seconds.multipliedReportingOverflow(by: 1000)
    self.init(milliseconds: isOver ? (seconds < 0 ? .min : .max) : milliseconds)
  }
}

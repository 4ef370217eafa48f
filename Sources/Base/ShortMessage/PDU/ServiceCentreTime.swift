import ModemModel

/// When the service centre received a message, with its local time zone (3GPP TS 23.040, 9.2.3.11).
package struct ServiceCentreTime: Hashable, Sendable {
  package let time: Timestamp
  /// Minutes east of UTC, in quarters of an hour.
  package let zoneMinutes: Int

  package init(time: Timestamp, zoneMinutes: Int) {
    self.time = time
    self.zoneMinutes = zoneMinutes
  }

  /// Reads seven octets of swapped digits; nil if they are not a time, because some service centres
  /// send zeros.
  init?(_ octets: ArraySlice<UInt8>) {
    let octets = Array(octets)
    guard octets.count == 7 else { return nil }
    let numbers = octets[..<6].map { Int($0 & 0xf) * 10 + Int($0 >> 4) }
    guard octets[..<6].allSatisfy({ $0 & 0xf < 10 && $0 >> 4 < 10 }) else { return nil }
    let (year, month, day) = (numbers[0] + (numbers[0] < 90 ? 2000 : 1900), numbers[1], numbers[2])
    let pad = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    guard day <= Self.days(in: month, of: year),
      let local = Timestamp(
        rfc3339: "\(year)-\(pad(month))-\(pad(day))T\(pad(numbers[3])):\(pad(numbers[4])):\(pad(numbers[5]))Z")
    else { return nil }
    // The sign is the top bit of the first digit.
    let (tens, ones) = (Int(octets[6] & 0x7), Int(octets[6] >> 4))
    let quarters = ones < 10 ? tens * 10 + ones : 0
    // No time zone is more than 14 hours from UTC.
    let minutes = quarters > 56 ? 0 : octets[6] & 0x8 == 0 ? quarters * 15 : quarters * -15
    self.init(time: local.later(by: .seconds(minutes * -60)), zoneMinutes: minutes)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

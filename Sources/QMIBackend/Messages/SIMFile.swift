/// The contents of files on a SIM (3GPP TS 31.102, ETSI TS 102 221).
enum SIMFile {
  /// EF_ICCID: digits in swapped nibbles, filled up with F.
  static func iccid(_ bytes: [UInt8]) -> String? {
    let digits = swappedDigits(bytes)
    return (18...20).contains(digits.count) ? digits : nil
  }

  /// EF_IMSI (4.2.2): a length, then swapped nibbles of which the first tells the parity.
  static func imsi(_ bytes: [UInt8]) -> String? {
    guard let length = bytes.first, (1...8).contains(length), bytes.count > Int(length) else { return nil }
    let digits = swappedDigits(Array(bytes[1...Int(length)]))
    guard let parity = digits.first, parity == "9" || parity == "1", (6...16).contains(digits.count) else { return nil }
    return String(digits.dropFirst())
  }

  /// EF_AD (4.2.18): the fourth byte holds the number of digits of the home network's MNC.
  static func mncLength(_ bytes: [UInt8]) -> Int? {
    guard bytes.count > 3, case let length = Int(bytes[3] & 0x0f), length == 2 || length == 3 else { return nil }
    return length
  }

  /// A record of EF_MSISDN (4.2.26): a name, then length, type of number, ten bytes of swapped nibbles and two ids.
  static func msisdn(_ record: [UInt8]) -> String? {
    guard record.count >= 14, case let fields = Array(record.suffix(14)), (2...11).contains(fields[0]) else {
      return nil
    }
    let digits = swappedDigits(Array(fields[2..<(1 + Int(fields[0]))]))
    guard !digits.isEmpty else { return nil }
    let isInternational = fields[1] & 0x70 == 0x10
    return isInternational ? "+" + digits : digits
  }

  /// Decimal digits, low nibble first, up to the first that is none.
  private static func swappedDigits(_ bytes: [UInt8]) -> String {
    let nibbles = bytes.flatMap { [$0 & 0x0f, $0 >> 4] }
    return nibbles.prefix { $0 < 10 }.map { String($0) }.joined()
  }
}

/// Bytes as lower-case hexadecimal digits, as in the service's JSON.
enum Hexadecimal {
  /// - Parameter name: the text's name in errors.
  /// - Throws: `badEncoding` for anything but pairs of hexadecimal digits.
  static func bytes(of text: String, _ name: String) throws(MPinError) -> [UInt8] {
    let digits = Array(text.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count - 1, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { break }
      bytes.append(high << 4 | low)
    }
    guard bytes.count * 2 == digits.count else {
      throw MPinError(
        .badEncoding, "the \(name) is not hexadecimal: expected are pairs of the digits 0 to 9 and a to f")
    }
    return bytes
  }

  static func text(of bytes: some Collection<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

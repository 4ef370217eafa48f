/// Bytes as pairs of hexadecimal digits (RFC 4648, 8).
public enum Hexadecimal {
  /// - Parameter uppercase: whether the digits above 9 are capitals.
  public static func text(of bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: uppercase) }.joined()
  }

  /// Reads digits of either case; nil for what is not of such pairs.
  public static func bytes(of text: some StringProtocol) -> [UInt8]? {
    let digits = text.utf8.map { UInt8(exactly: Character(Unicode.Scalar($0)).hexDigitValue ?? -1) }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count - 1, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

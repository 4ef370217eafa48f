/// Bytes as pairs of hexadecimal digits (RFC 4648, 8).
public enum Hexadecimal {
  /// In lower case.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Reads digits in upper or lower case; nil for anything that is not made of such pairs.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
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

/// Random ids of one request (RFC 9562, 5.4).
public enum RandomUUID {
  /// - Parameter random: 16 bytes; missing ones count as zeros.
  public static func text(of random: [UInt8]) -> String {
    var bytes = Array((random + [UInt8](repeating: 0, count: 16)).prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hexadecimal.encode(bytes[$0]) }.joined(separator: "-")
  }
}

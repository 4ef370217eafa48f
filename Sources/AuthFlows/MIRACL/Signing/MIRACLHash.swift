/// The hash of a document that is to be signed. What is signed are its bytes.
public struct MIRACLHash: Hashable, Sendable {
  /// 16 to 64 bytes: 32 with SHA-256.
  public static let lengths = 16...64

  public let bytes: [UInt8]

  /// Reads hexadecimal digits; nil for anything else.
  public init?(_ text: String) {
    let digits = text.utf8.map { Self.value($0) }
    guard digits.count.isMultiple(of: 2), Self.lengths.contains(digits.count / 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// Lower-case hexadecimal digits.
  public var hex: String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x61 + 10
    case 0x41...0x46: digit - 0x41 + 10
    default: nil
    }
  }
}

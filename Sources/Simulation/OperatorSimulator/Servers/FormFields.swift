/// Reads `a=1&b=2` with percent-encoding.
package enum FormFields {
  /// Where a name stands twice the first counts.
  package static func parse(_ text: some StringProtocol) -> [String: String] {
    Dictionary(pairs(text).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// All fields, in order.
  package static func pairs(_ text: some StringProtocol) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (decode(halves[0]), halves.count > 1 ? decode(halves[1]) : "")
    }
  }

  private static func decode(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(0x20)
      case UInt8(ascii: "%"):
        guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { continue }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Percent-encodes all but unreserved characters (RFC 3986, 2.3).
  package static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { encoded, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
        encoded.unicodeScalars.append(UnicodeScalar(byte))
      default: encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}

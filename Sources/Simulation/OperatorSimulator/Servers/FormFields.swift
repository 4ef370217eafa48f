/// Reads `a=1&b=2` with percent-encoding.
enum FormFields {
  /// Where a name stands twice the first counts.
  static func parse(_ text: some StringProtocol) -> [String: String] {
    Dictionary(pairs(text).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// All fields, in order.
  static func pairs(_ text: some StringProtocol) -> [(name: String, value: String)] {
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
}

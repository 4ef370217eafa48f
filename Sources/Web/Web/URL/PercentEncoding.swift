/// Percent-encoding (RFC 3986, 2.1) and the form encoding of parameters.
package enum PercentEncoding {
  package static func encode(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "%" + (digits.count == 1 ? "0" : "") + digits
  }

  /// Decodes a name or value of application/x-www-form-urlencoded; a `%` without two digits stays
  /// unchanged.
  package static func decodeForm(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(0x20)
      } else if byte == UInt8(ascii: "%"), let high = digit(rest.first), let low = digit(rest.dropFirst().first) {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8?) -> UInt8? {
    guard let byte, let value = Character(UnicodeScalar(byte)).hexDigitValue, byte < 0x80 else { return nil }
    return UInt8(value)
  }
}

import ModemModel

extension Hexadecimal {
  /// Reads digits of either case.
  ///
  /// - Parameter name: what the text is, for the error.
  /// - Throws: `badEncoding` for anything but pairs of hexadecimal digits.
  static func bytes(of text: String, _ name: String) throws(MPinError) -> [UInt8] {
    guard let bytes = bytes(of: text) else {
      throw MPinError(
        .badEncoding, "the \(name) is not hexadecimal: expected are pairs of the digits 0 to 9 and a to f")
    }
    return bytes
  }
}

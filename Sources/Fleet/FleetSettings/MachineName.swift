internal import CCrypto
import Glibc

/// This machine's name in a fleet.
package enum MachineName {
  /// Of modemd-fleet alone, so that no other program's name for this machine is like it.
  private static let application: [UInt8] = [
    0x5e, 0x8a, 0x0d, 0x3b, 0x91, 0x74, 0x4c, 0x26, 0xb8, 0x15, 0xf2, 0x60, 0x9c, 0x47, 0xde, 0xa3,
  ]

  /// A name that does not tell the machine's id, which machine-id(5) calls confidential: the way of
  /// sd_id128_get_machine_app_specific(3), HMAC-SHA-256 of a constant under the id.
  ///
  /// - Returns: `machine-` and sixteen hexadecimal digits; nil where the id cannot be read.
  package static func derived(from path: String = "/etc/machine-id") -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 40)
    let count = fread(&bytes, 1, bytes.count, file)
    let digits = bytes[..<count].prefix { $0 != 0x0a }
    guard digits.count == 32, var rest = UInt128(String(decoding: digits, as: UTF8.self), radix: 16)?.bigEndian,
      rest != 0
    else { return nil }
    var code = [UInt8](repeating: 0, count: 32)
    let isDone = withUnsafeBytes(of: &rest) {
      HMAC(EVP_sha256(), $0.baseAddress, Int32($0.count), application, application.count, &code, nil) != nil
    }
    guard isDone else { return nil }
    return "machine-" + code.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Whether it can be a level of topics, a client's identifier and a common name.
  package static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { isSmallLetterOrDigit($0) || $0 == 0x2d }
  }

  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x41...0x5a).contains(byte) || isSmallLetterOrDigit(byte)
  }

  private static func isSmallLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte)
  }
}

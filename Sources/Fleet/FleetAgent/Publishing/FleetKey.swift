import CCrypto
import Glibc

/// The key with which machines of a fleet name what may not be told: modems, and numbers where the
/// settings want that. It prints nothing.
package struct FleetKey: Sendable, CustomStringConvertible, CustomReflectable {
  private let bytes: [UInt8]

  /// - Parameter bytes: 32 to 512 bytes; nil otherwise.
  package init?(_ bytes: [UInt8]) {
    guard (32...512).contains(bytes.count) else { return nil }
    self.bytes = bytes
  }

  /// A key of this machine alone.
  package static func random() -> FleetKey {
    var generator = SystemRandomNumberGenerator()
    return FleetKey(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a key's file: all its bytes, without white space at its end.
  ///
  /// - Throws: `FleetMemoryError`.
  package static func read(_ path: String) throws -> FleetKey {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw FleetMemoryError("\(path): it cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var content = [UInt8](repeating: 0, count: 513)
    let count = Glibc.read(descriptor, &content, content.count)
    content.removeLast(content.count - max(count, 0))
    while let last = content.last, [0x20, 0x09, 0x0A, 0x0D].contains(last) { content.removeLast() }
    guard let key = FleetKey(content) else {
      throw FleetMemoryError(
        "\(path): expected 32 to 512 bytes; make a key with: openssl rand -hex 32")
    }
    return key
  }

  package var description: String { "a fleet's key" }
  package var customMirror: Mirror { Mirror(self, children: []) }

  /// For the agent's own state file.
  var stored: [UInt8] { bytes }

  /// HMAC-SHA-256 (RFC 2104) of a purpose and a text, in lower-case hexadecimal digits.
  ///
  /// - Parameter count: bytes of the code, 1 to 32.
  private func code(_ purpose: String, _ text: String, count: Int) -> String {
    let message = Array("\(purpose)\u{0}\(text)".utf8)
    var code = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    guard HMAC(EVP_sha256(), bytes, Int32(bytes.count), message, message.count, &code, &length) != nil else {
      // libcrypto without memory, or configured without SHA-256: no name is better than a true one.
      return String(repeating: "0", count: count * 2)
    }
    return code.prefix(count).hexadecimal
  }

  /// A modem's name in the fleet: `m` and 8 hexadecimal digits. modemd's own id would tell the IMEI
  /// to whoever can try a model's million serial numbers.
  package func name(ofModem id: String) -> String { "m" + code("modem", id, count: 4) }

  /// By what a number is found without telling it: HMAC-SHA-256 of E.164 with its plus sign, cut to
  /// 16 bytes, in hexadecimal digits.
  package func numberKey(_ number: String) -> String {
    let message = Array(number.utf8)
    var code = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    guard HMAC(EVP_sha256(), bytes, Int32(bytes.count), message, message.count, &code, &length) != nil else {
      return ""
    }
    return code.prefix(16).hexadecimal
  }
}

extension Sequence<UInt8> {
  /// Two lower-case digits for each byte.
  var hexadecimal: String {
    String(decoding: flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static var digits: [UInt8] { Array("0123456789abcdef".utf8) }
}

extension Array<UInt8> {
  /// The bytes of lower-case hexadecimal digits; nil for anything else.
  init?(hexadecimal text: some StringProtocol) {
    let digits = text.utf8.compactMap { digit -> UInt8? in
      switch digit {
      case 0x30...0x39: digit - 0x30
      case 0x61...0x66: digit - 0x57
      default: nil
      }
    }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

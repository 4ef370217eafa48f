import AuthCore
import ModemModel

/// What the flows need but must not implement: randomness and a hash.
package struct OpenIDTools: Sendable {
  /// The given number of unpredictable bytes.
  package var random: @Sendable (_ count: Int) -> [UInt8]
  /// SHA-256, 32 bytes.
  package var sha256: @Sendable (_ bytes: [UInt8]) -> [UInt8]

  package init(
    random: @escaping @Sendable (Int) -> [UInt8] = Self.systemRandom, sha256: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) {
    self.random = random
    self.sha256 = sha256
  }

  /// A random UUID (RFC 9562, 5.4), for ids of single requests.
  package func uuid() -> String { RandomUUID.text(of: random(16)) }

  /// SHA-256 of a text, in lower-case hex.
  package func hexDigest(_ text: String) -> String { Hexadecimal.text(of: sha256(Array(text.utf8))) }

  /// From the kernel.
  @Sendable package static func systemRandom(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in generator.next() }
  }
}

extension StringProtocol {
  /// Whether it only contains ASCII letters, digits and these characters.
  package func isName(and others: StaticString) -> Bool {
    let others = Array("\(others)".utf8)
    return utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        || others.contains(byte)
    }
  }
}

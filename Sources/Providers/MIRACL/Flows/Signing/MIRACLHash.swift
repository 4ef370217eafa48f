import AuthCore
import ModemModel

/// The hash of a document to sign. Its bytes are signed.
package struct MIRACLHash: Hashable, Sendable {
  /// 16 to 64 bytes: 32 with SHA-256.
  package static let lengths = 16...64

  package let bytes: [UInt8]

  /// Reads hexadecimal digits; nil for anything else.
  package init?(_ text: String) {
    guard let bytes = Hexadecimal.bytes(of: text), Self.lengths.contains(bytes.count) else { return nil }
    self.bytes = bytes
  }

  /// Lower-case hexadecimal digits.
  package var hex: String { Hexadecimal.text(of: bytes) }
}

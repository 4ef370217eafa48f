import AuthCore

/// The hash of a document to sign. Its bytes are signed.
public struct MIRACLHash: Hashable, Sendable {
  /// 16 to 64 bytes: 32 with SHA-256.
  public static let lengths = 16...64

  public let bytes: [UInt8]

  /// Reads hexadecimal digits; nil for anything else.
  public init?(_ text: String) {
    guard let bytes = Hexadecimal.decode(text), Self.lengths.contains(bytes.count) else { return nil }
    self.bytes = bytes
  }

  /// Lower-case hexadecimal digits.
  public var hex: String { Hexadecimal.encode(bytes) }
}

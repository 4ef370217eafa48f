import ModemModel

/// The server's y of pass 1.
public struct ServerChallenge: Hashable, Sendable, CustomStringConvertible {
  /// 32 bytes unchanged, most significant first.
  public let bytes: [UInt8]
  /// Modulo the group's order.
  package let scalar: Scalar

  /// - Parameter bytes: 32 bytes; a number beyond the group's order counts modulo it.
  /// - Throws: `badLength`; `badScalar` where it is 0 modulo the order.
  public init(_ bytes: [UInt8]) throws(MPinError) {
    guard bytes.count == Scalar.byteCount else {
      throw MPinError(.badLength, "the challenge y is of \(bytes.count) bytes, expected are \(Scalar.byteCount)")
    }
    self.bytes = bytes
    scalar = try Scalar(reducing: bytes, "challenge y")
  }

  /// Reads a challenge from 64 hexadecimal digits, the field `y`.
  /// - Throws: as `init(_:)`, and `badEncoding` for what is not hexadecimal.
  public init(hex: String) throws(MPinError) { try self.init(Hexadecimal.bytes(of: hex, "challenge y")) }

  /// A signature's challenge: SHA-256 of the timestamp in 4 bytes, U and the message.
  package init(timestamp: UInt32, u: G1Point, message: [UInt8]) throws(MPinError) {
    let time = withUnsafeBytes(of: timestamp.bigEndian) { Array($0) }
    try self.init(try Digest.sha256(time, u.bytes, message))
  }

  /// 64 lower-case hexadecimal digits.
  public var hex: String { Hexadecimal.text(of: bytes) }
  public var description: String { hex }
}

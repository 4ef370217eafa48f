/// The public key of a registration: a point of the twist's group of prime order.
public struct DVSPublicKey: Hashable, Sendable, CustomStringConvertible {
  /// 128: real and imaginary part of x, then of y, without a prefix.
  public static let byteCount = TwistPoint.byteCount

  public let bytes: [UInt8]

  /// Reads a key and checks it.
  ///
  /// - Parameter bytes: 128 bytes.
  /// - Throws: `badLength`; `badEncoding` for a coordinate that is not below p; `notOnCurve` also
  ///   for a point of another order.
  public init(_ bytes: [UInt8]) throws(MPinError) {
    _ = try TwistPoint(bytes, "public key")
    self.bytes = bytes
  }

  /// Reads a key from 256 hexadecimal digits and checks it.
  /// - Throws: as `init(_:)`, and `badEncoding` for what is not hexadecimal.
  public init(hex: String) throws(MPinError) { try self.init(Hexadecimal.bytes(of: hex, "public key")) }

  /// - Throws: `identityPoint`.
  package init(_ point: TwistPoint) throws(MPinError) { bytes = try point.bytes("public key") }

  /// 256 lower-case hexadecimal digits.
  public var hex: String { Hexadecimal.text(of: bytes) }
  public var description: String { hex }
}

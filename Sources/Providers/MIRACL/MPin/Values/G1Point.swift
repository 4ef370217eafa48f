/// A point that is not secret, such as U and V: on the curve and not at infinity.
public struct G1Point: Hashable, Sendable, CustomStringConvertible {
  /// 65: `04`, x and y, most significant byte first.
  public static let byteCount = CurvePoint.byteCount

  /// `04`, x and y.
  public let bytes: [UInt8]

  /// Reads a point and checks it.
  ///
  /// - Parameters:
  ///   - bytes: 65 bytes in uncompressed form.
  ///   - name: the point's name in errors.
  /// - Throws: `badLength`, `badEncoding` for another form, `notOnCurve`.
  public init(_ bytes: [UInt8], name: String = "point") throws(MPinError) {
    _ = try CurvePoint(SecretBytes(bytes), name)
    self.bytes = bytes
  }

  /// Reads a point from 130 hexadecimal digits and checks it.
  /// - Throws: as `init(_:name:)`, and `badEncoding` for what is not hexadecimal.
  public init(hex: String, name: String = "point") throws(MPinError) {
    try self.init(Hexadecimal.bytes(of: hex, name), name: name)
  }

  /// The map of a digest (see Docs/mpin.md).
  /// - Parameter digest: 32 bytes of SHA-256.
  package init(mapping digest: [UInt8]) throws(MPinError) { try self.init(CurvePoint(mapping: digest), "mapped point") }

  /// - Throws: `identityPoint`.
  package init(_ point: CurvePoint, _ name: String) throws(MPinError) { bytes = try point.bytes(name).revealed }

  package func curvePoint() throws(MPinError) -> CurvePoint { try CurvePoint(SecretBytes(bytes)) }

  /// 130 lower-case hexadecimal digits.
  public var hex: String { Hexadecimal.text(of: bytes) }
  public var description: String { hex }
}

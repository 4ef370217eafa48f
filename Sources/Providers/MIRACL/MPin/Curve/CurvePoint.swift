internal import CCrypto

/// A point of libcrypto's, wiped when it goes. Never changed once it was given away.
package final class CurvePoint {
  /// `04`, x and y: the one form that M-Pin sends.
  package static let byteCount = 65

  let pointer: OpaquePointer

  /// The point at infinity.
  private init() throws(MPinError) {
    guard let pointer = try EC_POINT_new(Group.pointer()) else { throw .library("a point") }
    self.pointer = pointer
  }

  deinit { EC_POINT_clear_free(pointer) }

  /// Reads a point and makes sure that it is on the curve; the cofactor is 1, so that it is in the group then.
  ///
  /// - Parameter name: what the point is, for the error.
  /// - Throws: `badLength`, `badEncoding`, `notOnCurve`.
  package convenience init(_ bytes: SecretBytes, _ name: String = "point") throws(MPinError) {
    guard bytes.count == Self.byteCount else {
      throw MPinError(.badLength, "the \(name) is of \(bytes.count) bytes, expected are \(Self.byteCount)")
    }
    // libcrypto knows hybrid forms too, which say the same of more than one text.
    guard bytes[0] == 4 else {
      throw MPinError(.badEncoding, "the \(name) is not in uncompressed form: expected is 04 before its coordinates")
    }
    try self.init()
    let (group, pointer) = (try Group.pointer(), pointer)
    let isRead = try bytes.withBytes { buffer throws(MPinError) in
      EC_POINT_oct2point(group, pointer, buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count, nil) == 1
    }
    guard isRead else {
      ERR_clear_error()
      throw MPinError(.notOnCurve, "the \(name) is no point of BN254CX")
    }
  }

  /// The sum of two points; a copy where there is one.
  private convenience init(adding left: CurvePoint, _ right: CurvePoint?) throws(MPinError) {
    try self.init()
    if let right {
      try check(
        EC_POINT_add(Group.pointer(), pointer, left.pointer, right.pointer, nil), "a sum of points", keeping: left,
        right)
    } else {
      try check(EC_POINT_copy(pointer, left.pointer), "a point", keeping: left)
    }
  }

  /// Maps a digest to the curve: x is its number modulo p, one more until x³ + 2 is a square, and y the even root.
  ///
  /// The time depends on the digest, which is made of what is sent openly.
  /// - Parameter digest: 32 bytes of SHA-256.
  package convenience init(mapping digest: [UInt8]) throws(MPinError) {
    let (x, y) = try Mapping().coordinates(of: digest)
    try self.init()
    try check(
      EC_POINT_set_affine_coordinates(Group.pointer(), pointer, x.pointer, y.pointer, nil), "a mapped point",
      keeping: x, y)
  }

  package var isInfinity: Bool { (try? EC_POINT_is_at_infinity(Group.pointer(), pointer)) == 1 }

  package static func + (left: CurvePoint, right: CurvePoint) throws(MPinError) -> CurvePoint {
    try CurvePoint(adding: left, right)
  }

  package static func - (left: CurvePoint, right: CurvePoint) throws(MPinError) -> CurvePoint {
    try left + right.negated()
  }

  package func negated() throws(MPinError) -> CurvePoint {
    let result = try CurvePoint(adding: self, nil)
    try check(EC_POINT_invert(Group.pointer(), result.pointer, nil), "an opposite point", keeping: result)
    return result
  }

  /// The multiple by a secret number, by libcrypto's ladder: its steps do not depend on the number.
  package static func * (scalar: Scalar, point: CurvePoint) throws(MPinError) -> CurvePoint {
    let (result, number) = (try CurvePoint(), try scalar.number())
    try check(
      EC_POINT_mul(Group.pointer(), result.pointer, nil, point.pointer, number.pointer, nil), "a multiple of a point",
      keeping: result, point, number)
    return result
  }

  /// `04`, x and y.
  /// - Parameter name: what the point is, for the error.
  /// - Throws: `identityPoint` for the point at infinity, which has no coordinates.
  package func bytes(_ name: String) throws(MPinError) -> SecretBytes {
    guard !isInfinity else { throw MPinError(.identityPoint, "the \(name) is the point at infinity") }
    let (group, pointer) = (try Group.pointer(), pointer)
    return try SecretBytes(count: Self.byteCount) { buffer throws(MPinError) in
      let start = buffer.bindMemory(to: UInt8.self).baseAddress
      guard
        EC_POINT_point2oct(group, pointer, POINT_CONVERSION_UNCOMPRESSED, start, buffer.count, nil) == buffer.count
      else { throw .library("a point's bytes") }
    }
  }
}

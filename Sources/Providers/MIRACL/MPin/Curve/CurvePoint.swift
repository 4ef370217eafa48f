internal import CCrypto

/// A point of libcrypto's, wiped at its end. Never changed once it was passed on.
package final class CurvePoint {
  /// `04`, x and y: the only form that M-Pin sends.
  package static let byteCount = 65

  let pointer: OpaquePointer

  /// The point at infinity.
  private init() throws(MPinError) {
    guard let pointer = try EC_POINT_new(Group.pointer()) else { throw .library("a point") }
    self.pointer = pointer
  }

  deinit { EC_POINT_clear_free(pointer) }

  /// Reads a point and checks that it is on the curve. The cofactor is 1, so it is then in the
  /// group.
  ///
  /// - Parameter name: the point's name in errors.
  /// - Throws: `badLength`, `badEncoding`, `notOnCurve`.
  package convenience init(_ bytes: SecretBytes, _ name: String = "point") throws(MPinError) {
    guard bytes.count == Self.byteCount else {
      throw MPinError(.badLength, "the \(name) is of \(bytes.count) bytes, expected are \(Self.byteCount)")
    }
    // libcrypto also knows hybrid forms, with which several texts mean the same point.
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

  /// The sum of two points; a copy if there is one.
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

  /// Maps a digest to the curve: x is its number modulo p, incremented until x³ + 2 is a square,
  /// and y is the even root.
  ///
  /// The time depends on the digest, which is made from public values.
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

  /// The multiple by a secret number, with libcrypto's ladder: its steps do not depend on the
  /// number.
  package static func * (scalar: Scalar, point: CurvePoint) throws(MPinError) -> CurvePoint {
    let (result, number) = (try CurvePoint(), try scalar.number())
    try check(
      EC_POINT_mul(Group.pointer(), result.pointer, nil, point.pointer, number.pointer, nil), "a multiple of a point",
      keeping: result, point, number)
    return result
  }

  /// `04`, x and y.
  /// - Parameter name: the point's name in errors.
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

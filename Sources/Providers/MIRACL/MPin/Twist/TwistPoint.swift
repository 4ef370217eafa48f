internal import CCrypto

/// A point of the twist y² = x³ + 2/(1 + i) = x³ + (1 − i) over Fp2, in projective coordinates.
///
/// The curve has no point of order 2. The complete formulas of Renes, Costello and Batina (Complete
/// addition formulas for prime order elliptic curves, 2016, algorithms 7 and 9) therefore hold for
/// each pair of points, without case distinctions.
package struct TwistPoint {
  /// Real and imaginary part of x, then of y, without a prefix.
  package static let byteCount = 128

  /// Q, the generator that M-Pin uses.
  private static let generatorBytes = Group.constant(
    "19682d2c7053b256358b2500f5c34bbb907c85bfa03e2726c0851ceee4d2ec74"
      + "1466b9ec3e19f64aa011c937a8e99743f81b97b0c209c30f47a58e8b2e29cfe1"
      + "0a79edd972332b8dd81e22157daee2096361b33d847ec1b30cfbfcebcf0be09f"
      + "06160c39ecc4c09035c6e4512d8d3461c2864ea569d2edebed904b228898ee9d")

  private let x: QuadraticElement
  private let y: QuadraticElement
  private let z: QuadraticElement

  private init(_ x: QuadraticElement, _ y: QuadraticElement, _ z: QuadraticElement) {
    self.x = x
    self.y = y
    self.z = z
  }

  package static func generator() throws(MPinError) -> TwistPoint {
    try TwistPoint(onCurve: generatorBytes, "generator")
  }

  /// Reads a point and checks that it is in the group of prime order.
  ///
  /// - Parameter name: the point's name in errors.
  /// - Throws: `badLength`, `badEncoding`, `notOnCurve`.
  package init(_ bytes: [UInt8], _ name: String) throws(MPinError) {
    try self.init(onCurve: bytes, name)
    // The twist has more points than the group has, by a factor of 2p − n.
    guard try timesOrder().z.isZero else {
      throw MPinError(.notOnCurve, "the \(name) is not in the group of prime order")
    }
  }

  private init(onCurve bytes: [UInt8], _ name: String) throws(MPinError) {
    guard bytes.count == Self.byteCount else {
      throw MPinError(.badLength, "the \(name) is of \(bytes.count) bytes, expected are \(Self.byteCount)")
    }
    let field = try PrimeField()
    guard let x = try QuadraticElement(field, bytes[..<64]), let y = try QuadraticElement(field, bytes[64...]) else {
      throw MPinError(.badEncoding, "a coordinate of the \(name) is not below the field's prime")
    }
    let one = try QuadraticElement.one(field)
    guard try y * y == x * x * x + one.timesTwist() else {
      throw MPinError(.notOnCurve, "the \(name) is no point of the twist of BN254CX")
    }
    self.init(x, y, one)
  }

  /// - Throws: `identityPoint` for the point at infinity.
  package func bytes(_ name: String) throws(MPinError) -> [UInt8] {
    let (x, y) = try affine(name)
    return try x.bytes() + y.bytes()
  }

  /// x and y themselves.
  /// - Throws: `identityPoint` for the point at infinity.
  package func affine(_ name: String) throws(MPinError) -> (x: QuadraticElement, y: QuadraticElement) {
    guard !z.isZero else { throw MPinError(.identityPoint, "the \(name) is the point at infinity") }
    let inverse = try z.inverse()
    return (try x * inverse, try y * inverse)
  }

  /// Algorithm 7.
  package static func + (left: Self, right: Self) throws(MPinError) -> Self {
    let (xx, yy, zz) = (try left.x * right.x, try left.y * right.y, try left.z * right.z)
    let xy = try (left.x + left.y) * (right.x + right.y) - (xx + yy)
    let yz = try (left.y + left.z) * (right.y + right.z) - (yy + zz)
    let xz = try (left.x + left.z) * (right.x + right.z) - (xx + zz)
    let (threeXX, bzz, bxz) = (try tripled(xx), try tripled(zz.timesTwist()), try tripled(xz.timesTwist()))
    let (sum, difference) = (try yy + bzz, try yy - bzz)
    return Self(
      try xy * difference - yz * bxz, try bxz * threeXX + difference * sum, try sum * yz + threeXX * xy)
  }

  /// Algorithm 9.
  private func doubled() throws(MPinError) -> Self {
    let (yy, bzz) = (try y * y, try Self.tripled((z * z).timesTwist()))
    let two = try yy + yy
    let four = try two + two
    let eight = try four + four
    let (yz, sum) = (try y * z, try yy + bzz)
    let difference = try yy - Self.tripled(bzz)
    let half = try difference * (x * y)
    return Self(try half + half, try difference * sum + bzz * eight, try yz * eight)
  }

  private static func tripled(_ value: QuadraticElement) throws(MPinError) -> QuadraticElement {
    try value + value + value
  }

  /// The multiple by a secret number: a ladder of 254 equal steps.
  package static func * (scalar: Scalar, point: Self) throws(MPinError) -> Self {
    // Plus twice the order: the same point, and always 255 bits, of which the highest is the start.
    let (number, order) = (try scalar.number(), try Group.order())
    let longer = try BigNumber()
    try check(BN_add(longer.pointer, number.pointer, order.pointer), "a sum", keeping: longer, number, order)
    try check(BN_add(longer.pointer, longer.pointer, order.pointer), "a sum", keeping: longer, order)
    return try point.ladder(longer.bytes())
  }

  /// - Parameter bits: a number of 255 bits.
  private func ladder(_ bits: SecretBytes) throws(MPinError) -> Self {
    var (low, high) = (try copied(), try doubled())
    for place in stride(from: 253, through: 0, by: -1) {
      let bit = UInt(bits[31 - place / 8] >> UInt8(place % 8) & 1)
      Self.exchange(low, high, if: bit)
      (low, high) = (try low.doubled(), try low + high)
      Self.exchange(low, high, if: bit)
    }
    return low
  }

  /// The multiple by the group's order, which is no secret.
  private func timesOrder() throws(MPinError) -> Self {
    var result = self
    let bits = Group.orderBytes.flatMap { byte in (0..<8).map { byte << UInt8($0) & 0x80 != 0 } }.drop { !$0 }
    for bit in bits.dropFirst() {
      result = try result.doubled()
      if bit { result = try result + self }
    }
    return result
  }

  /// With its own numbers, which `exchange` may overwrite.
  private func copied() throws(MPinError) -> Self {
    let one = try QuadraticElement.one(x.real.field)
    return Self(try x * one, try y * one, try z * one)
  }

  private static func exchange(_ left: Self, _ right: Self, if bit: UInt) {
    QuadraticElement.exchange(left.x, right.x, if: bit)
    QuadraticElement.exchange(left.y, right.y, if: bit)
    QuadraticElement.exchange(left.z, right.z, if: bit)
  }
}

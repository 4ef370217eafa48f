/// A field, for the formulas below.
protocol PlainField: Equatable {
  static func + (left: Self, right: Self) -> Self
  static func - (left: Self, right: Self) -> Self
  static func * (left: Self, right: Self) -> Self
  var inverse: Self { get }
  var isZero: Bool { get }
  var bytes: [UInt8] { get }
}

/// Fp.
struct PlainFp: PlainField {
  static let one = PlainFp(PlainNumber(1))

  let number: PlainNumber
  private static let prime = PlainNumber.fieldPrime

  init(_ number: PlainNumber) { self.number = number }
  init(_ bytes: some Collection<UInt8>) { number = PlainNumber(Array(bytes)) }

  static func + (left: Self, right: Self) -> Self { Self(prime.sum(left.number, right.number)) }
  static func - (left: Self, right: Self) -> Self { Self(prime.difference(left.number, right.number)) }
  static func * (left: Self, right: Self) -> Self { Self(prime.product(left.number, right.number)) }
  var inverse: Self { Self(Self.prime.inverse(number)) }
  var isZero: Bool { number.isZero }
  var bytes: [UInt8] { number.bytes }
}

/// Fp[i], i² = −1.
struct PlainFp2: PlainField {
  let a: PlainFp
  let b: PlainFp

  init(_ a: PlainFp, _ b: PlainFp) {
    self.a = a
    self.b = b
  }

  static func + (left: Self, right: Self) -> Self { Self(left.a + right.a, left.b + right.b) }
  static func - (left: Self, right: Self) -> Self { Self(left.a - right.a, left.b - right.b) }
  static func * (left: Self, right: Self) -> Self {
    Self(left.a * right.a - left.b * right.b, left.a * right.b + left.b * right.a)
  }
  var inverse: Self {
    let norm = (a * a + b * b).inverse
    return Self(a * norm, PlainFp(PlainNumber(0)) - b * norm)
  }
  var isZero: Bool { a.isZero && b.isZero }
  var bytes: [UInt8] { a.bytes + b.bytes }
}

/// A point of a curve y² = x³ + b in Jacobian coordinates (x/z², y/z³); nil in their place is the
/// point at infinity. Double and add.
struct PlainPoint<Field: PlainField> {
  private let coordinates: (x: Field, y: Field, z: Field)?

  static var infinity: Self { Self(nil) }

  init(_ x: Field, _ y: Field, one: Field) { coordinates = (x, y, one) }

  private init(_ coordinates: (x: Field, y: Field, z: Field)?) { self.coordinates = coordinates }

  /// x and y; nil for the point at infinity.
  var bytes: [UInt8]? {
    guard let (x, y, z) = coordinates else { return nil }
    let inverse = z.inverse
    let square = inverse * inverse
    return (x * square).bytes + (y * square * inverse).bytes
  }

  var negated: Self {
    guard let (x, y, z) = coordinates else { return self }
    return Self((x, y - y - y, z))
  }

  private var doubled: Self {
    guard let (x, y, z) = coordinates, !y.isZero else { return .infinity }
    let yy = y * y
    let xyy = x * yy
    let s = xyy + xyy + xyy + xyy
    let m = x * x + x * x + x * x
    let x3 = m * m - s - s
    let two = yy * yy + yy * yy
    let four = two + two
    return Self((x3, m * (s - x3) - four - four, y * z + y * z))
  }

  static func + (left: Self, right: Self) -> Self {
    guard let (x1, y1, z1) = left.coordinates else { return right }
    guard let (x2, y2, z2) = right.coordinates else { return left }
    let (zz1, zz2) = (z1 * z1, z2 * z2)
    let (u1, u2) = (x1 * zz2, x2 * zz1)
    let (s1, s2) = (y1 * z2 * zz2, y2 * z1 * zz1)
    let (h, r) = (u2 - u1, s2 - s1)
    if h.isZero { return r.isZero ? left.doubled : .infinity }
    let hh = h * h
    let (hhh, v) = (h * hh, u1 * hh)
    let x3 = r * r - hhh - v - v
    return Self((x3, r * (v - x3) - s1 * hhh, z1 * z2 * h))
  }

  static func * (scalar: PlainNumber, point: Self) -> Self {
    (0..<256).reversed().reduce(.infinity) { result, place in
      scalar.bit(place) ? result.doubled + point : result.doubled
    }
  }
}

typealias PlainG1 = PlainPoint<PlainFp>
typealias PlainG2 = PlainPoint<PlainFp2>

extension PlainPoint<PlainFp> {
  /// M-Pin's map of a digest.
  init(mapping digest: [UInt8]) {
    let prime = PlainNumber.fieldPrime
    var x = PlainFp(prime.reduce(PlainNumber(digest)))
    let exponent = (prime.value - PlainNumber(3)).shiftedRight(by: 2)
    while true {
      let square = x * x * x + PlainFp.one + PlainFp.one
      // (p + 1) / 4 is one more than (p − 3) / 4.
      let root = PlainFp(prime.power(square.number, exponent)) * square
      if root * root == square {
        self.init(x, root.number.isOdd ? PlainFp(PlainNumber(0)) - root : root, one: PlainFp.one)
        return
      }
      x = x + PlainFp.one
    }
  }

  /// `04`, x and y.
  var encoded: [UInt8]? { bytes.map { [4] + $0 } }
}

extension PlainPoint<PlainFp2> {
  /// From 128 bytes.
  init(_ bytes: [UInt8]) {
    let parts = stride(from: 0, to: 128, by: 32).map { PlainFp(bytes[$0..<$0 + 32]) }
    let zero = PlainFp(PlainNumber(0))
    self.init(PlainFp2(parts[0], parts[1]), PlainFp2(parts[2], parts[3]), one: PlainFp2(PlainFp.one, zero))
  }
}

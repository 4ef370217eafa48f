/// A number of Fp2 = Fp[i] with i² = −1.
package struct QuadraticElement {
  package let real: FieldElement
  package let imaginary: FieldElement

  package init(_ real: FieldElement, _ imaginary: FieldElement) {
    self.real = real
    self.imaginary = imaginary
  }

  /// - Parameter bytes: 32 bytes of the real part, 32 of the imaginary one.
  /// - Returns: nil if a part is not below p.
  init?(_ field: PrimeField, _ bytes: ArraySlice<UInt8>) throws(MPinError) {
    let real = try BigNumber(public: Array(bytes.prefix(32)))
    let imaginary = try BigNumber(public: Array(bytes.dropFirst(32)))
    guard real < field.prime, imaginary < field.prime else { return nil }
    self.init(try FieldElement(field, real), try FieldElement(field, imaginary))
  }

  package static func one(_ field: PrimeField) throws(MPinError) -> Self {
    Self(try FieldElement(field, BigNumber(public: [1])), try FieldElement(field, BigNumber()))
  }

  package static func + (left: Self, right: Self) throws(MPinError) -> Self {
    Self(try left.real + right.real, try left.imaginary + right.imaginary)
  }

  package static func - (left: Self, right: Self) throws(MPinError) -> Self {
    Self(try left.real - right.real, try left.imaginary - right.imaginary)
  }

  /// Karatsuba's three products instead of four.
  package static func * (left: Self, right: Self) throws(MPinError) -> Self {
    let (reals, imaginaries) = (try left.real * right.real, try left.imaginary * right.imaginary)
    let mixed = try (left.real + left.imaginary) * (right.real + right.imaginary)
    return Self(try reals - imaginaries, try mixed - reals - imaginaries)
  }

  /// The product with 1 − i, which is b of the twist.
  func timesTwist() throws(MPinError) -> Self { Self(try real + imaginary, try imaginary - real) }

  /// 0 for 0.
  package func inverse() throws(MPinError) -> Self {
    let norm = try (real * real + imaginary * imaginary).inverse()
    return Self(try real * norm, try (imaginary - imaginary - imaginary) * norm)
  }

  /// 64 bytes: the real part, then the imaginary one.
  func bytes() throws(MPinError) -> [UInt8] {
    try real.plain().bytes().revealed + imaginary.plain().bytes().revealed
  }

  package var isZero: Bool { real.isZero && imaginary.isZero }

  package static func == (left: Self, right: Self) -> Bool {
    left.real == right.real && left.imaginary == right.imaginary
  }

  static func exchange(_ left: Self, _ right: Self, if bit: UInt) {
    FieldElement.exchange(left.real, right.real, if: bit)
    FieldElement.exchange(left.imaginary, right.imaginary, if: bit)
  }
}

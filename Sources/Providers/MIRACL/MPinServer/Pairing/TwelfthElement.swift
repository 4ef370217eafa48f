import MPin

/// A number of Fp12 = Fp2[w] with w⁶ = 1 + i, as the six factors of 1, w, w², … w⁵. Not constant-time.
struct TwelfthElement {
  private let factors: [QuadraticElement]

  static func one(_ field: PrimeField) throws(MPinError) -> Self {
    let zero = try FieldElement(field, BigNumber(public: [0]))
    let rest = QuadraticElement(zero, zero)
    return Self(factors: [try .one(field), rest, rest, rest, rest, rest])
  }

  private init(factors: [QuadraticElement]) { self.factors = factors }

  /// The product with a number of few terms.
  /// - Parameter terms: powers of w, 0 to 5, with their factors.
  func times(_ terms: [(power: Int, factor: QuadraticElement)]) throws(MPinError) -> Self {
    // Powers up to 10 first; what is above 5 is folded back with w⁶ = 1 + i.
    var sums = [QuadraticElement?](repeating: nil, count: 11)
    for (power, factor) in terms {
      for (place, own) in factors.enumerated() {
        let product = try own * factor
        sums[place + power] = if let sum = sums[place + power] { try sum + product } else { product }
      }
    }
    var result: [QuadraticElement] = []
    for power in 0..<6 {
      let folded = try power < 5 ? sums[power + 6]?.timesSixthPower() : nil
      switch (sums[power], folded) {
      case (let low?, let high?): result.append(try low + high)
      case (let only?, nil), (nil, let only?): result.append(only)
      case (nil, nil): result.append(try factors[0] - factors[0])
      }
    }
    return Self(factors: result)
  }

  static func * (left: Self, right: Self) throws(MPinError) -> Self {
    try left.times(right.factors.enumerated().map { (power: $0.offset, factor: $0.element) })
  }

  /// - Parameter bits: the exponent's, the highest first, which is 1.
  func power(_ bits: [Bool]) throws(MPinError) -> Self {
    var result = self
    for bit in bits.dropFirst() {
      result = try result * result
      if bit { result = try result * self }
    }
    return result
  }

  /// Whether it is its own conjugate over Fp6, which takes w to −w.
  var isOfSubfield: Bool { [1, 3, 5].allSatisfy { factors[$0].isZero } }
}

extension QuadraticElement {
  /// The product with 1 + i, which is w⁶.
  fileprivate func timesSixthPower() throws(MPinError) -> Self {
    Self(try real - imaginary, try real + imaginary)
  }
}

import MPin

/// A point of the curve, at which lines are evaluated.
struct EvaluationPlace {
  let x: QuadraticElement
  let y: QuadraticElement

  init(_ point: CurvePoint, _ field: PrimeField) throws(MPinError) {
    let bytes = try point.bytes("point of a pairing").revealed
    let zero = try FieldElement(field, BigNumber(public: [0]))
    x = QuadraticElement(try FieldElement(field, BigNumber(public: Array(bytes[1..<33]))), zero)
    y = QuadraticElement(try FieldElement(field, BigNumber(public: Array(bytes[33...]))), zero)
  }
}

/// A point of the twist as its coordinates, for Miller's loop: it never meets infinity there, nor itself in a sum.
struct AffineTwistPoint {
  let x: QuadraticElement
  let y: QuadraticElement

  /// A line's value, as powers of w with their factors.
  typealias Value = [(power: Int, factor: QuadraticElement)]

  init(_ coordinates: (x: QuadraticElement, y: QuadraticElement)) { (x, y) = coordinates }

  func doubled(at place: EvaluationPlace) throws(MPinError) -> (Self, tangent: Value) {
    let xx = try x * x
    return try line(slope: (xx + xx + xx) * (y + y).inverse(), to: self, at: place)
  }

  func adding(_ other: Self, at place: EvaluationPlace) throws(MPinError) -> (Self, chord: Value) {
    try line(slope: (other.y - y) * (other.x - x).inverse(), to: other, at: place)
  }

  /// With slope λ·w in Fp12 the line is y − λ·x·w + (λ·x₁ − y₁)·w³ at (x, y).
  private func line(
    slope: QuadraticElement, to other: Self, at place: EvaluationPlace
  ) throws(MPinError) -> (Self, Value) {
    let sumX = try slope * slope - x - other.x
    let sum = Self((sumX, try slope * (x - sumX) - y))
    let slopeAtX = try slope * place.x
    return (
      sum,
      [(0, place.y), (1, try slopeAtX - slopeAtX - slopeAtX), (3, try slope * x - y)]
    )
  }
}

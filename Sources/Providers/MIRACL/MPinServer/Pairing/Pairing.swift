import MPin

/// The ate pairing of BN254CX, as far as a server needs it: whether the product of some pairings is 1. For simulations: it is simple,
/// slow, and not constant-time.
///
/// A twist's point (x, y) stands for (x·w², y·w³) on the curve over Fp12. Miller's loop runs over 6u², the trace of Frobenius less one. Lines
/// through a point and its opposite are left out: they lie in Fp6, which the final power makes 1.
enum Pairing {
  /// Whether the product of the pairings is 1.
  ///
  /// - Parameter pairs: neither point of a pair may be the one at infinity, and each is of its group of prime order.
  static func productIsOne(_ pairs: [(CurvePoint, TwistPoint)]) throws(MPinError) -> Bool {
    let field = try PrimeField()
    var product = try TwelfthElement.one(field)
    for (point, twist) in pairs { product = try product * miller(point, twist, field) }
    // The final power by (p¹² − 1)/n is one by (p⁶ + 1)/n and one by p⁶ − 1; the second makes 1 of what lies in Fp6 alone.
    return try product.power(finalBits).isOfSubfield
  }

  private static func miller(
    _ point: CurvePoint, _ twist: TwistPoint, _ field: PrimeField
  ) throws(MPinError) -> TwelfthElement {
    let place = try EvaluationPlace(point, field)
    let start = AffineTwistPoint(try twist.affine("point of a pairing"))
    var (value, current) = (try TwelfthElement.one(field), start)
    for bit in loopBits.dropFirst() {
      let (doubled, tangent) = try current.doubled(at: place)
      (value, current) = (try (value * value).times(tangent), doubled)
      if bit {
        let (sum, chord) = try current.adding(start, at: place)
        (value, current) = (try value.times(chord), sum)
      }
    }
    return value
  }

  /// 6u².
  private static let loopBits = bits("600000000b4038130054634925303646")
  /// (p⁶ + 1)/n.
  private static let finalBits = bits(
    "39aa40004394d3cee54613655f041a28c8f8a94054c25a2a7f03a3c85ab96fa7e28920d10602a39e"
      + "c94d0ec4cde57ede6a1475aebd79d8c28daeabd3b60fc616ea887c4c5452ccb0a8bb7c76748ca6c9"
      + "bfef568a8c710669ed12e7a903cbd83f9d70a3f11cded4e16a0b756daa9b3add8db283537a4f2c7c"
      + "8998cdaf02e701182d25417b66c531413b5d74f04e9d7cd1dc55bd44b49702194972853c6b0e2")

  /// From the highest that is 1.
  private static func bits(_ hexadecimal: String) -> [Bool] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return Array(digits.flatMap { digit in (0..<4).map { digit >> (3 - $0) & 1 == 1 } }.drop { !$0 })
  }
}

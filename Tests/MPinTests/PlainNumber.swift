/// A number of at most 256 bits as eight limbs, the lowest first: school arithmetic, to compare
/// libcrypto's with.
struct PlainNumber: Hashable, Sendable {
  var limbs: [UInt32]

  init(_ small: UInt32) { limbs = [small] + Array(repeating: 0, count: 7) }

  /// - Parameter bytes: 32, the highest first.
  init(_ bytes: [UInt8]) {
    limbs = stride(from: 28, through: 0, by: -4).map { place in
      bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }

  init(limbs: [UInt32]) { self.limbs = limbs }

  var bytes: [UInt8] {
    limbs.reversed().flatMap { limb in (0..<4).map { UInt8(truncatingIfNeeded: limb >> (24 - 8 * UInt32($0))) } }
  }

  var isZero: Bool { limbs.allSatisfy { $0 == 0 } }
  var isOdd: Bool { limbs[0] & 1 == 1 }

  func bit(_ place: Int) -> Bool { limbs[place / 32] >> UInt32(place % 32) & 1 == 1 }

  static func < (left: Self, right: Self) -> Bool {
    for place in left.limbs.indices.reversed() where left.limbs[place] != right.limbs[place] {
      return left.limbs[place] < right.limbs[place]
    }
    return false
  }

  /// Modulo 2^256.
  static func - (left: Self, right: Self) -> Self {
    var borrow: Int64 = 0
    return Self(
      limbs: zip(left.limbs, right.limbs).map { a, b in
        let difference = Int64(a) - Int64(b) - borrow
        borrow = difference < 0 ? 1 : 0
        return UInt32(truncatingIfNeeded: difference)
      })
  }

  /// Rounded down.
  func shiftedRight(by places: UInt32) -> Self {
    Self(
      limbs: limbs.indices.map { index in
        let higher = index < 7 ? UInt64(limbs[index + 1]) << 32 : 0
        return UInt32(truncatingIfNeeded: (higher | UInt64(limbs[index])) >> UInt64(places))
      })
  }

  static let fieldPrime = Modulus(
    hex: "2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b3")
  static let groupOrder = Modulus(
    hex: "2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6d")

  /// Arithmetic modulo a number of 254 bits.
  struct Modulus: Sendable {
    let value: PlainNumber
    /// 2^256, 2^288, … 2^480, reduced.
    private let powers: [PlainNumber]

    init(hex: String) {
      let digits = Array(hex).compactMap(\.hexDigitValue)
      value = PlainNumber(stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
      var (power, powers) = (PlainNumber(1), [PlainNumber]())
      for exponent in 1...480 {
        power = Self.onceReduced(PlainNumber(limbs: Self.doubled(power.limbs)), value)
        if exponent >= 256, exponent % 32 == 0 { powers.append(power) }
      }
      self.powers = powers
    }

    private static func doubled(_ limbs: [UInt32]) -> [UInt32] {
      limbs.indices.map { limbs[$0] << 1 | ($0 > 0 ? limbs[$0 - 1] >> 31 : 0) }
    }

    private static func onceReduced(_ number: PlainNumber, _ value: PlainNumber) -> PlainNumber {
      number < value ? number : number - value
    }

    func reduce(_ number: PlainNumber) -> PlainNumber { reduce(wide: number.limbs) }

    /// Folds what is above 256 bits with the known powers, then takes the modulus away.
    private func reduce(wide: [UInt32]) -> PlainNumber {
      var limbs = wide
      while limbs.count > 8 {
        var columns = limbs[..<8].map { UInt128($0) }
        for (high, power) in zip(limbs[8...], powers) where high != 0 {
          for place in 0..<8 { columns[place] += UInt128(UInt64(high) * UInt64(power.limbs[place])) }
        }
        limbs = Self.carried(columns)
      }
      var number = PlainNumber(limbs: limbs)
      while !(number < value) { number = number - value }
      return number
    }

    /// At least eight limbs, no zero above them.
    private static func carried(_ columns: [UInt128]) -> [UInt32] {
      var (carry, limbs): (UInt128, [UInt32]) = (0, [])
      for column in columns {
        carry += column
        limbs.append(UInt32(truncatingIfNeeded: carry))
        carry >>= 32
      }
      while carry != 0 {
        limbs.append(UInt32(truncatingIfNeeded: carry))
        carry >>= 32
      }
      while limbs.count > 8, limbs.last == 0 { limbs.removeLast() }
      return limbs
    }

    func sum(_ left: PlainNumber, _ right: PlainNumber) -> PlainNumber {
      reduce(wide: Self.carried(zip(left.limbs, right.limbs).map { UInt128($0) + UInt128($1) }))
    }

    func difference(_ left: PlainNumber, _ right: PlainNumber) -> PlainNumber { sum(left, value - right) }

    func product(_ left: PlainNumber, _ right: PlainNumber) -> PlainNumber {
      var columns = [UInt128](repeating: 0, count: 15)
      for (i, a) in left.limbs.enumerated() where a != 0 {
        for (j, b) in right.limbs.enumerated() { columns[i + j] += UInt128(UInt64(a) * UInt64(b)) }
      }
      return reduce(wide: Self.carried(columns))
    }

    func power(_ base: PlainNumber, _ exponent: PlainNumber) -> PlainNumber {
      (0..<256).reversed().reduce(PlainNumber(1)) { result, place in
        let square = product(result, result)
        return exponent.bit(place) ? product(square, base) : square
      }
    }

    /// By Fermat's theorem.
    func inverse(_ number: PlainNumber) -> PlainNumber { power(number, value - PlainNumber(2)) }
  }
}

internal import CCrypto

/// A secret number from 1 to the group's order less one: 32 bytes, most significant first.
package struct Scalar: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package static let byteCount = 32

  package let bytes: SecretBytes

  /// - Parameter name: the scalar's name in errors.
  /// - Throws: `badLength`; `badScalar` for 0 and for the order or more.
  package init(_ bytes: SecretBytes, _ name: String = "scalar") throws(MPinError) {
    guard bytes.count == Self.byteCount else {
      throw MPinError(.badLength, "the \(name) is of \(bytes.count) bytes, expected are \(Self.byteCount)")
    }
    let number = try BigNumber(bytes)
    guard !number.isZero, try number < Group.order() else {
      throw MPinError(.badScalar, "the \(name) is 0 or not below the group's order")
    }
    self.bytes = bytes
  }

  /// Every value is equally likely: draws again until one is in range.
  ///
  /// A draw of 32 bytes without the two highest bits is in range in 9 of 16 cases. Discarded draws
  /// reveal nothing about the kept one.
  /// - Throws: `randomness` if 256 draws were not enough, which never happens with a working
  ///   source.
  package init(from source: RandomSource) throws(MPinError) {
    for _ in 0..<256 {
      let bytes = try SecretBytes(count: Self.byteCount) { buffer throws(MPinError) in
        try source.fill(buffer)
        buffer[0] &= 0x3f
      }
      let number = try BigNumber(bytes)
      if !number.isZero, try number < Group.order() {
        self.bytes = bytes
        return
      }
    }
    throw MPinError(.randomness, "the source of random bytes gave no number in range in 256 draws")
  }

  func number() throws(MPinError) -> BigNumber { try BigNumber(bytes) }

  /// z⁻¹ as z^(n−2): the exponent is public, and the time does not depend on z.
  package func inverse() throws(MPinError) -> Scalar {
    let (value, order, result) = (try number(), try Group.order(), try BigNumber())
    let (exponent, workspace) = (try Group.order(), try Workspace())
    try check(BN_sub_word(exponent.pointer, 2), "an exponent", keeping: exponent)
    try check(
      BN_mod_exp_mont_consttime(
        result.pointer, value.pointer, exponent.pointer, order.pointer, workspace.pointer, nil),
      "an inverse", keeping: result, value, exponent, order, workspace)
    return try Scalar(result.bytes())
  }

  /// The sum modulo the order.
  /// - Throws: `badScalar` where it is 0.
  package static func + (left: Scalar, right: Scalar) throws(MPinError) -> Scalar {
    let (a, b, result, order) = (try left.number(), try right.number(), try BigNumber(), try Group.order())
    try check(
      BN_mod_add_quick(result.pointer, a.pointer, b.pointer, order.pointer), "a sum", keeping: result, a, b, order)
    return try Scalar(result.bytes(), "sum of two scalars")
  }

  /// The product modulo the order.
  package static func * (left: Scalar, right: Scalar) throws(MPinError) -> Scalar {
    let (a, b, result, order) = (try left.number(), try right.number(), try BigNumber(), try Group.order())
    let workspace = try Workspace()
    try check(
      BN_mod_mul(result.pointer, a.pointer, b.pointer, order.pointer, workspace.pointer), "a product",
      keeping: result, a, b, order, workspace)
    return try Scalar(result.bytes())
  }

  package var description: String { "••••" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Scalar {
  /// A number that is not secret, modulo the order.
  package init(reducing bytes: [UInt8], _ name: String) throws(MPinError) {
    let (number, order, workspace) = (try BigNumber(public: bytes), try Group.order(), try Workspace())
    try check(
      BN_nnmod(number.pointer, number.pointer, order.pointer, workspace.pointer), "a remainder",
      keeping: number, order, workspace)
    try self.init(number.bytes(), name)
  }
}

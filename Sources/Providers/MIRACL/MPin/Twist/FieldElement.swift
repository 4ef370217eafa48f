internal import CCrypto

/// Shared by arithmetic modulo p: libcrypto's Montgomery form and a workspace. For one thread.
package final class PrimeField {
  let prime: BigNumber
  let workspace: Workspace
  let montgomery: OpaquePointer

  package init() throws(MPinError) {
    prime = try Group.prime()
    workspace = try Workspace()
    guard let montgomery = BN_MONT_CTX_new() else { throw .library("a Montgomery form") }
    self.montgomery = montgomery
    try check(
      BN_MONT_CTX_set(montgomery, prime.pointer, workspace.pointer), "a Montgomery form", keeping: prime, workspace)
  }

  deinit { BN_MONT_CTX_free(montgomery) }
}

/// A number modulo p in Montgomery form. Sums and products take the same time for all values.
package struct FieldElement {
  let field: PrimeField
  /// Below p.
  let number: BigNumber

  private init(_ field: PrimeField, montgomery number: BigNumber) {
    self.field = field
    self.number = number
  }

  /// - Parameter number: below p.
  package init(_ field: PrimeField, _ number: BigNumber) throws(MPinError) {
    let result = try BigNumber()
    try check(
      BN_to_montgomery(result.pointer, number.pointer, field.montgomery, field.workspace.pointer), "a field element",
      keeping: result, number, field)
    self.init(field, montgomery: result)
  }

  /// Out of Montgomery form.
  func plain() throws(MPinError) -> BigNumber {
    let result = try BigNumber()
    try check(
      BN_from_montgomery(result.pointer, number.pointer, field.montgomery, field.workspace.pointer), "a number",
      keeping: result)
    return result
  }

  package static func + (left: Self, right: Self) throws(MPinError) -> Self {
    let result = try BigNumber()
    let prime = left.field.prime.pointer
    try check(
      BN_mod_add_quick(result.pointer, left.number.pointer, right.number.pointer, prime), "a sum", keeping: result)
    return Self(left.field, montgomery: result)
  }

  package static func - (left: Self, right: Self) throws(MPinError) -> Self {
    let result = try BigNumber()
    let prime = left.field.prime.pointer
    try check(
      BN_mod_sub_quick(result.pointer, left.number.pointer, right.number.pointer, prime), "a difference",
      keeping: result)
    return Self(left.field, montgomery: result)
  }

  package static func * (left: Self, right: Self) throws(MPinError) -> Self {
    let (result, field) = (try BigNumber(), left.field)
    try check(
      BN_mod_mul_montgomery(
        result.pointer, left.number.pointer, right.number.pointer, field.montgomery, field.workspace.pointer),
      "a product", keeping: result, field)
    return Self(field, montgomery: result)
  }

  /// The inverse as a power by p − 2; 0 for 0.
  func inverse() throws(MPinError) -> Self {
    let (result, exponent, value) = (try BigNumber(), try Group.prime(), try plain())
    try check(BN_sub_word(exponent.pointer, 2), "an exponent", keeping: exponent)
    try check(
      BN_mod_exp_mont_consttime(
        result.pointer, value.pointer, exponent.pointer, field.prime.pointer, field.workspace.pointer,
        field.montgomery), "an inverse", keeping: result, value, exponent)
    return try Self(field, result)
  }

  package var isZero: Bool { number.isZero }

  package static func == (left: Self, right: Self) -> Bool { left.number == right.number }

  /// Exchanges two values if `bit` is 1, and does the same amount of work if it is 0.
  static func exchange(_ left: Self, _ right: Self, if bit: UInt) {
    BN_consttime_swap(bit, left.number.pointer, right.number.pointer, wordCount)
  }

  private static let wordCount = Int32(256 / UInt.bitWidth)
}

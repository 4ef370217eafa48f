internal import CCrypto

/// The curve BN254CX, y² = x³ + 2, and its group of prime order (the cofactor is 1).
///
/// The prime and the order are the Barreto-Naehrig polynomials 36u⁴ + 36u³ + 24u² + 6u + 1 and 36u⁴
/// + 36u³ + 18u² + 6u + 1 at u = −0x4000000003c012b1.
package enum Group {
  /// libcrypto's description of the curve. It is written before it is shared and only read
  /// afterwards, which libcrypto allows from several threads.
  private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private static let made: Result<Handle, MPinError> = Result { () throws(MPinError) in try make() }

  static func pointer() throws(MPinError) -> OpaquePointer { try made.get().pointer }

  /// p, the prime of the field.
  package static let primeBytes = constant("2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b3")
  /// n, the order of the group.
  package static let orderBytes = constant("2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6d")

  static func prime() throws(MPinError) -> BigNumber { try BigNumber(public: primeBytes) }
  static func order() throws(MPinError) -> BigNumber { try BigNumber(public: orderBytes) }

  private static func make() throws(MPinError) -> Handle {
    let (prime, order) = (try Self.prime(), try Self.order())
    let (a, b, one) = (try BigNumber(), try BigNumber(public: [2]), try BigNumber(public: [1]))
    guard let group = EC_GROUP_new_curve_GFp(prime.pointer, a.pointer, b.pointer, nil) else {
      throw .library("the curve")
    }
    extendLifetime((prime, a, b))
    // The generator is (p − 1, 1).
    let x = try BigNumber(public: primeBytes)
    try check(BN_sub_word(x.pointer, 1), "the generator", keeping: x)
    guard let generator = EC_POINT_new(group) else { throw .library("the generator") }
    defer { EC_POINT_free(generator) }
    try check(
      EC_POINT_set_affine_coordinates(group, generator, x.pointer, one.pointer, nil), "the generator", keeping: x, one)
    // With the order and cofactor known, libcrypto multiplies with its Montgomery ladder.
    try check(EC_GROUP_set_generator(group, generator, order.pointer, one.pointer), "the group", keeping: order, one)
    return Handle(pointer: group)
  }

  static func constant(_ hexadecimal: String) -> [UInt8] {
    guard let bytes = try? Hexadecimal.bytes(of: hexadecimal, "constant") else {
      // Impossible: only called with constants of this program, all of which the first test reads.
      preconditionFailure("\(hexadecimal) is not hexadecimal")
    }
    return bytes
  }
}

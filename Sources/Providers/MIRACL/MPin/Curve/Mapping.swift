internal import CCrypto

/// M-Pin's map from digests to points (from Apache Milagro's AMCL, which MIRACL Trust uses).
struct Mapping {
  private let prime: BigNumber
  /// (p + 1) / 4: p is 3 modulo 4, so a power is a root.
  private let rootExponent: BigNumber
  private let workspace: Workspace

  init() throws(MPinError) {
    prime = try Group.prime()
    workspace = try Workspace()
    rootExponent = try Group.prime()
    try check(BN_add_word(rootExponent.pointer, 1), "an exponent")
    try check(BN_rshift(rootExponent.pointer, rootExponent.pointer, 2), "an exponent")
  }

  func coordinates(of digest: [UInt8]) throws(MPinError) -> (x: BigNumber, y: BigNumber) {
    let x = try BigNumber(public: digest)
    try check(BN_nnmod(x.pointer, x.pointer, prime.pointer, workspace.pointer), "a coordinate", keeping: x)
    let one = try BigNumber(public: [1])
    while true {
      if let y = try evenRoot(of: rightSide(x)) { return (x, y) }
      try check(BN_mod_add_quick(x.pointer, x.pointer, one.pointer, prime.pointer), "a coordinate", keeping: x, one)
    }
  }

  /// x³ + 2.
  private func rightSide(_ x: BigNumber) throws(MPinError) -> BigNumber {
    let (result, two) = (try BigNumber(), try BigNumber(public: [2]))
    try check(BN_mod_sqr(result.pointer, x.pointer, prime.pointer, workspace.pointer), "a square", keeping: result, x)
    try check(BN_mod_mul(result.pointer, result.pointer, x.pointer, prime.pointer, workspace.pointer), "a cube")
    try check(
      BN_mod_add_quick(result.pointer, result.pointer, two.pointer, prime.pointer), "a sum", keeping: result, two)
    return result
  }

  /// Nil if `value` is not a square.
  private func evenRoot(of value: BigNumber) throws(MPinError) -> BigNumber? {
    let (root, square) = (try BigNumber(), try BigNumber())
    try check(
      BN_mod_exp(root.pointer, value.pointer, rootExponent.pointer, prime.pointer, workspace.pointer), "a root")
    try check(BN_mod_sqr(square.pointer, root.pointer, prime.pointer, workspace.pointer), "a square")
    guard square == value else { return nil }
    if root.isOdd { try check(BN_sub(root.pointer, prime.pointer, root.pointer), "the other root") }
    return root
  }
}

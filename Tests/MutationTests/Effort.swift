import Glibc

/// How much is tried. With `MODEMD_MUTATIONS=all` it is every pair of place and extreme, and each
/// is told before it is tried: where it ends in a trap, the last line says where it was.
enum Effort {
  static let isTold = getenv("MODEMD_MUTATIONS") != nil

  /// Every how many pairs one is tried: prime, so that each place gets others.
  static func step(_ usual: Int) -> Int { isTold ? 1 : usual }
}

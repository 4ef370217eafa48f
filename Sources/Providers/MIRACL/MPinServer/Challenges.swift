import MPin

extension ServerChallenge {
  /// Draws a challenge, as the server does between pass 1 and pass 2.
  ///
  /// - Parameter randomness: gives y.
  /// - Throws: `randomness`.
  package static func draw(randomness: RandomSource = .system) throws(MPinError) -> ServerChallenge {
    try ServerChallenge(Scalar(from: randomness).bytes.revealed)
  }
}

import MPin

/// The two authorities' secret s = s1 + s2, of a simulated platform.
package struct MasterSecret: Sendable {
  package let shares: (first: Scalar, second: Scalar)
  package let sum: Scalar

  /// Makes a new secret.
  ///
  /// - Parameter randomness: gives both shares.
  /// - Throws: `MPinError` with `randomness` or `library`.
  package init(randomness: RandomSource = .system) throws(MPinError) {
    try self.init(Scalar(from: randomness), Scalar(from: randomness))
  }

  /// - Throws: `badScalar` where the shares cancel each other out.
  package init(_ first: Scalar, _ second: Scalar) throws(MPinError) {
    shares = (first, second)
    sum = try first + second
  }

  /// What the two authorities give for a registration: CS1 = s1·H and CS2 = s2·H.
  ///
  /// - Parameter identity: the id that the platform made, with the client's public key.
  /// - Throws: `library`.
  package func clientSecretShares(
    for identity: MPinIdentity
  ) throws(MPinError) -> (ClientSecretShare, ClientSecretShare) {
    let base = try identity.point.curvePoint()
    return (
      try ClientSecretShare((shares.first * base).bytes("share").revealed),
      try ClientSecretShare((shares.second * base).bytes("share").revealed)
    )
  }

  /// The server's secret s·Q, a point of the twist, as 128 bytes.
  /// - Throws: `library`.
  package func serverSecret() throws(MPinError) -> TwistPoint { try sum * TwistPoint.generator() }
}

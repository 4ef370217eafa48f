import MPin

/// Checks logins and signatures with what no real server has: the client's private key. It needs no pairing.
///
/// A client with the right PIN has the secret s·z·H, so that its V is −s·z·(U + y·H).
package struct KeyedVerifier: Sendable {
  private let secret: Scalar
  private let identity: MPinIdentity

  /// - Parameters:
  ///   - secret: that the client's shares came from.
  ///   - identity: who logs in.
  ///   - keys: those that the identity was registered with.
  /// - Throws: `keyMismatch`, `library`.
  package init(secret: MasterSecret, identity: MPinIdentity, keys: DVSKeyPair) throws(MPinError) {
    guard keys.publicKey == identity.publicKey else {
      throw MPinError(.keyMismatch, "the key pair is not the one that the identity was registered with")
    }
    self.secret = try secret.sum * keys.privateKey
    self.identity = identity
  }

  /// Whether pass 1 and pass 2 were made with the right PIN.
  ///
  /// - Parameters:
  ///   - commitment: U of pass 1.
  ///   - proof: V of pass 2.
  ///   - challenge: y, which the server drew for this U.
  /// - Throws: `library`.
  package func accepts(
    commitment: G1Point, proof: G1Point, challenge: ServerChallenge
  ) throws(MPinError) -> Bool {
    let sum = try commitment.curvePoint() + challenge.scalar * identity.point.curvePoint()
    guard !sum.isInfinity else { return false }
    return try G1Point((secret * sum).negated(), "expected proof") == proof
  }

  /// Whether a signature is of this message and of the time that it says.
  ///
  /// - Parameter message: the document's hash.
  /// - Throws: `library`.
  package func accepts(_ signature: MPinSignature, of message: [UInt8]) throws(MPinError) -> Bool {
    let challenge = try ServerChallenge(timestamp: signature.timestamp, u: signature.u, message: message)
    return try accepts(commitment: signature.u, proof: signature.v, challenge: challenge)
  }
}

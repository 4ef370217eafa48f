import MPin

/// Checks logins and signatures as a real server does: with its own secret and what the client
/// sent, by a pairing.
///
/// It takes some tenths of a second, and is only for simulations.
package struct PairingVerifier: Sendable {
  private let secret: MasterSecret
  private let identity: MPinIdentity

  /// - Parameters:
  ///   - secret: the secret of the client's shares.
  ///   - identity: the identity that logs in, with the public key of pass 1.
  package init(secret: MasterSecret, identity: MPinIdentity) {
    self.secret = secret
    self.identity = identity
  }

  /// Whether pass 1 and pass 2 were made with the right PIN: e(V, public key)·e(U + y·H, s·Q) = 1.
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
    let publicKey = try TwistPoint(identity.publicKey.bytes, "public key")
    return try Pairing.productIsOne([(proof.curvePoint(), publicKey), (sum, secret.serverSecret())])
  }

  /// Whether a signature matches this message and its own time.
  ///
  /// - Parameter message: the document's hash.
  /// - Throws: `library`.
  package func accepts(_ signature: MPinSignature, of message: [UInt8]) throws(MPinError) -> Bool {
    let challenge = try ServerChallenge(timestamp: signature.timestamp, u: signature.u, message: message)
    return try accepts(commitment: signature.u, proof: signature.v, challenge: challenge)
  }
}

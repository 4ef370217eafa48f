import MPin

/// Checks logins and signatures as a real server does: with its own secret and what the client sent, by a pairing.
///
/// It takes some tenths of a second, and is for simulations alone.
package struct PairingVerifier: Sendable {
  private let secret: MasterSecret
  private let identity: MPinIdentity

  /// - Parameters:
  ///   - secret: that the client's shares came from.
  ///   - identity: who logs in, with the public key that pass 1 had.
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

  /// Whether a signature is of this message and of the time that it says.
  ///
  /// - Parameter message: the document's hash.
  /// - Throws: `library`.
  package func accepts(_ signature: MPinSignature, of message: [UInt8]) throws(MPinError) -> Bool {
    let challenge = try ServerChallenge(timestamp: signature.timestamp, u: signature.u, message: message)
    return try accepts(commitment: signature.u, proof: signature.v, challenge: challenge)
  }
}

/// A signature of a document (DVS): U = x·H and V = −(x + y)·secret, where y is SHA-256 of
/// timestamp, U and message.
public struct MPinSignature: Hashable, Sendable {
  public let u: G1Point
  public let v: G1Point
  /// Seconds since 1970, which the verifier also needs.
  public let timestamp: UInt32

  /// One that somebody else made.
  public init(u: G1Point, v: G1Point, timestamp: UInt32) {
    self.u = u
    self.v = v
    self.timestamp = timestamp
  }

  /// Signs. With a wrong PIN, the signature does not verify. Log in first (scope `dvs-auth`) to
  /// check it.
  ///
  /// - Parameters:
  ///   - message: the document's hash.
  ///   - timestamp: seconds since 1970; the service compares it with its own clock.
  ///   - identity: as registered.
  ///   - token: of that registration.
  ///   - pin: all of its digits count.
  ///   - randomness: gives x.
  /// - Throws: `randomness`, `library`.
  public init(
    of message: [UInt8], timestamp: UInt32, identity: MPinIdentity, token: MPinToken, pin: UserPIN,
    randomness: RandomSource = .system
  ) throws(MPinError) {
    let pass = try PassOne(identity: identity, token: token, pin: pin, randomness: randomness)
    let challenge = try ServerChallenge(timestamp: timestamp, u: pass.commitment, message: message)
    self.init(u: pass.commitment, v: try pass.answer(challenge), timestamp: timestamp)
  }
}

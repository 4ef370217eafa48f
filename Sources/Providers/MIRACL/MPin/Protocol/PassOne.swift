import Synchronization

/// A login in progress: the message of pass 1 and, after the server's challenge, that of pass 2.
///
/// It holds the client's secret until it is answered or dropped, and then wipes it. Make a new one
/// for each attempt.
public final class PassOne: Sendable {
  private struct Secrets {
    let x: Scalar
    let secret: SecretBytes
  }

  /// U = x·H, which is sent to the server first.
  public let commitment: G1Point
  private let secrets: Mutex<Secrets?>

  /// Begins a login.
  ///
  /// A wrong PIN is not detected here: the server refuses the proof of pass 2.
  /// - Parameters:
  ///   - identity: as registered.
  ///   - token: of that registration.
  ///   - pin: all of its digits count.
  ///   - randomness: gives x.
  /// - Throws: `randomness`, `library`.
  public convenience init(
    identity: MPinIdentity, token: MPinToken, pin: UserPIN, randomness: RandomSource = .system
  ) throws(MPinError) {
    try self.init(base: identity.point, token: token, pin: pin, randomness: randomness)
  }

  init(base: G1Point, token: MPinToken, pin: UserPIN, randomness: RandomSource) throws(MPinError) {
    let base = try base.curvePoint()
    let x = try Scalar(from: randomness)
    let secret = try ClientSecret(token, pin: pin, base: base)
    commitment = try G1Point(x * base, "commitment U")
    secrets = Mutex(Secrets(x: x, secret: try secret.point.bytes("client secret")))
  }

  /// Answers the server: V = −(x + y)·(token + PIN·H).
  ///
  /// It only does so once. From two answers to one commitment, anybody could compute the client's
  /// secret.
  /// - Throws: `alreadyAnswered`; `badScalar` for a challenge that cancels x; `library`.
  public func answer(_ challenge: ServerChallenge) throws(MPinError) -> G1Point {
    guard
      let taken = secrets.withLock({ (secrets: inout sending Secrets?) -> Secrets? in
        defer { secrets = nil }
        return secrets
      })
    else {
      throw MPinError(
        .alreadyAnswered,
        "this pass 1 has been answered before: begin a new one, a second answer would give the secret away")
    }
    return try ClientSecret(CurvePoint(taken.secret, "client secret")).proof(taken.x, challenge)
  }
}

extension PassOne: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "pass 1 ••••" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

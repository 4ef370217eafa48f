/// The key pair of one registration: z, and z⁻¹·Q as its public key. Drop it once the token is
/// made; z is then wiped.
public struct DVSKeyPair: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package let privateKey: Scalar
  public let publicKey: DVSPublicKey

  /// Makes a new pair.
  ///
  /// - Parameter randomness: gives z.
  /// - Throws: `randomness`, `library`.
  public init(randomness: RandomSource = .system) throws(MPinError) {
    try self.init(privateKey: Scalar(from: randomness))
  }

  package init(privateKey: Scalar) throws(MPinError) {
    self.privateKey = privateKey
    publicKey = try DVSPublicKey(privateKey.inverse() * TwistPoint.generator())
  }

  public var description: String { "DVS key pair ••••" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

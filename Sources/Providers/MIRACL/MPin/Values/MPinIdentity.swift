import ModemModel

/// Who logs in: an M-Pin id with the public key of its registration, and the point that both map
/// to.
public struct MPinIdentity: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// 1 to 65,536 bytes.
  public static let lengths = 1...65_536

  /// As the service made it: JSON with the user's name, opaque here.
  public let mpinId: [UInt8]
  public let publicKey: DVSPublicKey
  /// H: SHA-256 of the id and the public key, mapped to the curve.
  public let point: G1Point

  /// - Parameters:
  ///   - mpinId: 1 to 65,536 bytes.
  ///   - publicKey: of the key pair that the id was registered with.
  /// - Throws: `badIdentity`, `library`.
  public init(mpinId: [UInt8], publicKey: DVSPublicKey) throws(MPinError) {
    guard Self.lengths.contains(mpinId.count) else {
      throw MPinError(.badIdentity, "the M-Pin id is of \(mpinId.count) bytes, expected are 1 to 65536")
    }
    self.mpinId = mpinId
    self.publicKey = publicKey
    point = try G1Point(mapping: try Digest.sha256(mpinId, publicKey.bytes))
  }

  /// Reads the id from hexadecimal digits, the field `mpinId`.
  /// - Throws: as `init(mpinId:publicKey:)`, and `badEncoding` for what is not hexadecimal.
  public init(mpinIdHex: String, publicKey: DVSPublicKey) throws(MPinError) {
    try self.init(mpinId: Hexadecimal.bytes(of: mpinIdHex, "M-Pin id"), publicKey: publicKey)
  }

  /// The id in the service's form: lower-case hexadecimal digits.
  public var mpinIdHex: String { Hexadecimal.text(of: mpinId) }

  // The id contains the user's name.
  public var description: String { "M-Pin identity ••••" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

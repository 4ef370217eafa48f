public import ModemModel

/// One of the two points from the authorities for an activated registration; together they are the
/// client's secret.
public struct ClientSecretShare: PersonalData {
  package let bytes: SecretBytes

  /// Reads a share and checks it.
  ///
  /// - Parameter bytes: 65 bytes in uncompressed form.
  /// - Throws: `badLength`, `badEncoding`, `notOnCurve`.
  public init(_ bytes: [UInt8]) throws(MPinError) {
    self.bytes = SecretBytes(bytes)
    _ = try CurvePoint(self.bytes, "client secret share")
  }

  /// Reads a share from 130 hexadecimal digits, the field `dvsClientSecret`, and checks it.
  /// - Throws: as `init(_:)`, and `badEncoding` for what is not hexadecimal.
  public init(hex: String) throws(MPinError) { try self.init(Hexadecimal.bytes(of: hex, "client secret share")) }

  /// 130 lower-case hexadecimal digits.
  public var revealed: String { Hexadecimal.text(of: bytes.revealed) }
}

/// What a client keeps of its secret: the secret less PIN times the identity's point. Whoever has
/// both it and the PIN can log in.
public struct MPinToken: PersonalData {
  package let bytes: SecretBytes

  /// Reads a stored token and checks it.
  ///
  /// - Parameter bytes: 65 bytes in uncompressed form.
  /// - Throws: `badLength`, `badEncoding`, `notOnCurve`.
  public init(_ bytes: [UInt8]) throws(MPinError) {
    self.bytes = SecretBytes(bytes)
    _ = try CurvePoint(self.bytes, "token")
  }

  /// Reads a stored token from 130 hexadecimal digits and checks it.
  /// - Throws: as `init(_:)`, and `badEncoding` for what is not hexadecimal.
  public init(hex: String) throws(MPinError) { try self.init(Hexadecimal.bytes(of: hex, "token")) }

  init(checked bytes: SecretBytes) { self.bytes = bytes }

  /// 130 lower-case hexadecimal digits, for the place where the identity is stored.
  public var revealed: String { Hexadecimal.text(of: bytes.revealed) }
}

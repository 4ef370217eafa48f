/// Why a value of M-Pin cannot be read or computed.
public struct MPinError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure a caller can act on; new ones may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case badLength, badEncoding, notOnCurve, identityPoint, badScalar, badPIN, badIdentity, keyMismatch,
        alreadyAnswered,
        randomness, library
    }
    private let kind: Kind
    public var description: String { kind.rawValue }

    /// The value has a different number of bytes.
    public static let badLength = Code(kind: .badLength)
    /// The text is not hexadecimal, or the bytes are not in the only accepted form.
    public static let badEncoding = Code(kind: .badEncoding)
    /// The coordinates are not a point of the curve, or not in the group of prime order.
    public static let notOnCurve = Code(kind: .notOnCurve)
    /// The point at infinity, given or computed, in a place where it would reveal a secret.
    public static let identityPoint = Code(kind: .identityPoint)
    /// A scalar is 0, or not below the group's order.
    public static let badScalar = Code(kind: .badScalar)
    /// A PIN is not made of decimal digits, or is too long.
    public static let badPIN = Code(kind: .badPIN)
    /// An M-Pin id is empty or too long.
    public static let badIdentity = Code(kind: .badIdentity)
    /// The key pair does not belong to the identity.
    public static let keyMismatch = Code(kind: .keyMismatch)
    /// A pass 1 was already answered: a second answer would reveal the client's secret.
    public static let alreadyAnswered = Code(kind: .alreadyAnswered)
    /// The source of random bytes failed.
    public static let randomness = Code(kind: .randomness)
    /// libcrypto failed, most likely because there is no memory.
    public static let library = Code(kind: .library)
  }

  public let code: Code
  /// One sentence: the value's name and what was expected, but never the value itself.
  public let message: String
  /// The error of the system or of libcrypto.
  public let cause: String?

  public init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { cause.map { "\(message) (\($0))" } ?? message }
}

/// Why a value of M-Pin cannot be read or computed.
public struct MPinError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure a caller can act on.
  public enum Code: String, Hashable, Sendable, CustomStringConvertible {
    /// There are more or fewer bytes than the value has.
    case badLength
    /// The text is not hexadecimal, or the bytes are not of the one form that is taken.
    case badEncoding
    /// The coordinates are no point of the curve, or none of the group of prime order.
    case notOnCurve
    /// The point at infinity, given or computed, where it would give a secret away.
    case identityPoint
    /// A scalar is 0, or not below the group's order.
    case badScalar
    /// A PIN is not of decimal digits, or too long.
    case badPIN
    /// An M-Pin id is empty or too long.
    case badIdentity
    /// The key pair is not that of the identity.
    case keyMismatch
    /// A pass 1 has been answered before: a second answer would give the client's secret away.
    case alreadyAnswered
    /// The source of random bytes failed.
    case randomness
    /// libcrypto failed, most likely for want of memory.
    case library

    public var description: String { rawValue }
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

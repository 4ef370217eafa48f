/// Why a modem cannot be put on the virtual USB bus.
public struct USBModemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  public enum Code: String, Hashable, Sendable, CustomStringConvertible {
    /// The module vhci-hcd is not there, or has no free port.
    case noHostController
    /// The host controller or its driver sent what makes no sense.
    case protocolViolation
    /// A system call failed.
    case system

    public var description: String { rawValue }
  }

  public let code: Code
  /// One sentence.
  public let message: String
  /// The system's word for it, where there is one.
  public let cause: String?

  public init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { cause.map { "\(message): \($0)" } ?? message }
}

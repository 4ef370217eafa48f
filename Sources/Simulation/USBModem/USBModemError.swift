/// Why a modem cannot be put on the virtual USB bus.
public struct USBModemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure; new ones may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String { case noHostController, protocolViolation, system }
    private let kind: Kind
    public var description: String { kind.rawValue }

    /// The module vhci-hcd is not there, or has no free port.
    public static let noHostController = Code(kind: .noHostController)
    /// The host controller or its driver sent what makes no sense.
    public static let protocolViolation = Code(kind: .protocolViolation)
    /// A system call failed.
    public static let system = Code(kind: .system)
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

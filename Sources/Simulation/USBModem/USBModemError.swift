/// Why a modem cannot be put on the virtual USB bus.
package struct USBModemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  package enum Code: String, Hashable, Sendable, CustomStringConvertible {
    /// The module vhci-hcd is not there, or has no free port.
    case noHostController
    /// The host controller or its driver sent what makes no sense.
    case protocolViolation
    /// A system call failed.
    case system

    package var description: String { rawValue }
  }

  package let code: Code
  /// One sentence.
  package let message: String
  /// The system's word for it, where there is one.
  package let cause: String?

  package init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { cause.map { "\(message): \($0)" } ?? message }
}

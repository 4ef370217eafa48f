import CodedError

/// Why a modem cannot be put on the virtual USB bus.
package typealias USBModemError = CodedError<USBModemErrorCode>

/// The kinds of failure.
package enum USBModemErrorCode: String, ErrorCode {
  /// The module vhci-hcd is not there, or has no free port.
  case noHostController
  /// The host controller or its driver sent what makes no sense.
  case protocolViolation
  /// A system call failed.
  case system
}

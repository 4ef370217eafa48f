import CodedError
import Glibc

/// Why a world cannot be made, or something in it cannot be done.
package typealias WorldError = CodedError<WorldErrorCode>

/// The kinds of failure.
package enum WorldErrorCode: String, ErrorCode {
  /// The scenario's file cannot be read, or a field of it is not what was expected.
  case scenario
  /// The kernel does not let this user make namespaces or devices.
  case notAllowed
  /// A call to the kernel failed.
  case system
  /// A program cannot be started, or ended when it should not.
  case process
  /// A program did not answer in time.
  case notReady
}

extension WorldError {
  /// A call that failed with `errno`.
  static func system(_ message: String, errno number: Int32 = errno) -> WorldError {
    WorldError(
      number == EPERM || number == EACCES ? .notAllowed : .system, message, cause: String(cString: strerror(number)))
  }
}

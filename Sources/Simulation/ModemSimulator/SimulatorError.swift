import CodedError
import Glibc

/// What a simulated modem cannot do.
package typealias SimulatorError = CodedError<SimulatorErrorCode>

/// The kinds of failure.
package enum SimulatorErrorCode: String, ErrorCode {
  /// The system gave no pseudo-terminal.
  case noTerminal
  /// The symbolic link cannot be made.
  case badLink
  /// The modem already has a port; unplug it first.
  case alreadyPluggedIn
  /// There can be no such short message.
  case badMessage
}

extension SimulatorError {
  static func system(_ code: Code, _ message: String) -> SimulatorError {
    SimulatorError(code, message, cause: String(cString: strerror(errno)))
  }
}

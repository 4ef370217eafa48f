import CodedError

/// Something from the service manager that could not be used, or a message to it that could not be
/// sent.
package typealias SystemdError = CodedError<SystemdErrorCode>

/// The kinds of failure.
package enum SystemdErrorCode: String, ErrorCode {
  /// A variable set by the service manager does not have the form its protocol gives it.
  case badEnvironment
  /// An inherited descriptor is not a listening stream socket.
  case badSocket
  /// A message to the service manager was not delivered.
  case notifyFailed
  /// A credential cannot be read, or its name is not one.
  case badCredential
}

import CodedError

/// Why an interface cannot be used, or what went wrong on a socket that is bound to it.
package typealias BoundHTTPError = CodedError<BoundHTTPErrorCode>

/// The kinds of failure a caller can act on.
package enum BoundHTTPErrorCode: String, ErrorCode {
  /// The interface's name or index cannot be one.
  case badInterface
  /// The interface is gone, or another one has its name or index.
  case interfaceLost
  /// The bearer has no route to the address.
  case noRoute
  /// An address cannot be used for a socket.
  case badAddress
  /// A time limit was reached.
  case timeout
  /// The other side closed the connection too early.
  case closed
}

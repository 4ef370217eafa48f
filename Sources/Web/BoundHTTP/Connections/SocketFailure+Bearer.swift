import Glibc
import HTTPExchange

extension SocketFailure {
  /// Whether the bearer under the socket is gone. EHOSTUNREACH may come from a distant router, so a
  /// probe checks it.
  static func isBearerLost(_ error: any Error) -> Bool {
    if let error = error as? BoundHTTPError { return error.code == .interfaceLost || error.code == .noRoute }
    guard let code = code(error) else { return false }
    return [ENODEV, ENXIO, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL].contains(code)
  }

  /// A few words without personal data, for a bound socket.
  static func boundWords(_ error: any Error) -> String { (error as? BoundHTTPError)?.description ?? words(error) }
}

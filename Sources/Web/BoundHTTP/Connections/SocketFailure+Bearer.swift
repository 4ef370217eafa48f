import Glibc
import HTTPExchange

extension SocketFailure {
  /// Whether the bearer under the socket is gone. EHOSTUNREACH may come from a distant router, so a
  /// probe checks it.
  static func isBearerLost(_ error: any Error) -> Bool {
    if let error = error as? BoundHTTPError { return error.code == .interfaceLost || error.code == .noRoute }
    guard let code = code(error) else { return false }
    return [ENODEV, ENXIO, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, ECONNABORTED].contains(code)
  }

  /// Whether this machine destroyed the socket (SOCK_DESTROY): modemd-port does so to every TCP
  /// socket over a bearer that ends or changes its addresses. No other end of a connection can
  /// cause this error.
  static func isDestroyed(_ error: any Error) -> Bool { code(error) == ECONNABORTED }

  /// Whether this machine may have destroyed the socket: a connection that ends while nobody reads
  /// it is only found to be closed.
  static func mayBeDestroyed(_ error: any Error) -> Bool {
    isDestroyed(error) || (error as? ExchangeError)?.code == .closed
  }

  /// A few words without personal data, for a bound socket.
  static func boundWords(_ error: any Error) -> String {
    if isDestroyed(error) { return "its connections were ended, because the bearer or its addresses changed" }
    return (error as? BoundHTTPError)?.description ?? words(error)
  }
}

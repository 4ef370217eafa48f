import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Reads the errors of sockets and TLS.
package enum SocketFailure {
  /// The errno inside an error.
  package static func code(_ error: any Error) -> Int32? {
    switch error {
    case let error as IOError: error.errnoCode
    case let error as NIOConnectionError: error.connectionErrors.lazy.compactMap { code($0.error) }.first
    default: nil
    }
  }

  /// Whether it is a failure of TLS rather than of the transport.
  package static func isTLS(_ error: any Error) -> Bool {
    error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError || error is ServerName.Mismatch
  }

  /// Whether the other side ended the connection.
  package static func isBrokenOff(_ error: any Error) -> Bool {
    if let error = error as? ExchangeError { return error.code == .closed }
    return code(error).map { [ECONNRESET, EPIPE].contains($0) } ?? false
  }

  /// A few words without personal data.
  package static func words(_ error: any Error) -> String {
    switch error {
    case let error as ExchangeError: return error.description
    case let error as ChannelError:
      if case .connectTimeout = error { return "no answer in time" }
      return "the connection was closed"
    default: break
    }
    if let code = code(error) { return String(cString: strerror(code)).lowercased() }
    return String(describing: type(of: error))
  }

  /// What is wrong with a server's TLS.
  package static func tlsWords(_ error: any Error) -> String {
    let text = String(describing: error)
    if error is NIOSSLExtraError || error is ServerName.Mismatch { return "its certificate is for another name" }
    if text.contains("CERTIFICATE_VERIFY_FAILED") { return "its certificate is not trusted or has expired" }
    if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") { return "it does not speak TLS" }
    if text.contains("PROTOCOL_VERSION") || text.contains("UNSUPPORTED_PROTOCOL") {
      return "it has no TLS 1.2 or later"
    }
    if text.contains("HANDSHAKE_FAILURE") { return "it refused the handshake" }
    return "the handshake failed"
  }
}

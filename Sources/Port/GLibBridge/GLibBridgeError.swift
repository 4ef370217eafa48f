import CGLib

/// Why a call into a GLib library has no result.
package struct GLibBridgeError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// The calling task was cancelled.
    case cancelled
    /// The call's own time limit passed. A time limit inside the library is a `library` error.
    case deadline
    /// `GLibCallQueue.abandon` ended the call because its device or service is gone.
    case abandoned
    /// Too many calls are waiting already.
    case busy
    /// The library's own `GError`: its domain as in `g-io-error-quark`, and the code in that
    /// domain.
    case library(domain: String, code: Int)
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Takes over a `GError` and frees it.
  package init(taking error: UnsafeMutablePointer<GError>) {
    let domain = g_quark_to_string(error.pointee.domain).map { String(cString: $0) }
    code = .library(domain: domain ?? "", code: Int(error.pointee.code))
    message = error.pointee.message.map { String(cString: $0) } ?? "no message"
    g_error_free(error)
  }

  /// Whether this is the library's error `code` of `domain`, a quark such as `g_io_error_quark()`.
  package func isLibraryError(_ code: some RawRepresentable<UInt32>, domain: GQuark) -> Bool {
    guard let name = g_quark_to_string(domain) else { return false }
    return self.code == .library(domain: String(cString: name), code: Int(code.rawValue))
  }

  package var description: String { message }
}

/// Calls a C function that reports failure through a `GError**`.
/// - Parameter body: Gets the place for the error.
/// - Returns: The result of `body`, if it set no error.
/// - Throws: The error that `body` set.
package func checkingGError<Value>(
  _ body: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Value
) throws(GLibBridgeError) -> Value {
  var error: UnsafeMutablePointer<GError>?
  let value = body(&error)
  if let error { throw GLibBridgeError(taking: error) }
  return value
}

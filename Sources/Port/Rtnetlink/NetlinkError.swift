import CodedError
import Glibc

/// Why a netlink request failed.
package typealias NetlinkError = CodedError<NetlinkErrorCode>

/// The kinds of failure a caller can act on.
package enum NetlinkErrorCode: String, ErrorCode {
  /// CAP_NET_ADMIN is missing (EPERM).
  case notPermitted
  /// There is no such interface (ENODEV, ENXIO).
  case noDevice
  /// There is no such address, route or rule (ENOENT, ESRCH, EADDRNOTAVAIL).
  case notFound
  case exists
  /// The kernel runs without this address family (EAFNOSUPPORT, EOPNOTSUPP).
  case familyNotSupported
  case timeout
  /// Messages were lost because they were not read fast enough (ENOBUFS).
  case overrun
  /// The socket was closed by its owner.
  case closed
  /// The kernel's bytes cannot be read.
  case badReply
  case failed

  package static func text(_ message: String, cause: String) -> String {
    "\(message) (the kernel says: \(cause))"
  }
}

extension NetlinkError {
  /// Puts an errno into words.
  ///
  /// - Parameters:
  ///   - operation: what was tried, as in "add address 10.0.0.2/30 to wwan0".
  ///   - errno: a positive error number.
  ///   - cause: the kernel's extended acknowledgement.
  package init(_ operation: String, errno: Int32, cause: String? = nil) {
    let code = Self.code(for: errno)
    var message = "cannot \(operation): \(String(cString: strerror(errno))) (errno \(errno))"
    if let next = code.nextStep { message += "; \(next)" }
    self.init(code, message, cause: cause)
  }

  private static func code(for errno: Int32) -> Code {
    switch errno {
    case EPERM: .notPermitted
    case ENODEV, ENXIO: .noDevice
    case ENOENT, ESRCH, EADDRNOTAVAIL: .notFound
    case EEXIST: .exists
    case EAFNOSUPPORT, EOPNOTSUPP: .familyNotSupported
    case EAGAIN, ETIMEDOUT: .timeout
    case ENOBUFS: .overrun
    case EBADF: .closed
    default: .failed
    }
  }
}

extension NetlinkErrorCode {
  /// What to do about it; nil where there is nothing to say.
  fileprivate var nextStep: String? {
    switch self {
    case .notPermitted: "the process needs CAP_NET_ADMIN"
    case .noDevice: "the interface is gone or was never there, see `ip link`"
    case .familyNotSupported: "the kernel runs without this address family"
    case .notFound, .exists, .timeout, .overrun, .closed, .badReply, .failed: nil
    }
  }
}

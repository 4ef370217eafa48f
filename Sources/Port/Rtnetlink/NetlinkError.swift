import Glibc

/// Why a netlink request failed.
public struct NetlinkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure a caller can act on; new ones may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case notPermitted, noDevice, notFound, exists, familyNotSupported, timeout, overrun, closed, badReply, failed
    }
    private let kind: Kind
    public var description: String { kind.rawValue }

    /// CAP_NET_ADMIN is missing (EPERM).
    public static let notPermitted = Code(kind: .notPermitted)
    /// There is no such interface (ENODEV, ENXIO).
    public static let noDevice = Code(kind: .noDevice)
    /// There is no such address, route or rule (ENOENT, ESRCH, EADDRNOTAVAIL).
    public static let notFound = Code(kind: .notFound)
    public static let exists = Code(kind: .exists)
    /// The kernel runs without this address family (EAFNOSUPPORT, EOPNOTSUPP).
    public static let familyNotSupported = Code(kind: .familyNotSupported)
    public static let timeout = Code(kind: .timeout)
    /// Messages were lost because they were not read fast enough (ENOBUFS).
    public static let overrun = Code(kind: .overrun)
    /// The socket was closed by its owner.
    public static let closed = Code(kind: .closed)
    /// The kernel's bytes cannot be read.
    public static let badReply = Code(kind: .badReply)
    public static let failed = Code(kind: .failed)
  }

  public let code: Code
  /// One sentence: the request, its interface or prefix, and the answer.
  public let message: String
  /// The kernel's own explanation, from its extended acknowledgement.
  public let cause: String?

  public init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// Puts an errno into words.
  ///
  /// - Parameters:
  ///   - operation: what was tried, as in "add address 10.0.0.2/30 to wwan0".
  ///   - errno: a positive error number.
  ///   - cause: the kernel's extended acknowledgement.
  public init(_ operation: String, errno: Int32, cause: String? = nil) {
    let code = Self.code(for: errno)
    var message = "cannot \(operation): \(String(cString: strerror(errno))) (errno \(errno))"
    if let next = Self.nextStep[code] { message += "; \(next)" }
    self.init(code, message, cause: cause)
  }

  public var description: String { cause.map { "\(message) (the kernel says: \($0))" } ?? message }

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

  private static let nextStep: [Code: String] = [
    .notPermitted: "the process needs CAP_NET_ADMIN",
    .noDevice: "the interface is gone or was never there, see `ip link`",
    .familyNotSupported: "the kernel runs without this address family",
  ]
}

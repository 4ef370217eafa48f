import Glibc
import JSONTree

extension VarlinkServer {
  /// What one client, one user, and all together may use. Root has no limits of its own, and a
  /// sixteenth of each total limit is reserved for it.
  public struct Limits: Sendable {
    /// Largest call in bytes, if its interface sets no lower limit.
    public var frameBytes = 1 << 20
    /// Largest call in bytes while its method is unknown; also the largest call that is read on the
    /// event loop.
    public var openingBytes = 16 << 10
    /// How long a call's bytes may take to arrive, from the first to the last.
    public var frameTime = Duration.seconds(10)
    /// Nesting of objects and arrays in a call, and the number of its values.
    public var json = JSONReader.Limits(depth: 32, values: 16_384)
    /// Bytes of unread replies; a client with more is disconnected.
    public var unreadReplyBytes = 4 << 20
    /// How long replies may wait for a client that reads none of them; it is then disconnected,
    /// within twice that time.
    public var unreadReplyTime = Duration.seconds(60)
    /// Connections at one time.
    public var connections = 2048
    /// Connections of one user.
    public var userConnections = 512
    /// Connections of one user who may only read the service's description; all such users together
    /// have four times as many.
    public var strangerConnections = 8
    /// How long a connection may stay open while it is idle.
    public var idleTime = Duration.seconds(3600)
    /// The same if three quarters of all connections, or of a user's, are in use.
    public var shortIdleTime = Duration.seconds(30)
    /// Bytes of unfinished and waiting calls and unread replies, counted if a connection has more
    /// than 4 KiB of them.
    public var bytes = 32 << 20
    /// The same of one user.
    public var userBytes = 8 << 20
    /// Running calls that are not answered from memory.
    public var calls = 1024
    /// The same of one user.
    public var userCalls = 256
    /// Descriptors on their way to clients: of calls that run, and of replies that were sent and
    /// not read. The kernel counts the latter too, for modemd's user as a whole (RLIMIT_NOFILE).
    public var descriptors = 512
    /// The same of one user.
    public var userDescriptors = 128
    /// The answer to a call beyond the limit of one user; nil closes its connection.
    public var tooManyCalls: (@Sendable (_ limit: Int) -> VarlinkError)?

    public init() {}

    /// As many connections as leave half of the files that this process may open for other uses.
    public func fittingOpenFiles() -> Limits {
      var limits = self
      var files = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return limits }
      limits.connections = min(limits.connections, max(Int(clamping: files.rlim_cur) / 2, 16))
      limits.userConnections = min(limits.userConnections, max(limits.connections / 2, 8))
      limits.descriptors = min(limits.descriptors, max(limits.connections / 4, 4))
      limits.userDescriptors = min(limits.userDescriptors, max(limits.descriptors / 2, 2))
      return limits
    }
  }
}

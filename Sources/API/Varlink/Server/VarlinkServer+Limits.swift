import Glibc
import JSONTree

extension VarlinkServer {
  /// What one client, one user, and all together may take. Root has no limits of its own, and a sixteenth of each limit
  /// over all is kept for it.
  public struct Limits: Sendable {
    /// Bytes of one call, where its interface does not say less.
    public var frameBytes = 1 << 20
    /// Bytes of a call of which the method is not known yet; and those that are read on the event loop.
    public var openingBytes = 16 << 10
    /// How long the bytes of a call may take to come, from its first to its last.
    public var frameTime = Duration.seconds(10)
    /// Objects and arrays inside each other in a call, and values in it.
    public var json = JSONReader.Limits(depth: 32, values: 16_384)
    /// Bytes of replies that a client has not read yet; beyond it is disconnected.
    public var unreadReplyBytes = 4 << 20
    /// How long replies may wait for a client that reads none of them; it is then disconnected, within twice that time.
    public var unreadReplyTime = Duration.seconds(60)
    /// Connections at one time.
    public var connections = 2048
    /// Connections of one user.
    public var userConnections = 512
    /// Connections of one user who may call nothing but the service's description; all such users have four times of it.
    public var strangerConnections = 8
    /// How long a connection may be open while nothing goes on over it.
    public var idleTime = Duration.seconds(3600)
    /// The same where three quarters of the connections, or of a user's, are taken.
    public var shortIdleTime = Duration.seconds(30)
    /// Bytes of unfinished and waiting calls and unread replies, where a connection has more than 4 KiB of them.
    public var bytes = 32 << 20
    /// The same of one user.
    public var userBytes = 8 << 20
    /// Calls under way that are not answered from memory.
    public var calls = 1024
    /// The same of one user.
    public var userCalls = 256
    /// What a call beyond is answered with, by the limit of one user; nil closes its connection.
    public var tooManyCalls: (@Sendable (_ limit: Int) -> VarlinkError)?

    public init() {}

    /// As many connections as leave half of the files that this process may open for other things.
    public func fittingOpenFiles() -> Limits {
      var limits = self
      var files = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return limits }
      limits.connections = min(limits.connections, max(Int(clamping: files.rlim_cur) / 2, 16))
      limits.userConnections = min(limits.userConnections, max(limits.connections / 2, 8))
      return limits
    }
  }
}

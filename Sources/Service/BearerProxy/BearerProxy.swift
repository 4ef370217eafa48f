import BearerStreams
import Glibc
import Logging
import ModemService
import NIOCore
import Varlink

/// The proxy: SOCKS 5 and HTTP CONNECT, for programs that know one of them. It listens on a Unix
/// socket, and on loopback addresses where the administrator wants that.
///
/// The kernel says who connects, before a byte is read. Names are resolved over the bearer.
package final class BearerProxy: Sendable {
  /// Opens a connection over a bearer for a user's process.
  package typealias Opener =
    @Sendable (_ request: StreamRequest, _ caller: Caller, _ processID: Int32) async throws -> Connection

  /// An open connection that no client has yet: it is joined or abandoned.
  package struct Connection: Sendable {
    let join: @Sendable (_ client: any Channel, _ early: ByteBuffer) -> Void
    let abandon: @Sendable () -> Void

    /// - Parameters:
    ///   - join: passes bytes both ways until both have ended, those that the client sent early
    ///     first. It is called on the client's event loop.
    ///   - abandon: closes it.
    package init(
      join: @escaping @Sendable (_ client: any Channel, _ early: ByteBuffer) -> Void,
      abandon: @escaping @Sendable () -> Void
    ) {
      self.join = join
      self.abandon = abandon
    }

    package init(_ stream: BearerStream) {
      self.init(join: { ChannelSplice.start($0, early: $1, with: stream) }, abandon: { stream.abandon() })
    }
  }

  /// What the proxy does with its clients. A reload gives it another one.
  package struct Service: Sendable {
    let isAllowed: @Sendable (Peer) -> Bool
    let open: Opener

    /// - Parameter isAllowed: whether a user may open connections over the bearer.
    package init(isAllowed: @escaping @Sendable (Peer) -> Bool, open: @escaping Opener) {
      self.isAllowed = isAllowed
      self.open = open
    }

    package init(_ streams: BearerStreams, isAllowed: @escaping @Sendable (Peer) -> Bool) {
      self.init(
        isAllowed: isAllowed,
        open: { Connection(try await streams.open($0, for: $1, processID: $2 == 0 ? nil : $2)) })
    }
  }

  private let door: Door<ProxyReception>

  private init(_ door: Door<ProxyReception>) { self.door = door }

  /// Starts to listen. All clients are on one event loop of `group`.
  ///
  /// - Parameters:
  ///   - endpoint: its Unix socket; nil for none.
  ///   - loopback: its sockets of TCP.
  ///   - group: preferably one whose loops carry no chains and no calls.
  /// - Throws: `VarlinkListenError` if the path is taken or cannot be made.
  package static func start(
    _ service: Service, at endpoint: VarlinkEndpoint?, loopback: [LoopbackSocket] = [],
    limits: ProxyLimits = ProxyLimits(), on group: any EventLoopGroup, logger: Logger
  ) async throws -> BearerProxy {
    let loop = group.next()
    let door = try await Door.open(
      endpoint, others: loopback.map { Door.Socket($0.descriptor) { LoopbackSocket.peer(of: $0) } },
      batchSize: min(max(limits.connections / 8, 1), 64), on: loop, logger: logger
    ) { ProxyReception(service, limits, on: loop, clock: .machine, logger: logger) }
    return BearerProxy(door)
  }

  /// Serves clients that connect from now on in another way. Connections go on.
  package func change(to service: Service) async {
    await door.change { $0.service = service }
  }

  /// Stops listening, removes the socket file that it made, and ends every connection.
  package func close() async { await door.close() }
}

/// What clients of the proxy may take.
package struct ProxyLimits: Sendable {
  /// Connections of all users. A sixteenth is for root alone.
  package var connections = 1024
  /// Connections of one user. Root has no limit of its own.
  package var userConnections = 256
  /// Connections of one user without the right, who is told so; all such users together have four
  /// times as many.
  package var strangerConnections = 8
  /// How long a client may take to say what it wants.
  package var requestTime = Duration.seconds(10)
  /// How long opening a connection may take, with the bearer's coming up.
  package var openTime = Duration.seconds(30)
  /// How long a refused client may take to read why.
  package var farewellTime = Duration.seconds(2)

  package init() {}

  /// As many connections as need a quarter of the files that this process may open: each needs two.
  package func fittingOpenFiles() -> ProxyLimits {
    var limits = self
    var files = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return limits }
    limits.connections = min(limits.connections, max(Int(clamping: files.rlim_cur) / 8, 16))
    limits.userConnections = min(limits.userConnections, max(limits.connections / 2, 8))
    return limits
  }
}

import NIOCore
import NetworkAddress
import RedirectChain

/// A TCP connection over a bearer, on an event loop.
package struct BoundConnection: Sendable {
  /// It reads only when it is told to, or when the other end has said all. It stays open for
  /// writing then.
  package let channel: any Channel
  /// The address that it sends from.
  package let source: IPAddress
  /// The address that it is connected to.
  package let address: IPAddress
}

/// What the bearer's servers say of a host.
package struct ResolvedHost: Hashable, Sendable {
  package struct Address: Hashable, Sendable {
    package var address: IPAddress
    /// Whether the network made it of an IPv4 address, for a bearer without IPv4.
    package var isTranslated: Bool
    /// Why no connection is made to it, in one sentence; nil if one may be made.
    package var refusal: String?
  }

  /// As it was sent.
  package var name: String
  /// In the order in which connections would try them.
  package var addresses: [Address]
  /// The servers that answered; nil if none was asked.
  package var servers: [IPAddress]?
  /// The prefix of the network's translator, as `64:ff9b::/96`; nil if there is none, or nobody
  /// asked.
  package var translationPrefix: String?
}

/// Resolves names over a bearer and makes sockets that are bound to its interface, for programs. It
/// does so with what chains use: the bearer's servers and nobody else, the same addresses refused,
/// each socket bound before it connects.
package final class BoundDialer: Sendable {
  package struct Options: Sendable {
    package var dns = DNSTiming()
    package var connecting = ConnectionTiming()
    /// Makes query ids: random, unless a test needs otherwise.
    package var randomID: @Sendable () -> UInt16 = { .random(in: .min ... .max) }

    package init() {}
  }

  /// By what way, for whom, and how far.
  package struct Way: Sendable {
    package var interface: BoundInterface
    /// The only family that is used; nil for all of the interface.
    package var family: ChainHop.Family?
    /// Addresses that are reached although they are loopback or link-local: for simulations.
    package var allowedAddresses: Set<IPAddress>
    /// Whose earlier answers of the servers are used.
    package var owner: ChainRequest.Owner?
    /// For the whole way.
    package var limit: Duration
    /// The limit that the caller gave, of which a part may have passed; nil for `limit`. It only
    /// appears in messages.
    package var statedLimit: Duration?
    /// The caller's rules on addresses, beyond those that are always refused.
    package var permits: @Sendable (IPAddress) -> Bool
    /// Hears of the bytes of questions about names and their answers. Whoever gets the connection
    /// counts what it carries.
    package var onBytes: ByteReport?

    package init(
      over interface: BoundInterface, family: ChainHop.Family? = nil, allowedAddresses: Set<IPAddress> = [],
      for owner: ChainRequest.Owner? = nil, limit: Duration,
      permits: @escaping @Sendable (IPAddress) -> Bool = { _ in true }, onBytes: ByteReport? = nil
    ) {
      self.interface = interface
      self.family = family
      self.allowedAddresses = allowedAddresses
      self.owner = owner
      self.limit = limit
      self.permits = permits
      self.onBytes = onBytes
    }
  }

  private let group: any EventLoopGroup
  private let options: Options
  let memories: ChainMemories
  let servers: ServerMemory

  /// - Parameter group: its loops carry the sockets; it must outlive the dialer.
  package init(group: any EventLoopGroup, options: Options = Options()) {
    self.group = group
    self.options = options
    memories = ChainMemories()
    servers = ServerMemory()
  }

  /// The addresses of a host.
  ///
  /// - Throws: `DialFailure`; `CancellationError`.
  package func resolve(_ host: NamedHost, _ way: Way) async throws -> ResolvedHost {
    try await run(way) { try await $0.resolve(host) }
  }

  /// Opens a TCP connection that has read nothing.
  ///
  /// - Parameters:
  ///   - port: 1 to 65535.
  ///   - prepare: fills the pipeline, before the connection is made, and perhaps for several of
  ///     which one is chosen.
  /// - Throws: `DialFailure`; `CancellationError`.
  package func connect(
    _ host: NamedHost, port: Int, _ way: Way, _ prepare: @escaping @Sendable (any Channel) throws -> Void = { _ in }
  ) async throws -> BoundConnection {
    try await run(way) { try await $0.connect(host, port: port, prepare) }
  }

  /// Makes a socket, connected to a host and port, from which nobody has read.
  ///
  /// - Parameter port: 1 to 65535.
  /// - Throws: `DialFailure`; `CancellationError`.
  package func socket(
    to host: NamedHost, port: Int, isDatagram: Bool, _ way: Way
  ) async throws -> BoundDescriptor {
    try await run(way) { dial in
      try await isDatagram
        ? dial.connectedDatagram(host, port: port) : dial.connectedStream(host, port: port)
    }
  }

  /// Makes a socket that is bound to the bearer's interface and address, and not connected.
  ///
  /// - Throws: `DialFailure`; `CancellationError`.
  package func socket(isDatagram: Bool, _ way: Way) async throws -> BoundDescriptor {
    try await run(way) { try await $0.unconnected(isDatagram: isDatagram) }
  }

  private func run<Value: Sendable>(_ way: Way, _ body: (Dial) async throws -> Value) async throws -> Value {
    let dial = Dial(way, on: group.next(), options, memories.memory(of: way.owner).names, servers)
    return try await withTaskCancellationHandler {
      try await body(dial)
    } onCancel: {
      dial.cancel()
    }
  }
}

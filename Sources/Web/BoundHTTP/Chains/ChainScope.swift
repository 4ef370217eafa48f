import HTTPExchange
import NIOCore
import NIOPosix
import NetworkAddress
import RedirectChain

/// What one chain holds open. A chain's sockets, waits and timers all end together, at once, with
/// one reason.
///
/// `@unchecked Sendable`: confined to `loop`; every method must be called on it.
final class ChainScope: @unchecked Sendable {
  /// Why everything ended.
  struct Ended: Error {
    let cause: ChainFailure.Cause
    let text: String
  }

  let loop: any EventLoop
  let interface: BoundInterface
  /// The only family used to reach hosts; nil for all families of the interface. DNS servers are
  /// asked over either family.
  let family: ChainHop.Family?
  /// Nil if nothing is remembered about the interface's servers.
  private let memory: ServerMemory?
  /// Hears of what the sockets move.
  private let onBytes: ByteReport?
  private(set) var ended: Ended?
  private var channels: [ObjectIdentifier: any Channel] = [:]
  private var waits: [Int: (any Error) -> Void] = [:]
  private var nextWait = 0

  init(
    loop: any EventLoop, interface: BoundInterface, family: ChainHop.Family? = nil, memory: ServerMemory? = nil,
    onBytes: ByteReport? = nil
  ) {
    self.onBytes = onBytes
    self.loop = loop
    self.interface = interface
    self.family = family
    self.memory = memory
  }

  /// The bearer's DNS servers, in the order in which they are asked.
  var servers: [IPAddress] { memory?.servers(of: interface) ?? interface.dnsServers }

  /// Those that answered, in the order of their first answers.
  private(set) var answering: [IPAddress] = []

  /// One of them answered.
  func answered(_ server: IPAddress) {
    if !answering.contains(server) { answering.append(server) }
    memory?.answered(server, over: interface)
  }

  /// The families that can reach hosts, the preferred one first.
  var families: [ChainHop.Family] {
    ChainHop.Family.preferred.filter { candidate in
      (family ?? candidate) == candidate && (candidate == .ipv4 ? interface.hasIPv4 : interface.hasIPv6)
    }
  }

  /// Binds a new channel to the interface before it connects, and keeps it until it closes.
  ///
  /// - Throws (by the future): the error that kept the socket from being bound. The socket is then
  ///   never connected.
  func bind(_ channel: any Channel) -> EventLoopFuture<Void> {
    if let ended { return loop.makeFailedFuture(ended) }
    guard let provider = channel as? any SocketOptionProvider else {
      return loop.makeFailedFuture(BoundHTTPError(.badInterface, "a socket cannot be bound to an interface"))
    }
    do {
      try interface.verify()
    } catch {
      return loop.makeFailedFuture(error)
    }
    let key = ObjectIdentifier(channel)
    channels[key] = channel
    channel.closeFuture.whenComplete { _ in self.channels[key] = nil }
    return provider.unsafeSetSocketOption(
      level: .socket, name: .init(rawValue: RouteProbe.bindToInterfaceIndex), value: interface.index)
  }

  /// A stream bootstrap whose sockets are bound to the interface before `prepare` fills their
  /// pipeline.
  ///
  /// - Parameter isCounted: whether the scope reports the bytes; otherwise the caller counts them.
  func streamBootstrap(
    timeout: TimeAmount, isCounted: Bool = true, _ prepare: @escaping @Sendable (any Channel) throws -> Void
  ) -> ClientBootstrap {
    ClientBootstrap(group: loop)
      .connectTimeout(timeout)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        self.bind(channel).flatMapThrowing {
          if isCounted, let onBytes = self.onBytes {
            try channel.pipeline.syncOperations.addHandler(StreamByteCounter(onBytes))
          }
          try prepare(channel)
        }
      }
  }

  /// A datagram bootstrap whose sockets are bound to the interface.
  func datagramBootstrap(_ prepare: @escaping @Sendable (any Channel) throws -> Void) -> DatagramBootstrap {
    DatagramBootstrap(group: loop)
      .channelInitializer { channel in
        let ready = self.bind(channel).flatMapThrowing {
          if let onBytes = self.onBytes {
            try channel.pipeline.syncOperations.addHandler(DatagramByteCounter(onBytes))
          }
          try prepare(channel)
        }
        // NIO's bootstrap for datagrams leaves the socket open (2.101), unlike the one for streams.
        ready.whenFailure { _ in channel.close(promise: nil) }
        return ready
      }
  }

  /// The future's result, or the end of the chain, whichever comes first.
  func wait<Value: Sendable>(_ future: EventLoopFuture<Value>) -> EventLoopFuture<Value> {
    if let ended { return loop.makeFailedFuture(ended) }
    let promise = loop.makePromise(of: Value.self)
    let key = nextWait
    nextWait += 1
    waits[key] = { promise.fail($0) }
    future.hop(to: loop).whenComplete { result in
      // If the chain has ended, the promise is already fulfilled.
      guard self.waits.removeValue(forKey: key) != nil else { return }
      promise.completeWith(result)
    }
    return promise.futureResult
  }

  /// Ends the chain: every socket closes, every wait fails. Only the first reason counts.
  ///
  /// - Parameter discards: whether the kernel discards data that the sockets have not sent.
  ///   Otherwise it would continue to send after the chain has ended, perhaps without the bearer's
  ///   rules.
  func end(_ cause: ChainFailure.Cause, _ text: String, discards: Bool = true) {
    guard ended == nil else { return }
    let ended = Ended(cause: cause, text: text)
    self.ended = ended
    let waits = self.waits
    self.waits = [:]
    if discards { for channel in channels.values { channel.discardUnsent() } }
    // Before any waiter learns of the end.
    closeAll()
    for fail in waits.values { fail(ended) }
  }

  /// Closes a free connection in the regular way. Its close is not cut short with the others.
  func dismiss(_ channel: any Channel) {
    channels[ObjectIdentifier(channel)] = nil
    channel.close(promise: nil)
  }

  /// Gives a connection away: the end of everything else does not close it.
  func release(_ channel: any Channel) { channels[ObjectIdentifier(channel)] = nil }

  /// Closes what is left open, without waiting for the other side.
  func closeAll() {
    for channel in channels.values { channel.abort() }
  }
}

extension ChainHop.Family {
  /// IPv6 before IPv4 (RFC 6724, 2.1).
  fileprivate static let preferred: [ChainHop.Family] = [.ipv6, .ipv4]

  init(_ address: IPAddress) { self = address.isIPv4 ? .ipv4 : .ipv6 }

  /// As people write it.
  var name: String { self == .ipv4 ? "IPv4" : "IPv6" }
}

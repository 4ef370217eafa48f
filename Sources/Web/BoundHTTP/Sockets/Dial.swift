import DNSWire
import Glibc
import HTTPExchange
import NIOCore
import NIOPosix
import NetworkAddress
import RedirectChain

/// One way to a host, for a program: the same steps as a hop's, without HTTP. It runs on one event
/// loop, together with its sockets, and leaves nothing open but what it returns.
actor Dial {
  nonisolated let scope: ChainScope
  private nonisolated let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let search: AddressSearch
  private let connecting: ConnectionTiming
  private let way: BoundDialer.Way
  /// The last address that was tried.
  private var remote: IPAddress?

  init(
    _ way: BoundDialer.Way, on loop: any EventLoop, _ options: BoundDialer.Options, _ names: NameCache,
    _ servers: ServerMemory
  ) {
    self.way = way
    connecting = options.connecting
    executor = loop.executor
    scope = ChainScope(
      loop: loop, interface: way.interface, family: way.family, memory: servers, onBytes: way.onBytes)
    var policy = ChainPolicy()
    policy.allowedAddresses = way.allowedAddresses
    search = AddressSearch(
      scope: scope, policy: policy, names: names, timing: options.dns, randomID: options.randomID)
  }

  /// Ends it from outside: everything it has open closes.
  nonisolated func cancel() { scope.loop.execute { self.scope.end(.cancelled, "the caller left") } }

  /// Runs `body` within the time limit.
  private func limited<Value>(
    to host: NamedHost, port: Int? = nil, _ body: (isolated Dial) async throws -> Value
  ) async throws -> Value {
    let scope = scope
    let timer = scope.loop.scheduleTask(in: TimeAmount(way.limit)) { scope.end(.timeout, "") }
    defer {
      timer.cancel()
      scope.end(.cancelled, "the way is over", discards: false)
    }
    do {
      return try await body(self)
    } catch {
      throw DialFailureText(
        host: host, port: port, scope: scope, limit: way.statedLimit ?? way.limit, remote: remote
      ).failure(error)
    }
  }

  /// All addresses of a host, and what each of them is.
  func resolve(_ host: NamedHost) async throws -> ResolvedHost {
    try await limited(to: host) { dial in try await dial.resolved(host) }
  }

  private func resolved(_ host: NamedHost) async throws -> ResolvedHost {
    if let family = scope.family, scope.families.isEmpty { throw FailureText.Problem.missingFamily(family) }
    let found: [IPAddress] =
      switch host {
      case .address(let address): [address]
      case .name(let name): try await search.found(name).interleaved
      }
    let servers = scope.answering
    var prefix = search.knownPrefix
    if prefix == nil, !scope.interface.hasIPv4, scope.families.contains(.ipv6) {
      let known = try? await search.found(TranslationPrefix.wellKnownName)
      if let ended = scope.ended { throw ended }
      prefix = known.flatMap { TranslationPrefix(in: $0.v6, own: scope.interface.sources) }
    }
    let check = search.check(behind: prefix)
    let addresses = found.map { address in
      ResolvedHost.Address(
        address: address, isTranslated: isTranslated(address, prefix), refusal: refusal(of: address, check, prefix))
    }
    return ResolvedHost(
      name: host.text, addresses: addresses, servers: servers.isEmpty ? nil : servers,
      translationPrefix: prefix?.description)
  }

  /// Whether the network's servers made it of an IPv4 address (DNS64, RFC 6147).
  private func isTranslated(_ address: IPAddress, _ prefix: TranslationPrefix?) -> Bool {
    guard case .v6(let v6) = address, !scope.interface.hasIPv4 else { return false }
    return prefix?.translated(in: v6) != nil
  }

  private func refusal(of address: IPAddress, _ check: AddressCheck, _ prefix: TranslationPrefix?) -> String? {
    do {
      _ = try check.reachable(address)
    } catch {
      return "it is \(error.reason)"
    }
    guard !scope.families.contains(ChainHop.Family(address)) else { return nil }
    if address.isIPv4, prefix != nil, scope.families.contains(.ipv6) { return nil }
    return "the bearer has no \(ChainHop.Family(address).name) address"
  }

  /// A TCP connection that has read nothing.
  ///
  /// - Parameter prepare: fills the pipeline before the connection is made.
  func connect(
    _ host: NamedHost, port: Int, _ prepare: @escaping @Sendable (any Channel) throws -> Void
  ) async throws -> BoundConnection {
    try await limited(to: host, port: port) { dial in
      let scope = dial.scope
      let connection = try await dial.race(host, port: port, prepare) { channel, address in
        guard let source = channel.localAddress?.ipAddress.flatMap({ IPAddress($0) }) else {
          throw BoundHTTPError(.badAddress, "the socket has no address of the bearer")
        }
        scope.release(channel)
        return BoundConnection(channel: channel, source: source, address: address)
      } discard: {
        $0.channel.abort()
      }
      return connection
    }
  }

  /// A connected TCP socket, out of the loop's hands. Nothing has read from it.
  func connectedStream(_ host: NamedHost, port: Int) async throws -> BoundDescriptor {
    try await limited(to: host, port: port) { dial in
      let interface = dial.scope.interface
      return try await dial.race(host, port: port, { _ in }) { channel, address in
        // In the same turn of the loop in which it connected: the loop reads a socket whose other
        // end has already said all.
        let number = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
          fcntl($0, F_DUPFD_CLOEXEC, 0)
        }
        let code = errno
        channel.close(promise: nil)
        guard let number, number >= 0 else { throw IOError(errnoCode: code, reason: "fcntl") }
        // As a fresh socket has it.
        try? BoundDescriptor.set(number, Int32(IPPROTO_TCP), TCP_NODELAY, 0)
        return try BoundDescriptor(owning: number, source: nil, address: address, over: interface)
      } discard: { _ in
      }
    }
  }

  private func race<Opened: Sendable>(
    _ host: NamedHost, port: Int, _ prepare: @escaping @Sendable (any Channel) throws -> Void,
    _ take: @escaping @Sendable (any Channel, IPAddress) throws -> Opened,
    discard: @escaping @Sendable (Opened) -> Void
  ) async throws -> Opened {
    let addresses = try await permitted(host)
    remote = addresses.first?.address
    let (scope, timeout) = (scope, TimeAmount(way.limit))
    let race = ConnectRace<Opened>(addresses, preferring: nil, scope, connecting) { address in
      do {
        return scope.streamBootstrap(timeout: timeout, isCounted: false, prepare)
          .channelOption(.autoRead, value: false)
          .channelOption(.allowRemoteHalfClosure, value: true)
          .connect(to: try SocketAddress(address, port: port))
          .flatMapThrowing { channel in
            do {
              if let ended = scope.ended { throw ended }
              return try take(channel, address)
            } catch {
              channel.abort()
              throw error
            }
          }
      } catch {
        return scope.loop.makeFailedFuture(error)
      }
    } discard: {
      discard($0)
    }
    let opened = race.start()
    do {
      return try await scope.wait(opened).get()
    } catch {
      race.cancel()
      // It may have been on its way to the one who waited.
      opened.whenSuccess { discard($0) }
      throw error
    }
  }

  /// A UDP socket, connected to the first address of the host to which the bearer has a route.
  func connectedDatagram(_ host: NamedHost, port: Int) async throws -> BoundDescriptor {
    try await limited(to: host, port: port) { dial in
      var first: (any Error)?
      for reachable in try await dial.permitted(host) {
        dial.remote = reachable.address
        do {
          return try dial.connectedDatagram(reachable.address, port: port)
        } catch {
          first = first ?? error
        }
      }
      throw first ?? BoundHTTPError(.badAddress, "there is no address")
    }
  }

  private func connectedDatagram(_ address: IPAddress, port: Int) throws -> BoundDescriptor {
    let number = try BoundDescriptor.make(isDatagram: true, isIPv4: address.isIPv4, over: scope.interface)
    do {
      let target = try SocketAddress(address, port: port)
      guard target.withSockAddr({ Glibc.connect(number, $0, socklen_t($1)) }) == 0 else {
        throw IOError(errnoCode: errno, reason: "connect")
      }
    } catch {
      close(number)
      throw error
    }
    return try BoundDescriptor(owning: number, source: nil, address: address, over: scope.interface)
  }

  /// A socket that is bound to the bearer's address of a family and connected to nothing.
  func unconnected(isDatagram: Bool) async throws -> BoundDescriptor {
    let interface = scope.interface
    let isUsable: (IPAddress) -> Bool = { [family = scope.family] address in
      (family == nil || ChainHop.Family(address) == family) && (address.isIPv4 || !address.isLinkLocal)
    }
    guard let source = interface.sources.first(where: isUsable) else {
      let name = scope.family.map { " \($0.name)" } ?? ""
      throw DialFailure.notConnected(
        .unreachable, text: "the bearer has no\(name) address; ask for an ipv4v6 bearer")
    }
    do {
      let number = try BoundDescriptor.make(isDatagram: isDatagram, isIPv4: source.isIPv4, over: interface)
      do {
        // A stream's port is chosen when it connects (ip(7)), so that it takes none before.
        if !isDatagram { try BoundDescriptor.set(number, Int32(IPPROTO_IP), Self.bindAddressNoPort, 1) }
        let own = try SocketAddress(source, port: 0)
        guard own.withSockAddr({ bind(number, $0, socklen_t($1)) }) == 0 else {
          throw IOError(errnoCode: errno, reason: "bind")
        }
      } catch {
        close(number)
        throw error
      }
      return try BoundDescriptor(owning: number, source: source, address: nil, over: interface)
    } catch {
      let isLost = SocketFailure.isBearerLost(error)
      throw DialFailure.notConnected(
        isLost ? .bearerLost : .failed, text: "no socket over \(interface.name): \(SocketFailure.boundWords(error))")
    }
  }

  /// IP_BIND_ADDRESS_NO_PORT (linux/in.h).
  private static let bindAddressNoPort: Int32 = 24

  /// The addresses to connect to: those that chains may reach, and of these what the caller's rules
  /// allow. The rules are asked about the address as the name has it, too: a translator's prefix
  /// would hide it.
  private func permitted(_ host: NamedHost) async throws -> [ReachableAddress] {
    if let family = scope.family, scope.families.isEmpty { throw FailureText.Problem.missingFamily(family) }
    let found: [IPAddress] =
      switch host {
      case .address(let address): [address]
      case .name(let name): try await search.found(name).interleaved
      }
    guard !found.isEmpty else { throw NameLookup.Failure.noAddresses(ttl: 0) }
    let reachable = try await search.reachable(found)
    let allowed = reachable.addresses.filter { one in
      meant(by: one.address, reachable.prefix).allSatisfy(way.permits)
    }
    guard !allowed.isEmpty else { throw DialFailure.notPermitted }
    return allowed
  }

  /// What an address stands for behind the network's translator, else itself.
  private func meant(by address: IPAddress, _ prefix: TranslationPrefix?) -> [IPAddress] {
    guard case .v6(let v6) = address else { return [address] }
    if let inner = prefix?.translated(in: v6) { return [.v4(inner)] }
    return [address] + v6.embeddedIPv4.map { .v4($0) }
  }
}

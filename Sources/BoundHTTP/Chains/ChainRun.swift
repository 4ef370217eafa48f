import DNSWire
import Logging
import NetworkAddress
import NIOCore
import NIOHTTP1
import NIOSSL
import RedirectChain

/// One chain on its way: asks the machine what to do, does it over bound sockets, tells it what came.
///
/// It runs on one event loop, together with its sockets.
actor ChainRun {
  /// What chains of one client share.
  struct Environment: Sendable {
    let tls: NIOSSLContext
    let names: NameCache
    /// Nil when nothing is opened ahead.
    let origins: OriginMemory?
    let timing: DNSTiming
    let userAgent: String
    let randomID: @Sendable () -> UInt16
    /// Seconds since 1970.
    let wallClock: @Sendable () -> Int64
    let logger: Logger
  }

  /// How long a connection may take to become free again before another one is opened: a little more than a trip.
  private static let reuseWait = TimeAmount.milliseconds(250)
  /// How often the interface is looked at while a chain runs: a connected socket does not notice that it is gone.
  private static let watchInterval = TimeAmount.milliseconds(500)

  nonisolated let scope: ChainScope
  private nonisolated let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let request: ChainRequest
  private let environment: Environment
  private let onHop: @Sendable (ChainHop) -> Void
  private var machine: ChainMachine
  private var connections: [WebURL.Origin: Connection] = [:]
  /// Connections to origins that an earlier chain went through, opened in parallel with the first hop.
  private var ahead: [WebURL.Origin: Task<Connection, any Error>] = [:]
  private var visited: [WebURL] = []
  /// Set by the first connection: the whole chain leaves from one address.
  private var isIPv4: Bool?
  private var remote: IPAddress?

  init(
    _ request: ChainRequest, over interface: BoundInterface, on loop: any EventLoop, _ environment: Environment,
    onHop: @escaping @Sendable (ChainHop) -> Void
  ) {
    self.request = request
    self.environment = environment
    self.onHop = onHop
    executor = loop.executor
    scope = ChainScope(loop: loop, interface: interface)
    machine = ChainMachine(request)
  }

  /// Walks the chain to its end. Nothing of it is left open afterwards.
  func run() async -> ChainResult {
    let scope = scope
    let limit = scope.loop.scheduleTask(in: TimeAmount(request.policy.totalTime)) { scope.end(.timeout, "") }
    let watch = scope.loop.scheduleRepeatedTask(initialDelay: Self.watchInterval, delay: Self.watchInterval) { _ in
      self.assumeIsolated { $0.lookAtInterface() }
    }
    defer {
      limit.cancel()
      watch.cancel()
      for connection in connections.values where connection.handler.isIdle { scope.dismiss(connection.channel) }
      // What was opened ahead and not used ends here too.
      scope.end(.cancelled, "the chain is over")
    }
    var action = machine.start(now: environment.wallClock())
    if case .fetch = action { openAhead() }
    while true {
      switch action {
      case .finish(let result):
        remember(result)
        return result
      case .fetch(let hop):
        switch await walk(hop) {
        case .success(let response): action = machine.received(response, now: environment.wallClock())
        case .failure(let failure): return .failed(failure)
        }
      }
    }
  }

  private func openAhead() {
    for url in environment.origins?.origins(behind: request.url, on: scope.interface) ?? [] {
      ahead[url.origin] = Task {
        var unseen = ChainHop(ChainMachine.Hop(index: 0, url: url, headers: [], cookieNames: []))
        return try await open(url, .now(), &unseen)
      }
    }
  }

  private func remember(_ result: ChainResult) {
    if case .failed = result { return }
    environment.origins?.remember(visited, from: request.url, on: scope.interface)
  }

  private func walk(_ hop: ChainMachine.Hop) async -> Result<ChainMachine.Response, ChainFailure> {
    var shown = ChainHop(hop)
    do {
      let response = try await fetch(hop, &shown)
      shown.next = ChainMachine.nextHost(of: response, at: hop.url)
      onHop(shown)
      return .success(response)
    } catch {
      let failure = FailureText(hop: hop, policy: request.policy, interface: scope.interface, remote: remote)
        .failure(error, ended: scope.ended)
      environment.logger.debug(
        "chain ended", metadata: ["hop": "\(hop.index)", "host": "\(hop.url.host)", "cause": "\(failure.cause)"])
      onHop(shown)
      return .failure(failure)
    }
  }

  private func fetch(_ hop: ChainMachine.Hop, _ shown: inout ChainHop) async throws -> ChainMachine.Response {
    let start = NIODeadline.now()
    visited.append(hop.url)
    let connection = try await connection(for: hop, start, &shown)
    shown.address = connection.address.description
    let handler = connection.handler
    let limits = ExchangeHandler.Limits(
      handshakeBy: connection.opened + TimeAmount(request.policy.connectTime),
      read: TimeAmount(request.policy.readTime), bodyBytes: request.policy.bodyBytes)
    let exchange = handler.send(head(for: hop), on: scope.loop, limits: limits)
    defer {
      if !shown.isReused { shown.times.tls = handler.handshakeDone.map { ($0 - start).milliseconds } }
      shown.times.end = handler.ended.map { ($0 - start).milliseconds }
    }
    let head = try await scope.wait(exchange.head).get()
    shown.status = head.status
    shown.times.firstByte = (head.firstByte - start).milliseconds
    // Where a redirect leads is known from its head; its body, if there is one, comes in meanwhile.
    if ChainMachine.isRedirect(head.status) {
      return ChainMachine.Response(status: head.status, headers: head.headers, body: [])
    }
    let body = try await scope.wait(exchange.body).get()
    let response = ChainMachine.Response(status: head.status, headers: head.headers, body: body)
    let isEncoded = response.values("content-encoding").contains { $0.lowercased() != "identity" }
    if isEncoded, !body.isEmpty { throw FailureText.Problem.encodedBody }
    return response
  }

  private func head(for hop: ChainMachine.Hop) -> HTTPRequestHead {
    var fields = HTTPHeaders([("Host", hop.url.hostField)])
    for header in hop.headers { fields.add(name: header.name, value: header.value) }
    for (name, value) in [("User-Agent", environment.userAgent), ("Accept", "*/*"), ("Accept-Encoding", "identity")]
    where !fields.contains(name: name) {
      fields.add(name: name, value: value)
    }
    return HTTPRequestHead(version: .http1_1, method: .GET, uri: hop.url.requestTarget, headers: fields)
  }

  /// A connection of this chain to the same origin that is free, or a new one.
  private func connection(
    for hop: ChainMachine.Hop, _ start: NIODeadline, _ shown: inout ChainHop
  ) async throws -> Connection {
    if let open = connections[hop.url.origin] {
      if let unfinished = open.handler.unfinished { await settle(unfinished) }
      if open.handler.isIdle {
        shown.isReused = true
        return open
      }
      open.channel.abort()
      connections[hop.url.origin] = nil
    }
    let connection: Connection
    if let early = await connectionAhead(to: hop.url) {
      shown.isReused = early.opened <= start
      if !shown.isReused { shown.times.connect = (early.opened - start).milliseconds }
      connection = early
    } else {
      connection = try await open(hop.url, start, &shown)
    }
    remote = connection.address
    isIPv4 = isIPv4 ?? connection.address.isIPv4
    connections[hop.url.origin] = connection
    return connection
  }

  /// The connection that was opened ahead, when it is good; no request went over it, so another may be opened instead.
  private func connectionAhead(to url: WebURL) async -> Connection? {
    guard let task = ahead.removeValue(forKey: url.origin), let connection = try? await task.value else { return nil }
    if connection.handler.isIdle, isIPv4 == nil || connection.address.isIPv4 == isIPv4 { return connection }
    connection.channel.abort()
    return nil
  }

  private func open(_ url: WebURL, _ start: NIODeadline, _ shown: inout ChainHop) async throws -> Connection {
    let addresses = try await addresses(of: url, start, &shown)
    remote = remote ?? addresses.first
    let race = ConnectRace(
      to: url, addresses, scope, tls: url.scheme == .https ? environment.tls : nil,
      timeout: TimeAmount(request.policy.connectTime))
    let connection = try await scope.wait(race.start()).get()
    shown.times.connect = (connection.opened - start).milliseconds
    return connection
  }

  /// Waits a little for the rest of a redirect's body.
  private func settle(_ body: EventLoopFuture<[UInt8]>) async {
    let promise = scope.loop.makePromise(of: Void.self)
    let timer = scope.loop.scheduleTask(in: Self.reuseWait) { promise.succeed() }
    body.whenComplete { _ in promise.succeed() }
    try? await scope.wait(promise.futureResult).get()
    timer.cancel()
  }

  /// Where to connect to, by the bearer's servers alone, in order of preference and as far as the policy allows.
  private func addresses(of url: WebURL, _ start: NIODeadline, _ shown: inout ChainHop) async throws -> [IPAddress] {
    let found: [IPAddress]
    if let address = url.address {
      found = [address]
    } else {
      let names: NameLookup.Found
      if let known = environment.names.found(url.host, over: scope.interface) {
        names = known
      } else {
        names = try await lookUp(url.host)
        shown.times.dns = (NIODeadline.now() - start).milliseconds
      }
      found = ConnectRace.interleaved(names.v6, names.v4)
    }
    let allowed = found.filter { request.policy.refusal(of: $0) == nil }
    guard let first = found.first else { throw NameLookup.Failure.noAddresses }
    guard !allowed.isEmpty else {
      throw FailureText.Problem.refusedAddress(request.policy.refusal(of: first) ?? "not allowed")
    }
    let usable = allowed.filter { $0.isIPv4 ? scope.interface.hasIPv4 : scope.interface.hasIPv6 }
    guard !usable.isEmpty else { return try await translated(allowed) }
    let sameFamily = usable.filter { $0.isIPv4 == isIPv4 }
    return sameFamily.isEmpty ? usable : sameFamily
  }

  /// IPv6 addresses for IPv4 ones, on a bearer that has IPv6 alone and a translator behind it.
  private func translated(_ addresses: [IPAddress]) async throws -> [IPAddress] {
    let untranslated = FailureText.Problem.otherFamily(isIPv4: addresses[0].isIPv4)
    guard scope.interface.hasIPv6, addresses[0].isIPv4 else { throw untranslated }
    let name = TranslationPrefix.wellKnownName
    let known = environment.names.found(name, over: scope.interface)
    let found: NameLookup.Found
    do {
      if let known { found = known } else { found = try await lookUp(name) }
    } catch {
      throw scope.ended ?? untranslated
    }
    guard let prefix = TranslationPrefix(in: found.v6) else { throw untranslated }
    let translated = addresses.compactMap { address -> IPAddress? in
      if case .v4(let v4) = address { prefix.address(for: v4) } else { nil }
    }
    guard !translated.isEmpty else { throw untranslated }
    return translated
  }

  private func lookUp(_ host: String) async throws -> NameLookup.Found {
    let lookup = NameLookup(try DomainName(host), scope, environment.timing, randomID: environment.randomID)
    let found = try await scope.wait(lookup.start()).get()
    environment.names.keep(found, for: host, over: scope.interface)
    return found
  }

  private func lookAtInterface() {
    do {
      if let remote {
        try RouteProbe.check(remote, over: scope.interface)
      } else {
        try scope.interface.verify()
      }
    } catch {
      scope.end(.bearerLost, error.message)
    }
  }
}

extension TimeAmount {
  /// With a resolution of microseconds.
  var milliseconds: Double { Double(nanoseconds / 1000) / 1000 }
}

import DNSWire
import HTTPExchange
import Logging
import NetworkAddress
import NIOCore
import NIOHTTP1
import RedirectChain
import Web

/// A chain in progress: asks the machine what to do next, does it over bound sockets, and reports
/// the result to the machine.
///
/// It runs on one event loop, together with its sockets.
actor ChainRun {
  /// What the chains of one client share.
  struct Environment: Sendable {
    let tls: TLSContextBox
    let names: NameCache
    let servers: ServerMemory
    let running: RunningChains
    /// Nil if no connections are opened ahead.
    let origins: OriginMemory?
    let timing: DNSTiming
    let connecting: ConnectionTiming
    let userAgent: String
    let randomID: @Sendable () -> UInt16
    /// Seconds since 1970.
    let wallClock: @Sendable () -> Int64
    let logger: Logger
  }

  nonisolated let scope: ChainScope
  private nonisolated let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let request: ChainRequest
  let environment: Environment
  private let onHop: @Sendable (ChainHop) -> Void
  private var machine: ChainMachine
  private var connections: [WebURL.Origin: Connection] = [:]
  private nonisolated let opener: OriginOpener
  /// Connections that were made ready for this chain, or that it opens in parallel with its first
  /// hop to the origins of an earlier one.
  private nonisolated let ahead: ConnectionsAhead
  private var visited: [WebURL] = []
  /// Hops that are over and that the caller has not heard of yet.
  private var untold: [ChainHop] = []
  private let begin = NIODeadline.now()
  private static let patienceForReason = TimeAmount.milliseconds(500)
  /// Set by the first connection: the whole chain leaves from one address.
  private(set) var isIPv4: Bool?
  /// The last address that was tried.
  private var remote: IPAddress? {
    didSet { environment.running.note(remote, of: self) }
  }

  /// - Parameter warm: what was made ready for the chain. It runs on that set's loop, and
  ///   everything of the set ends with it.
  init(
    _ request: ChainRequest, over interface: BoundInterface, on loop: any EventLoop, _ environment: Environment,
    taking warm: ConnectionsAhead? = nil, onBytes: ByteReport? = nil,
    onHop: @escaping @Sendable (ChainHop) -> Void
  ) {
    self.request = request
    self.environment = environment
    self.onHop = onHop
    scope =
      warm?.opener.scope
      ?? ChainScope(
        loop: loop, interface: interface, family: request.policy.family, memory: environment.servers,
        onBytes: onBytes)
    executor = scope.loop.executor
    opener = OriginOpener(scope: scope, policy: request.policy, environment: environment)
    machine = ChainMachine(request)
    ahead = warm ?? ConnectionsAhead(opener)
  }

  /// Follows the chain to its end. Nothing stays open afterwards.
  func run() async -> ChainResult {
    let scope = scope
    let limit = scope.loop.scheduleTask(in: TimeAmount(request.policy.totalTime)) { scope.end(.timeout, "") }
    defer {
      tellOfHops()
      limit.cancel()
      for connection in connections.values where connection.handler.isIdle { scope.dismiss(connection.channel) }
      ahead.dismissUnused()
      // Also ends connections that are on their way.
      scope.end(.cancelled, "the chain is over", discards: false)
    }
    var action = machine.start(now: environment.wallClock())
    if case .fetch = action { openAhead() }
    while true {
      switch action {
      case .finish(let result):
        remember(result)
        return result
      case .fetch(let hop):
        var shown = ChainHop(hop)
        let answer = await walk(hop, &shown)
        if case .success(let response) = answer {
          action = machine.received(response, now: environment.wallClock())
          shown.next = ChainMachine.nextHost(of: response, at: hop.url)
          shown.cookiesSet = machine.cookiesSet
          shown.trace = response.trace(request.policy.traceHeaders)
          shown.secrets.revealed.answerFields = response.headers
        }
        tell(of: shown)
        if case .failure(let failure) = answer { return .failed(failure) }
      }
    }
  }

  /// Tells the caller of a hop once the next one is on its way. What the caller does with it, as to
  /// write it as JSON, then takes its time while the network has the next question.
  private func tell(of hop: ChainHop) {
    untold.append(hop)
    Task { tellOfHops() }
  }

  private func tellOfHops() {
    for hop in untold { onHop(hop) }
    untold = []
  }

  private func openAhead() {
    guard request.policy.learnsOrigins else { return }
    let origins = environment.origins?.origins(behind: request.url, kind: request.kind, on: scope.interface)
    if let origins, !origins.isEmpty { ahead.open(origins) }
  }

  private func remember(_ result: ChainResult) {
    guard request.policy.learnsOrigins else { return }
    if case .failed = result { return }
    environment.origins?.remember(visited, of: request, on: scope.interface)
  }

  private func walk(
    _ hop: ChainMachine.Hop, _ shown: inout ChainHop
  ) async -> Result<ChainMachine.Response, ChainFailure> {
    do {
      return .success(try await fetch(hop, &shown))
    } catch {
      // The port destroys the sockets first, and says why a moment later.
      if SocketFailure.mayBeDestroyed(error), scope.ended == nil { await pause(Self.patienceForReason) }
      let isInHandshake = hop.url.scheme == .https && shown.address != nil && shown.tlsVersion == nil
      let failure = FailureText(
        hop: hop, policy: request.policy, interface: scope.interface, families: scope.families, remote: remote,
        isInHandshake: isInHandshake, isUnsent: shown.address == nil || isInHandshake
      )
      .failure(error, ended: scope.ended)
      environment.logger.debug(
        "chain ended", metadata: ["hop": "\(hop.index)", "host": "\(hop.url.host)", "cause": "\(failure.cause)"])
      return .failure(failure)
    }
  }

  private func fetch(_ hop: ChainMachine.Hop, _ shown: inout ChainHop) async throws -> ChainMachine.Response {
    if hop.pause > .zero { try await wait(TimeAmount(hop.pause)) }
    let start = NIODeadline.now()
    shown.begin = (start - begin).milliseconds
    visited.append(hop.url)
    let connection = try await connection(for: hop, start, &shown)
    shown.address = connection.address.description
    shown.source = connection.channel.localAddress?.ipAddress
    let handler = connection.handler
    let limits = ExchangeHandler.Limits(
      handshakeBy: connection.opened + TimeAmount(request.policy.connectTime), connect: request.policy.connectTime,
      read: request.policy.readTime, bodyBytes: request.policy.bodyBytes)
    let question = HTTPRequestHead(
      hop.method.name, hop.url, headers: hop.headers, bodyBytes: hop.method.body?.bytes.count,
      userAgent: environment.userAgent)
    shown.secrets.revealed.requestFields = question.headers.map { WebHeader(name: $0.name, value: $0.value) }
    let exchange = handler.send(question, body: hop.method.body?.bytes, on: scope.loop, limits: limits)
    defer {
      shown.tlsVersion = handler.tlsVersion
      shown.receivedBytes = handler.receivedBytes
      // What finished before the hop began did not take any of the hop's time.
      if let done = handler.handshakeDone, done >= start { shown.times.tls = (done - start).milliseconds }
      shown.times.end = handler.ended.map { ($0 - start).milliseconds }
    }
    let head = try await scope.wait(exchange.head).get()
    shown.status = head.status
    shown.times.firstByte = (head.firstByte - start).milliseconds
    // The head of a redirect already names its target. Any body arrives in the meantime.
    if ChainMachine.isRedirect(head.status) {
      shown.bodyBytes = handler.announcedBytes
      return ChainMachine.Response(status: head.status, headers: head.headers, body: [])
    }
    let sent = try await scope.wait(exchange.body).get()
    let body = try head.decoded(sent, limit: request.policy.bodyBytes)
    shown.bodyBytes = body.count
    return ChainMachine.Response(status: head.status, headers: head.headers, body: body)
  }

  /// A free connection of this chain to the same origin, or a new one.
  private func connection(
    for hop: ChainMachine.Hop, _ start: NIODeadline, _ shown: inout ChainHop
  ) async throws -> Connection {
    if let open = connections[hop.url.origin] {
      if await isFree(open) {
        shown.isReused = true
        return open
      }
      open.channel.abort()
      connections[hop.url.origin] = nil
    }
    let connection: Connection
    if let early = await connectionAhead(to: hop.url) {
      shown.isOpenedAhead = true
      shown.addresses = early.candidates
      if early.opened > start { shown.times.connect = (early.opened - start).milliseconds }
      connection = early
    } else {
      connection = try await open(hop.url, start, &shown)
    }
    remote = connection.address
    isIPv4 = isIPv4 ?? connection.address.isIPv4
    connections[hop.url.origin] = connection
    return connection
  }

  /// Whether a connection can carry one more request.
  ///
  /// A request written to a connection that has ended may still have been received, so it is not
  /// sent again. The end must therefore be noticed first. Servers that close without notice do so
  /// right after their answer, and none of those says that it stays open. To notice the end of TLS,
  /// it must be read.
  private func isFree(_ connection: Connection) async -> Bool {
    let (handler, timing) = (connection.handler, environment.connecting)
    if let unfinished = handler.unfinished { await settle(unfinished) }
    if let ended = handler.ended, !handler.announcesReuse {
      let left = ended + TimeAmount(timing.quiet) - .now()
      if left > .zero { await pause(left) }
    }
    let limit = NIODeadline.now() + TimeAmount(timing.reuse)
    while handler.readiness == .unread, NIODeadline.now() < limit { await pause(.microseconds(200)) }
    return handler.readiness == .ready
  }

  /// The connection that was opened ahead, if it is usable. No request was sent over it, so another
  /// one can be opened instead.
  private func connectionAhead(to url: WebURL) async -> Connection? {
    guard let task = ahead.claim(url.origin), let connection = try? await task.value else { return nil }
    let isOfFamily = isIPv4 == nil || connection.address.isIPv4 == isIPv4
    if isOfFamily, await isFree(connection) {
      ahead.noteUse(of: url.origin)
      return connection
    }
    connection.channel.abort()
    return nil
  }

  private func open(_ url: WebURL, _ start: NIODeadline, _ shown: inout ChainHop) async throws -> Connection {
    let addresses = try await opener.addresses(of: url, start, &shown)
    remote = remote ?? addresses.first?.address
    var connection = try await opener.connect(to: url, addresses, preferring: isIPv4)
    connection.candidates = shown.addresses
    shown.times.connect = (connection.opened - start).milliseconds
    return connection
  }

  /// Waits a little for the rest of a redirect's body.
  private func settle(_ body: EventLoopFuture<[UInt8]>) async {
    let promise = scope.loop.makePromise(of: Void.self)
    let timer = scope.loop.scheduleTask(in: TimeAmount(environment.connecting.reuse)) { promise.succeed() }
    body.whenComplete { _ in promise.succeed() }
    try? await scope.wait(promise.futureResult).get()
    timer.cancel()
  }

  /// Waits for the given time, or until the chain ends.
  private func pause(_ time: TimeAmount) async { try? await wait(time) }

  private func wait(_ time: TimeAmount) async throws {
    let promise = scope.loop.makePromise(of: Void.self)
    let timer = scope.loop.scheduleTask(in: time) { promise.succeed() }
    defer { timer.cancel() }
    try await scope.wait(promise.futureResult).get()
  }

  /// Ends the chain from outside, in any state. Everything it has open closes, and `run` returns.
  nonisolated func end(_ cause: ChainFailure.Cause, _ text: String) {
    scope.loop.execute { self.scope.end(cause, text) }
  }
}

extension TimeAmount {
  /// With a resolution of microseconds.
  var milliseconds: Double { Double(nanoseconds / 1000) / 1000 }
}

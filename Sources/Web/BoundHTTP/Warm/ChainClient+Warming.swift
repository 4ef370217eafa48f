import NIOCore
import RedirectChain
import Web

extension ChainClient {
  /// Waits until connections are ready, for a short time at most, and returns how many are.
  package typealias ReadyCount = @Sendable () async -> Int

  /// Makes ready what an expected chain needs: the names, TCP and TLS of the origins that it will
  /// probably go through. Nothing is requested. The next chain of the same owner, kind and bearer
  /// takes the connections; what is not used closes after a short time.
  ///
  /// It returns at once, but may read the roots of trust before: do not call it on an event loop.
  ///
  /// - Parameter onBytes: hears of the bytes until a chain takes the connections.
  /// - Returns: nil if nothing is made ready.
  package func warm(
    _ chain: ExpectedChain, over interface: BoundInterface, onBytes: ByteReport? = nil
  ) -> ReadyCount? {
    guard options.warms, warm.mayWarm(chain.owner, over: interface) else { return nil }
    let environment = makeEnvironment(for: chain.owner)
    guard let start = chain.start, let expected = expected(chain, environment, over: interface),
      (try? tls.get(expected.policy.newestTLS)) != nil
    else { return nil }
    let meter = ByteMeter(limit: options.warmLimits.bytesPerSet, onBytes)
    let scope = ChainScope(
      loop: group.next(), interface: interface, family: expected.policy.family, memory: environment.servers
    ) { meter.note($0, $1, $2) }
    let opener = OriginOpener(scope: scope, policy: expected.policy, environment: environment)
    let connections = ConnectionsAhead(opener, isWatched: true)
    let key = WarmSet.Key(
      owner: chain.owner, interface: interface, bearerSince: chain.bearerSince, client: warmID, start: start,
      fit: ConnectionFit(expected.policy))
    let set = WarmSet(key: key, connections: connections, meter: meter)
    let isOfFlow = chain.kind != nil
    let time = TimeAmount(isOfFlow ? warm.limits.flowTime : warm.limits.preparedTime)
    let limit = TimeAmount(warm.limits.answerTime)
    switch warm.admit(set, for: time, isAnother: isOfFlow, close: { [self] in close($0) }) {
    case .refused: return nil
    case .covered(by: let other): return { await other.connections.ready(within: limit) }
    case .taken:
      // The connections report to the meter: a set that nobody takes would keep itself.
      meter.begin { [self, weak connections] in
        if let connections, let set = warm.remove(connections) { close(set) }
      }
      connections.open(expected.origins)
      return { await connections.ready(within: limit) }
    }
  }

  /// This client's settings no longer count: what it made ready closes, and it makes nothing ready
  /// any more. Its chains go on.
  package func retire() { for set in warm.retire(warmID) { close(set) } }

  /// What was made ready for a chain, if anything was.
  func takeWarm(_ request: ChainRequest, over interface: BoundInterface, _ onBytes: ByteReport?) -> WarmSet? {
    guard options.warms, let owner = request.owner else { return nil }
    let starts = (request.kind.map { [WarmSet.Start.kind($0)] } ?? []) + [.origin(request.url.origin)]
    let fit = ConnectionFit(request.policy)
    let keys = starts.map {
      WarmSet.Key(
        owner: owner, interface: interface, bearerSince: request.bearerSince, client: warmID, start: $0, fit: fit)
    }
    guard let set = warm.take(keys) else { return nil }
    // Sockets that are opened look themselves; these are open.
    do {
      try interface.verify()
    } catch {
      close(set, isLost: true)
      return nil
    }
    set.meter.hand(over: onBytes)
    return set
  }

  /// Closes a set that no chain took.
  ///
  /// - Parameter isLost: whether nothing may leave any more.
  func close(_ set: WarmSet, isLost: Bool = false) {
    let scope = set.connections.opener.scope
    scope.loop.execute { [self] in
      if !isLost { set.connections.dismissUnused() }
      scope.end(.cancelled, "nobody needed the connections", discards: isLost)
      settle(set, isTaken: false)
    }
  }

  /// Counts what became of a set that is over.
  func settle(_ set: WarmSet, isTaken: Bool) {
    Task { [warm, options] in
      let tally = await set.connections.tally()
      let bytes = isTaken ? tally.unusedBytes : set.meter.bytes
      warm.spent(bytes, by: set.key)
      options.onWarmed(
        WarmTally(used: tally.used, unused: tally.unused, failed: tally.failed, unusedBytes: bytes))
    }
  }

  /// Where an expected chain will probably go, and under which policy: that of the last one like
  /// it, within what the given one allows.
  private func expected(
    _ chain: ExpectedChain, _ environment: ChainRun.Environment, over interface: BoundInterface
  ) -> (origins: [WebURL], policy: ChainPolicy)? {
    var policy = chain.policy
    var origins = [chain.first?.root].compactMap(\.self)
    if policy.learnsOrigins, let memory = environment.origins {
      let way =
        chain.kind.flatMap { memory.way(of: $0, on: interface) }
        ?? chain.first.flatMap { memory.way(from: $0, on: interface) }
      if let way {
        (policy.newestTLS, policy.family) = (way.fit.newestTLS, way.fit.family)
        origins += way.origins
      }
    }
    var seen: Set<WebURL.Origin> = []
    origins = origins.filter { policy.allows($0) && seen.insert($0.origin).inserted }
    guard !origins.isEmpty else { return nil }
    return (Array(origins.prefix(OriginMemory.maximumOrigins + 1)), policy)
  }
}

extension ExpectedChain {
  fileprivate var start: WarmSet.Start? { kind.map { .kind($0) } ?? first.map { .origin($0.origin) } }
}

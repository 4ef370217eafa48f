import DNSWire
import EventLoopTasks
import Glibc
import HTTPExchange
import Logging
import ModemModel
import NIOCore
import NIOPosix
import NIOSSL
import RedirectChain
import Web

/// Follows redirect chains, each over one interface. Every socket is bound before it connects. The
/// bearer's own servers resolve names over the bearer. There is no fallback.
///
/// One client serves a whole process. All chains share the roots of trust. Chains of the same owner
/// also share what the owner's earlier chains learned.
package final class ChainClient: Sendable {
  /// Options that apply to all chains.
  package struct Options: Sendable {
    package var trust = TLSTrust()
    package var dns = DNSTiming()
    package var connecting = ConnectionTiming()
    /// The User-Agent field, unless the caller gives one.
    package var userAgent = "modemd"
    /// Whether a chain opens connections to the origins of the last chain from the same first host,
    /// in parallel with its first hop. No request is ever sent ahead. Connections that are not used
    /// close with the chain.
    package var learnsOrigins = true
    /// Whether connections are made ready for chains that are expected, before they begin.
    package var warms = true
    package var warmLimits = WarmLimits()
    /// Hears what became of connections that were made ready. It must not block.
    package var onWarmed: @Sendable (WarmTally) -> Void = { _ in }
    /// Makes query ids: random, unless a test needs otherwise.
    package var randomID: @Sendable () -> UInt16 = { .random(in: .min ... .max) }
    /// Seconds since 1970, for the expiry of cookies.
    package var wallClock: @Sendable () -> Int64 = { Timestamp.now().milliseconds / 1000 }

    package init() {}
  }

  let group: any EventLoopGroup
  let options: Options
  let logger: Logger
  let tls: TLSContextBox
  let memories: ChainMemories
  /// Belongs to no user: it only records which of a bearer's servers are alive.
  private let servers: ServerMemory
  private let running: RunningChains
  /// Those of all clients that know of each other.
  let warm: WarmConnections
  /// What identifies this client there.
  let warmID: Int

  /// Makes a client. Nothing is opened or read before the first chain.
  ///
  /// - Parameters:
  ///   - group: its loops carry the sockets; it must outlive the client.
  ///   - dialer: it knows what chains learn of names and servers, and they what it does.
  package convenience init(
    group: any EventLoopGroup, options: Options = Options(), beside dialer: BoundDialer? = nil, logger: Logger
  ) {
    self.init(group: group, options: options, beside: dialer, logger: logger, tls: TLSContextBox(options.trust))
  }

  init(
    group: any EventLoopGroup, options: Options, beside dialer: BoundDialer? = nil, logger: Logger,
    tls: TLSContextBox
  ) {
    self.group = group
    self.options = options
    self.logger = logger
    self.tls = tls
    memories = dialer?.memories ?? ChainMemories()
    servers = dialer?.servers ?? ServerMemory()
    running = RunningChains()
    warm = WarmConnections(options.warmLimits)
    warmID = warm.register()
  }

  /// Makes a client with other options that knows what another one has learned, and hears of lost
  /// bearers together with it. Chains of the other client go on with its options.
  ///
  /// It reads the roots of trust at once, and blocks meanwhile.
  ///
  /// - Throws: `ExchangeError` `badTrust`.
  package init(sharing other: ChainClient, options: Options) throws {
    group = other.group
    logger = other.logger
    self.options = options
    tls = TLSContextBox(options.trust)
    (memories, servers, running, warm) = (other.memories, other.servers, other.running, other.warm)
    warmID = warm.register()
    _ = try tls.get()
  }

  /// For a task that runs a chain: the loop that the task is on, else one of the client's. The
  /// chain runs on the same.
  package var executor: any TaskExecutor { LoopExecutor(group.any()) }

  /// Follows a chain to its end. If the task is cancelled, the chain ends at once with the cause
  /// `cancelled`.
  ///
  /// - Parameters:
  ///   - interface: the bearer's interface, in its current state.
  ///   - onHop: called once for each finished hop, in order, and also for a failed one. It must not
  ///     block.
  ///   - onBytes: hears of the bytes of all the chain's sockets.
  package func run(
    _ request: ChainRequest, over interface: BoundInterface, onHop: @escaping @Sendable (ChainHop) -> Void = { _ in },
    onBytes: ByteReport? = nil
  ) async -> ChainResult {
    do {
      try await tls.prepare(request.policy.newestTLS)
    } catch {
      return .failed(ChainFailure(.tlsFailed, "\(error)"))
    }
    let set = takeWarm(request, over: interface, onBytes)
    let run = ChainRun(
      request, over: interface, on: group.any(), makeEnvironment(for: request.owner), taking: set?.connections,
      onBytes: onBytes, onHop: onHop)
    running.add(run) { [self] interface, reason in bearerLost(interface: interface.index, reason) }
    defer {
      running.remove(run)
      if let set { settle(set, isTaken: true) }
    }
    return await withTaskCancellationHandler {
      await run.run()
    } onCancel: {
      run.end(.cancelled, "the caller left")
    }
  }

  /// Ends every chain over an interface at once, with the cause `bearerLost`, and closes what was
  /// made ready over it. Forgets what its servers answered and which origins its chains used. Call
  /// it whenever a bearer goes down, because the next one may differ.
  ///
  /// - Parameters:
  ///   - index: the interface's.
  ///   - reason: one sentence on what happened to the bearer.
  package func bearerLost(interface index: Int32, _ reason: String) {
    memories.forget(interface: index)
    servers.forget(interface: index)
    for set in warm.removeAll(over: index) { close(set, isLost: true) }
    running.end(over: index, reason)
  }

  /// The hosts that a chain from a URL will probably need, the URL's own host first.
  ///
  /// - Parameters:
  ///   - learns: whether to include hosts that earlier chains reached; nil uses the configured
  ///     value.
  ///   - owner: the owner of those earlier chains; nil for a chain without an owner.
  package func likelyHosts(
    from url: WebURL, learns: Bool?, for owner: ChainRequest.Owner?, over interface: BoundInterface
  ) -> [String] {
    var hosts = [url]
    if options.learnsOrigins, learns ?? true {
      hosts += memories.memory(of: owner).origins.origins(behind: url, on: interface)
    }
    var seen: Set<String> = []
    return hosts.filter { $0.address == nil && seen.insert($0.host).inserted }.map(\.host)
  }

  /// Resolves a name ahead of an expected chain.
  ///
  /// - Parameters:
  ///   - owner: the owner of the chain. If it is nil, no chain will find the answer.
  ///   - onBytes: hears of the bytes of the questions and answers.
  /// - Returns: whether an address was found.
  @discardableResult
  package func prepare(
    host: String, for owner: ChainRequest.Owner?, over interface: BoundInterface, onBytes: ByteReport? = nil
  ) async -> Bool {
    guard let name = try? DomainName(host) else { return false }
    // Meanwhile this thread, which is not an event loop, reads the roots of trust.
    let scope = ChainScope(loop: group.next(), interface: interface, memory: servers, onBytes: onBytes)
    let (options, names) = (options, memories.memory(of: owner).names)
    let lookup = scope.loop.flatSubmit {
      let lookup = NameLookup(name, scope, options.dns, randomID: options.randomID)
      return lookup.start().map { names.keep(.success($0), for: host.lowercased(), over: interface) }
    }
    _ = try? tls.get()
    let isFound = (try? await lookup.get()) != nil
    scope.loop.execute { scope.closeAll() }
    return isFound
  }

  /// Reads the roots of trust on a separate thread, so that the first chain need not wait for them.
  /// Call it when a bearer comes up. The first chain reports any error in them.
  package func readTrustAhead() {
    NIOThreadPool.singleton.submit { [tls] _ in _ = try? tls.get() }
  }

  /// Asks whether a bearer carries traffic. Chains then know which of its servers answered.
  package var probe: DNSProbe {
    DNSProbe(group: group, timing: options.dns, randomID: options.randomID, memory: servers)
  }

  func makeEnvironment(for owner: ChainRequest.Owner?) -> ChainRun.Environment {
    let memory = memories.memory(of: owner)
    return ChainRun.Environment(
      tls: tls, names: memory.names, servers: servers, running: running,
      origins: options.learnsOrigins ? memory.origins : nil,
      timing: options.dns,
      connecting: options.connecting, userAgent: options.userAgent,
      randomID: options.randomID, wallClock: options.wallClock, logger: logger)
  }
}

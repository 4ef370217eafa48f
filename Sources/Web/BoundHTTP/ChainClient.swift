import DNSWire
import Glibc
import HTTPExchange
import Logging
import ModemModel
import NIOCore
import NIOPosix
import NIOSSL
import RedirectChain
import Web

/// Walks redirect chains over one interface each. Every socket is bound before it connects, names are resolved by the
/// bearer's own servers over the bearer, and there is nothing to fall back to.
///
/// One client serves a whole process; chains share nothing but roots of trust, and those of one owner what that owner's earlier ones
/// learnt.
public final class ChainClient: Sendable {
  /// What is the same for all chains.
  public struct Options: Sendable {
    public var trust = TLSTrust()
    public var dns = DNSTiming()
    public var connecting = ConnectionTiming()
    /// The User-Agent field, unless the caller gives another one.
    public var userAgent = "modemd"
    /// Whether a chain opens connections to the origins that the last one from the same first host went through, in
    /// parallel with its first hop. No request is ever sent ahead, and what is not used is closed with the chain.
    public var learnsOrigins = true
    /// Query ids; random unless a test wants otherwise.
    public var randomID: @Sendable () -> UInt16 = { .random(in: .min ... .max) }
    /// Seconds since 1970, for the expiry of cookies.
    public var wallClock: @Sendable () -> Int64 = { Timestamp.now().milliseconds / 1000 }

    public init() {}
  }

  let group: any EventLoopGroup
  let options: Options
  let logger: Logger
  private let tls: TLSContextBox
  private let memories = ChainMemories()
  /// Of no user: it says only which of a bearer's servers are alive.
  private let servers = ServerMemory()
  private let running = RunningChains()

  /// Makes a client. Nothing is opened or read before the first chain.
  ///
  /// - Parameter group: whose loops carry the sockets; it must outlive the client.
  public convenience init(group: any EventLoopGroup, options: Options = Options(), logger: Logger) {
    self.init(group: group, options: options, logger: logger, tls: TLSContextBox(options.trust))
  }

  init(group: any EventLoopGroup, options: Options, logger: Logger, tls: TLSContextBox) {
    self.group = group
    self.options = options
    self.logger = logger
    self.tls = tls
  }

  /// Walks a chain to its end. When the task is cancelled it ends at once, with the cause `cancelled`.
  ///
  /// - Parameters:
  ///   - interface: the bearer's, as it is now.
  ///   - onHop: called once for each hop that ended, in order, also for the one that failed. It must not block.
  public func run(
    _ request: ChainRequest, over interface: BoundInterface, onHop: @escaping @Sendable (ChainHop) -> Void = { _ in }
  ) async -> ChainResult {
    do {
      // Not on a loop: reading the roots blocks.
      _ = try tls.get(request.policy.newestTLS)
    } catch {
      return .failed(ChainFailure(.tlsFailed, "\(error)"))
    }
    let run = ChainRun(request, over: interface, on: group.next(), makeEnvironment(for: request.owner), onHop: onHop)
    running.add(run) { [self] interface, reason in bearerLost(interface: interface.index, reason) }
    defer { running.remove(run) }
    return await withTaskCancellationHandler {
      await run.run()
    } onCancel: {
      run.end(.cancelled, "the caller left")
    }
  }

  /// Ends every chain over an interface at once, with the cause `bearerLost`, and forgets what its servers said and
  /// which origins its chains went through. To be called whenever a bearer goes down, for the next one may be another.
  ///
  /// - Parameters:
  ///   - index: the interface's.
  ///   - reason: one sentence on what happened to the bearer.
  public func bearerLost(interface index: Int32, _ reason: String) {
    memories.forget(interface: index)
    servers.forget(interface: index)
    running.end(over: index, reason)
  }

  /// Hosts whose names a chain from a URL is likely to need, the URL's own first.
  ///
  /// - Parameters:
  ///   - learns: whether those that earlier chains came to count; nil for as configured.
  ///   - owner: whose earlier chains; nil for nobody's.
  public func likelyHosts(
    from url: WebURL, learns: Bool?, for owner: ChainRequest.Owner?, over interface: BoundInterface
  ) -> [String] {
    var hosts = [url]
    if options.learnsOrigins, learns ?? true {
      hosts += memories.memory(of: owner).origins.origins(behind: url, on: interface)
    }
    var seen: Set<String> = []
    return hosts.filter { $0.address == nil && seen.insert($0.host).inserted }.map(\.host)
  }

  /// Resolves a name ahead of a chain that is coming.
  ///
  /// - Parameter owner: whose chain; nil for nobody's, which will not find the answer.
  /// - Returns: whether an address was found.
  @discardableResult
  public func prepare(
    host: String, for owner: ChainRequest.Owner?, over interface: BoundInterface
  ) async -> Bool {
    guard let name = try? DomainName(host) else { return false }
    // The roots of trust are read meanwhile, on this thread and not on a loop.
    let scope = ChainScope(loop: group.next(), interface: interface, memory: servers)
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

  /// Reads the roots of trust on a thread of their own, so that the first chain need not wait for them. To be called when
  /// a bearer comes up. What is wrong with them is told by the first chain.
  public func readTrustAhead() {
    NIOThreadPool.singleton.submit { [tls] _ in _ = try? tls.get() }
  }

  /// Asks whether a bearer carries anything. Which of its servers answered is known to the chains then.
  public var probe: DNSProbe {
    DNSProbe(group: group, timing: options.dns, randomID: options.randomID, memory: servers)
  }

  private func makeEnvironment(for owner: ChainRequest.Owner?) -> ChainRun.Environment {
    let memory = memories.memory(of: owner)
    return ChainRun.Environment(
      tls: tls, names: memory.names, servers: servers, running: running,
      origins: options.learnsOrigins ? memory.origins : nil,
      timing: options.dns,
      connecting: options.connecting, userAgent: options.userAgent,
      randomID: options.randomID, wallClock: options.wallClock, logger: logger)
  }
}

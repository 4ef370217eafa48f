import JournalLog
import LimitClock
import Logging
import ModemModel
import RedirectChain
import Synchronization
import Web

/// Opens operator-bound URLs: finds the modem, brings its bearer up, and follows the chain over it
/// and nothing else.
package struct CheckService: Sendable {
  /// Follows one chain over an installed bearer.
  package typealias ChainRunner =
    @Sendable (
      _ request: ChainRequest, _ bearer: InstalledBearer, _ onHop: @escaping @Sendable (ChainHop) -> Void
    ) async -> ChainResult

  /// Resolves the names of an expected chain over an installed bearer.
  ///
  /// - Parameter learns: whether to include hosts that an earlier chain from the same URL's host
  ///   reached; nil for the configured value.
  /// - Parameter owner: the owner of those earlier chains.
  package typealias NamePreparer =
    @Sendable (_ url: WebURL, _ learns: Bool?, _ owner: ChainRequest.Owner, _ bearer: InstalledBearer) async
    -> [PreparedName]

  /// Makes connections ready for an expected chain over an installed bearer. It returns at once.
  ///
  /// - Returns: a function that waits a short time until they are ready, and says how many are; nil
  ///   if nothing is made ready.
  package typealias ConnectionWarmer =
    @Sendable (_ chain: ExpectedChain, _ bearer: InstalledBearer) -> (@Sendable () async -> Int)?

  /// The hop in progress, in which a bearer is lost. Whoever announces the loss does not know the
  /// hop.
  private struct Position {
    private(set) var index = 1
    private(set) var host: String

    init(host: String) { self.host = host }

    mutating func pass(_ hop: ChainHop) {
      index = hop.index + 1
      host = hop.next ?? host
    }
  }

  /// The end of a chain, with its modem and address.
  package struct Outcome: Sendable {
    package let result: ChainResult
    package let modem: String?
    package let source: String?
    /// How long the chain waited for its turn.
    package var waited = Duration.zero

    package init(result: ChainResult, modem: String?, source: String?, waited: Duration = .zero) {
      self.result = result
      self.modem = modem
      self.source = source
      self.waited = waited
    }
  }

  let registry: ModemRegistry
  let bearers: BearerService
  private let history: CheckHistory
  private let logger: Logger
  private(set) var reach: ReachPolicy
  private let now: @Sendable () -> Timestamp
  /// For the limits of checks and for their times.
  package let clock: LimitClock
  private(set) var prepareNames: NamePreparer
  /// Nil if nothing is made ready ahead of chains.
  private(set) var warmConnections: ConnectionWarmer?
  /// What is made ready for flows now.
  let warmings = WarmingCount()
  private var runChain: ChainRunner
  /// For the task of a check: nil for Swift's thread pool.
  package let executor: @Sendable () -> (any TaskExecutor)?
  private let observer: (any ServiceObserver)?

  /// - Parameters:
  ///   - history: remembers finished checks.
  ///   - reach: what every chain may reach, whatever its caller requests.
  ///   - now: the time of day.
  ///   - observer: hears how chains and hops end.
  ///   - executor: where checks run; nil for Swift's thread pool.
  package init(
    registry: ModemRegistry, bearers: BearerService, history: CheckHistory = CheckHistory(),
    reach: ReachPolicy = ReachPolicy(), now: @escaping @Sendable () -> Timestamp, clock: LimitClock = .machine,
    logger: Logger = .silent, observer: (any ServiceObserver)? = nil,
    prepareNames: @escaping NamePreparer = { _, _, _, _ in [] }, warmConnections: ConnectionWarmer? = nil,
    executor: @escaping @Sendable () -> (any TaskExecutor)? = { nil }, runChain: @escaping ChainRunner
  ) {
    self.executor = executor
    self.observer = observer
    self.registry = registry
    self.bearers = bearers
    self.history = history
    self.logger = logger
    self.reach = reach
    self.now = now
    self.clock = clock
    self.prepareNames = prepareNames
    self.warmConnections = warmConnections
    self.runChain = runChain
  }

  /// The same service with other settings: checks that were begun before go on with theirs, and all
  /// share bearers and history.
  package func replacing(
    reach: ReachPolicy, prepareNames: @escaping NamePreparer, warmConnections: ConnectionWarmer?,
    runChain: @escaping ChainRunner
  ) -> CheckService {
    var service = self
    (service.reach, service.prepareNames, service.runChain) = (reach, prepareNames, runChain)
    service.warmConnections = warmConnections
    return service
  }

  /// Opens a URL and follows its redirects when its turn among other checks comes. An error of the
  /// modem, the bearer or the chain is an outcome, not an error.
  ///
  /// - Parameters:
  ///   - modem: id, device or interface; nil for the only modem.
  ///   - caller: the owner of the check.
  ///   - onHop: called once for each finished hop, in order.
  /// - Throws: `ServiceError` `tooManyFlows`; `CancellationError` if the caller left.
  package func open(
    _ request: ChainRequest, modem: String?, caller: Caller, onHop: @escaping @Sendable (ChainHop) -> Void
  ) async throws -> Outcome {
    let notes = CheckNotes(host: request.url.host, caller: caller, began: now(), clock: clock)
    var request = request
    request.owner = caller.owner
    reach.rule(&request.policy)
    do {
      let executor = executor()
      var outcome = try await withTaskExecutorPreference(executor) { [request] in
        try await walk(request, modem: modem, caller: caller, notes, on: executor, onHop: onHop)
      }
      outcome.waited = notes.waited
      log(history.add { notes.past($0, outcome) })
      observer?.ended(outcome.result, after: notes.time)
      return outcome
    } catch {
      if error is CancellationError {
        let end = ChainResult.failed(ChainFailure(.cancelled, "the caller left"))
        log(history.add { notes.past($0, Outcome(result: end, modem: notes.modem, source: nil)) })
        observer?.ended(end, after: notes.time)
      }
      throw error
    }
  }

  /// One line for each check. It names no host, because a host may say what a person does.
  private func log(_ check: PastCheck) {
    var metadata: Logger.Metadata = ["check": "\(check.number)", "uid": "\(check.caller.userID)"]
    if let modem = check.modem { metadata["modem"] = "\(modem)" }
    if let trace = check.trace { metadata[TraceContext.metadataKey] = "\(trace)" }
    switch check.end {
    case .answer(let status): metadata.merge(["result": "answer", "status": "\(status)"]) { $1 }
    case .redirectReached: metadata["result"] = "redirectReached"
    case .failed(let failure): metadata.merge(["result": "failed", "cause": "\(failure.cause.rawValue)"]) { $1 }
    }
    logger.info("a check ended", metadata: metadata)
  }

  /// The last checks, the latest first.
  ///
  /// - Parameters:
  ///   - caller: root sees everybody's checks, other users their own.
  ///   - trace: only checks of this trace; nil for all.
  ///   - limit: the largest number of checks.
  package func past(for caller: Caller, trace: String? = nil, limit: Int) -> [PastCheck] {
    history.last(of: caller.isRoot ? nil : caller, trace: trace, limit: limit)
  }

  private func walk(
    _ request: ChainRequest, modem: String?, caller: Caller, _ notes: CheckNotes, on executor: (any TaskExecutor)?,
    onHop: @escaping @Sendable (ChainHop) -> Void
  ) async throws -> Outcome {
    let entry: ModemRegistry.Entry
    do {
      entry = try registry.find(modem)
    } catch let error as ServiceError {
      return Outcome(result: .failed(ChainFailure(.noModem, error.message)), modem: modem, source: nil)
    }
    notes.modem = entry.state.id
    do {
      return try await bearers.withFlow(on: entry.link, for: caller, within: request.policy.totalTime) {
        notes.waited = notes.time
        return try await walk(request, on: entry, notes, on: executor, onHop: onHop)
      }
    } catch let error as ServiceError {
      guard case .waitedTooLong = error.code else { throw error }
      notes.waited = notes.time
      return Outcome(result: .failed(ChainFailure(.timeout, error.message)), modem: entry.state.id, source: nil)
    }
  }

  private func walk(
    _ request: ChainRequest, on entry: ModemRegistry.Entry, _ notes: CheckNotes, on executor: (any TaskExecutor)?,
    onHop: @escaping @Sendable (ChainHop) -> Void
  ) async throws -> Outcome {
    let (bearer, since): (InstalledBearer, Timestamp)
    var request = request
    let limit = request.policy.totalTime
    let stated = request.policy.statedTime ?? limit
    do {
      (bearer, since) = try await within(limit - notes.time, of: stated) {
        try await bearers.ready(entry, on: executor)
      }
      request.policy.totalTime = max(limit - notes.time, .milliseconds(1))
      request.policy.statedTime = stated
      request.bearerSince = since.milliseconds
    } catch {
      try Task.checkCancellation()
      return Outcome(result: .failed(ChainFailure(without: error)), modem: entry.state.id, source: nil)
    }
    let lastServer = Mutex<String?>(nil)
    let position = Mutex(Position(host: request.url.host))
    let ahead = notes.time / .milliseconds(1)
    let (result, end) = await walk(
      request, over: bearer, registry.loss(of: bearer, on: entry.link.name, since: since), on: executor,
      at: { position.withLock(\.self) }
    ) { hop in
      position.withLock { $0.pass(hop) }
      if let address = hop.address { lastServer.withLock { $0 = address } }
      notes.countHop()
      observer?.ended(hop)
      var hop = hop
      // For the caller, a chain begins with the call.
      hop.begin += ahead
      onHop(hop)
    }
    try Task.checkCancellation()
    // The damaged bearer is now known, and the next chain needs a new one. Nobody waits for it,
    // because a modem may take its time to end a bearer.
    if case .failed(let failure) = result, failure.cause == .bearerLost {
      // The bearer's rules hold back what closing sockets still send, so they must not be removed
      // before the sockets.
      await end.value
      Task { _ = try? await entry.link.verifyBearer() }
    }
    return Outcome(
      result: result, modem: entry.state.id, source: Self.source(of: bearer, to: lastServer.withLock(\.self)))
  }

  /// Runs `body` for at most `limit`. A bearer continues to come up for the next caller.
  ///
  /// - Parameter stated: the limit that the caller knows.
  private func within<Result: Sendable>(
    _ limit: Duration, of stated: Duration, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await clock.pause(for: limit)
        throw ChainFailure(
          .timeout, "the bearer was not up within the time limit of \(stated); allow more time or try again")
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }

  /// Follows the chain, and ends it at once if its bearer is lost, whatever the chain is doing.
  ///
  /// - Parameter position: the chain's present position.
  /// - Returns: its end, and a task that ends when its sockets are closed.
  private func walk(
    _ request: ChainRequest, over bearer: InstalledBearer, _ losses: AsyncStream<BearerLoss>,
    on executor: (any TaskExecutor)?, at position: @escaping @Sendable () -> Position,
    onHop: @escaping @Sendable (ChainHop) -> Void
  ) async -> (ChainResult, Task<Void, Never>) {
    let (results, ending) = AsyncStream.makeStream(of: ChainResult.self)
    let chain = Task(executorPreference: executor) { _ = ending.yield(await runChain(request, bearer, onHop)) }
    let loss = Task(executorPreference: executor) {
      for await loss in losses {
        let hop = position()
        ending.yield(.failed(ChainFailure(.bearerLost, hop: hop.index, "on the way to \(hop.host): \(loss.reason)")))
      }
    }
    defer {
      chain.cancel()
      loss.cancel()
    }
    let result = await withTaskCancellationHandler {
      for await result in results { return result }
      return ChainResult.failed(ChainFailure(.cancelled, "the caller left"))
    } onCancel: {
      ending.finish()
    }
    return (result, chain)
  }

  /// The bearer's own address in the family of the last server that was reached; its first address
  /// if there was none.
  static func source(of bearer: InstalledBearer, to server: String?) -> String? {
    let (ipv4, ipv6) = (bearer.settings.ipv4, bearer.settings.ipv6)
    let assignment = server?.contains(":") == true ? ipv6 ?? ipv4 : ipv4 ?? ipv6
    return assignment?.prefix.address.description
  }
}

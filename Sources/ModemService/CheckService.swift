import ModemModel
import RedirectChain
import Synchronization

/// Opens operator-bound URLs: finds the modem, brings its bearer up, walks the chain over it and nothing else.
public struct CheckService: Sendable {
  /// Walks one chain over an installed bearer.
  public typealias ChainRunner =
    @Sendable (
      _ request: ChainRequest, _ bearer: InstalledBearer, _ onHop: @escaping @Sendable (ChainHop) -> Void
    ) async -> ChainResult

  /// How a chain ended, over which modem and from which address.
  public struct Outcome: Sendable {
    public let result: ChainResult
    public let modem: String?
    public let source: String?
  }

  private let registry: ModemRegistry
  private let bearers: BearerService
  private let runChain: ChainRunner

  public init(registry: ModemRegistry, bearers: BearerService, runChain: @escaping ChainRunner) {
    self.registry = registry
    self.bearers = bearers
    self.runChain = runChain
  }

  /// Opens a URL and follows its redirects. What goes wrong with modem, bearer or chain is an outcome, not an error.
  ///
  /// - Parameters:
  ///   - modem: id, device or interface; nil for the only modem.
  ///   - onHop: called once for each finished hop, in order.
  /// - Throws: `ServiceError` `tooManyFlows`; `CancellationError` when the caller left.
  public func open(
    _ request: ChainRequest, modem: String?, onHop: @escaping @Sendable (ChainHop) -> Void
  ) async throws -> Outcome {
    let entry: ModemRegistry.Entry
    do {
      entry = try registry.find(modem)
    } catch let error as ServiceError {
      return Outcome(result: .failed(ChainFailure(.noModem, error.message)), modem: modem, source: nil)
    }
    return try await bearers.withFlow(on: entry.link) {
      let (bearer, since): (InstalledBearer, Timestamp)
      var request = request
      do {
        let start = ContinuousClock.now
        (bearer, since) = try await within(request.policy.totalTime) { try await readyBearer(of: entry) }
        request.policy.totalTime -= ContinuousClock.now - start
      } catch {
        try Task.checkCancellation()
        return Outcome(result: .failed(Self.failure(error)), modem: entry.state.id, source: nil)
      }
      let lastServer = Mutex<String?>(nil)
      let result = await walk(
        request, over: bearer, BearerWatch(registry: registry, port: entry.link.name, bearer: bearer, since: since)
      ) { hop in
        if let address = hop.address { lastServer.withLock { $0 = address } }
        onHop(hop)
      }
      try Task.checkCancellation()
      // A damaged bearer was told of now: the next chain shall find it made anew.
      // Nobody waits for it: a modem may take its time over the end of a bearer.
      if case .failed(let failure) = result, failure.cause == .bearerLost {
        Task { _ = try? await entry.link.verifyBearer() }
      }
      return Outcome(
        result: result, modem: entry.state.id, source: Self.source(of: bearer, to: lastServer.withLock(\.self)))
    }
  }

  /// Brings the bearer up ahead of a check that is coming.
  ///
  /// - Throws: `ServiceError`, `ModemError`.
  public func prepare(modem: String?) async throws {
    _ = try await readyBearer(of: registry.find(modem))
  }

  /// Runs `body` for at most `limit`; the bearer goes on coming up for whoever asks next.
  private func within<Result: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: limit)
        throw ChainFailure(
          .timeout, "the bearer was not up within the time limit of \(limit); allow more time or try again")
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }

  /// The bearer, up and as the kernel should have it.
  private func readyBearer(of entry: ModemRegistry.Entry) async throws -> (InstalledBearer, since: Timestamp) {
    var status = entry.state.bearer
    if status.state.installed != nil { status = try await entry.link.verifyBearer() }
    // It may have gone down since the port last told of it.
    if status.state.installed == nil { status = try await bearers.connect(entry.link.name).bearer }
    guard let bearer = status.state.installed else {
      throw ModemError(.notConnected, "the bearer went down as soon as it was up; try again")
    }
    return (bearer, status.since)
  }

  /// Walks the chain, and ends it at once when the bearer under it is lost, whatever the chain is busy with.
  private func walk(
    _ request: ChainRequest, over bearer: InstalledBearer, _ watch: BearerWatch,
    onHop: @escaping @Sendable (ChainHop) -> Void
  ) async -> ChainResult {
    let (results, ending) = AsyncStream.makeStream(of: ChainResult.self)
    let chain = Task { ending.yield(await runChain(request, bearer, onHop)) }
    let loss = Task {
      if let loss = await watch.loss() { ending.yield(.failed(ChainFailure(.bearerLost, loss))) }
    }
    defer {
      chain.cancel()
      loss.cancel()
    }
    return await withTaskCancellationHandler {
      for await result in results { return result }
      return .failed(ChainFailure(.cancelled, "the caller left"))
    } onCancel: {
      ending.finish()
    }
  }

  /// The bearer's own address in the family of the server that was reached last; its first one when none was.
  private static func source(of bearer: InstalledBearer, to server: String?) -> String? {
    let (ipv4, ipv6) = (bearer.settings.ipv4, bearer.settings.ipv6)
    let assignment = server?.contains(":") == true ? ipv6 ?? ipv4 : ipv4 ?? ipv6
    return assignment?.prefix.address.description
  }

  /// What kept the bearer from coming up, as a chain's failure.
  static func failure(_ error: any Error) -> ChainFailure {
    if let error = error as? ServiceError {
      return ChainFailure(error.code == .portUnavailable ? .portUnavailable : .noModem, error.message)
    }
    if let error = error as? ChainFailure { return error }
    guard let error = error as? ModemError else { return ChainFailure(.modemFailed, "\(error)") }
    let cause: ChainFailure.Cause =
      switch error.code {
      case .simAbsent: .simAbsent
      case .simLocked: .simLocked
      case .simNotReady: .simNotReady
      case .notRegistered: .notRegistered
      case .refused: .bearerRefused
      case .noAddress: .noAddress
      case .notConnected: .bearerLost
      default: .modemFailed
      }
    return ChainFailure(cause, error.description)
  }
}

import LimitClock
import ModemModel

/// Bearers for programs: up and down by name, and in use while flows run on them.
package actor BearerService {
  /// How to request a bearer if the caller leaves options open.
  package struct Defaults: Sendable {
    package var request: BearerRequest
    package var flows: FlowLimits

    package init(request: BearerRequest = BearerRequest(), flows: FlowLimits = FlowLimits()) {
      self.request = request
      self.flows = flows
    }
  }

  private let registry: ModemRegistry
  private var defaults: Defaults
  private let flows: FlowGate
  private let verification = SharedVerification()
  private let uses = BearerUses()
  private let clock: LimitClock
  private let observer: (any ServiceObserver)?

  /// - Parameter observer: hears how long flows wait, and which are refused.
  package init(
    registry: ModemRegistry, defaults: Defaults = Defaults(), clock: LimitClock = .machine,
    observer: (any ServiceObserver)? = nil
  ) {
    self.clock = clock
    self.observer = observer
    self.registry = registry
    self.defaults = defaults
    flows = FlowGate(defaults.flows, clock: clock)
  }

  /// Other defaults apply from now on: to bearers that are requested, and to flows that begin or
  /// wait.
  package func change(to defaults: Defaults) {
    if defaults.flows != self.defaults.flows { flows.change(to: defaults.flows) }
    self.defaults = defaults
  }

  /// Brings the bearer of a modem up, or returns it unchanged if it is already up.
  ///
  /// - Parameters:
  ///   - name: the modem; nil for the only one.
  ///   - apn: nil for the configured one, else the subscription's default.
  ///   - ipType: nil for the configured one.
  ///   - keeps: whether a lost bearer is brought up again until it is taken down. A check's own
  ///     bearer is not.
  /// - Throws: `ServiceError`, `ModemError`.
  package func connect(
    _ name: String?, apn: String? = nil, ipType: BearerRequest.IPType? = nil, keeps: Bool = false
  ) async throws -> ModemState {
    let entry = try registry.find(name)
    var request = defaults.request
    request.source = request.apn == nil && request.user == nil ? .network : .configured
    request.isKept = keeps
    if let apn {
      // The user name and password belong to the configured access point.
      if apn.lowercased() != request.apn?.lowercased(), request.apn != nil {
        request = BearerRequest(ipType: request.ipType, isKept: keeps)
      }
      request.apn = apn
      request.source = .asked
    }
    if let ipType { request.ipType = ipType }
    var state = entry.state
    state.bearer = try await entry.link.connect(request)
    return state
  }

  /// Takes the bearer of a modem down.
  ///
  /// - Throws: `ServiceError` `inUse` while flows run on it, `ModemError`.
  package func disconnect(_ name: String?) async throws -> ModemState {
    let entry = try registry.find(name)
    let running = flows.runningCount(over: entry.link.name)
    let open = uses.count(over: entry.link.name)
    guard running + open == 0 else {
      throw ServiceError(
        .inUse(flows: running + open),
        "\(Self.words(running, open)) use this bearer; wait for the end, or end them")
    }
    var state = entry.state
    state.bearer = try await entry.link.disconnect()
    return state
  }

  private static func words(_ flows: Int, _ connections: Int) -> String {
    [(flows, "flow"), (connections, "connection")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " and ")
  }

  /// The bearer of a modem: up, and verified against the kernel.
  ///
  /// - Parameter executor: where the port is asked; nil for Swift's thread pool.
  /// - Returns: the bearer, and since when the port has it.
  /// - Throws: `ServiceError`, `ModemError`.
  package nonisolated func ready(
    _ entry: ModemRegistry.Entry, on executor: (any TaskExecutor)? = nil
  ) async throws -> (bearer: InstalledBearer, since: Timestamp) {
    var status = entry.state.bearer
    if status.state.installed != nil { status = try await verification.status(of: entry.link, on: executor) }
    // It may have gone down since the port's last report.
    if status.state.installed == nil { status = try await connect(entry.link.name).bearer }
    guard let bearer = status.state.installed else {
      throw ModemError(.notConnected, "the bearer went down as soon as it was up; try again")
    }
    return (bearer, status.since)
  }

  /// A connection of a program is open over a modem's bearer, until the use ends. It takes no place
  /// of a flow.
  package nonisolated func use(of link: any ModemLink) -> BearerUse { uses.begin(over: link.name) }

  /// Connections of programs that are open over a modem's bearer.
  package nonisolated func connections(over link: any ModemLink) -> Int { uses.count(over: link.name) }

  /// Flows that wait for their turn, over all bearers.
  package nonisolated var waitingFlows: Int { flows.waitingCount }

  /// Flows that run, over all bearers.
  package nonisolated var runningFlows: Int { flows.runningCount }

  /// Runs `body` as a flow on a modem's bearer when its turn comes. The bearer is in use until it
  /// ends.
  ///
  /// - Parameters:
  ///   - caller: determines its turn among waiting flows.
  ///   - limit: how long the flow may wait.
  /// - Throws: `ServiceError` `tooManyFlows`, or `waitedTooLong` if its turn does not come;
  ///   `CancellationError` if the caller left meanwhile; and any error of `body`.
  package nonisolated func withFlow<Result: Sendable>(
    on link: any ModemLink, for caller: Caller, within limit: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    let start = clock.now
    let ticket: FlowGate.Ticket
    do {
      ticket = try await flows.enter(caller, bearer: link.name, within: limit)
    } catch {
      if let error = error as? ServiceError { observer?.refused(error.code) }
      throw error
    }
    defer { ticket.end() }
    observer?.began(afterWaiting: clock.now - start)
    try Task.checkCancellation()
    return try await body()
  }

  /// A flow on a modem's bearer, if it may run now. It never waits and counts as no refusal.
  ///
  /// - Returns: the right to run; nil if it would have to wait.
  nonisolated func flowAtOnce(on link: any ModemLink, for caller: Caller) -> FlowGate.Ticket? {
    flows.enterAtOnce(caller, bearer: link.name)
  }
}

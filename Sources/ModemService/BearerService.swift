import ModemModel

/// Bearers as programs ask for them: up and down by name, and in use while flows run on them.
public actor BearerService {
  /// How a bearer is asked for when a caller leaves something open.
  public struct Defaults: Sendable {
    public var request: BearerRequest
    /// Flows at one time, over all bearers.
    public var flowLimit: Int

    public init(request: BearerRequest = BearerRequest(), flowLimit: Int = 64) {
      self.request = request
      self.flowLimit = flowLimit
    }
  }

  private let registry: ModemRegistry
  private let defaults: Defaults
  private var flows: [String: Int] = [:]

  public init(registry: ModemRegistry, defaults: Defaults = Defaults()) {
    self.registry = registry
    self.defaults = defaults
  }

  /// Brings the bearer of a modem up, or returns it as it is when it is up already.
  ///
  /// - Parameters:
  ///   - name: the modem; nil for the only one.
  ///   - apn: nil for the configured one, else the subscription's default.
  ///   - ipType: nil for the configured one.
  /// - Throws: `ServiceError`, `ModemError`.
  public func connect(_ name: String?, apn: String? = nil, ipType: BearerRequest.IPType? = nil) async throws
    -> ModemState
  {
    let entry = try registry.find(name)
    var request = defaults.request
    if let apn { request.apn = apn }
    if let ipType { request.ipType = ipType }
    var state = entry.state
    state.bearer = try await entry.link.connect(request)
    return state
  }

  /// Takes the bearer of a modem down.
  ///
  /// - Throws: `ServiceError` `inUse` while flows run on it, `ModemError`.
  public func disconnect(_ name: String?) async throws -> ModemState {
    let entry = try registry.find(name)
    let running = flows[entry.link.name] ?? 0
    guard running == 0 else {
      throw ServiceError(
        .inUse(flows: running),
        "\(running) flow\(running == 1 ? "" : "s") use this bearer; wait for the end, or end them")
    }
    var state = entry.state
    state.bearer = try await entry.link.disconnect()
    return state
  }

  /// Counts a flow on a modem's bearer for as long as `body` runs.
  ///
  /// - Throws: `ServiceError` `tooManyFlows`, and what `body` throws.
  public func withFlow<Result: Sendable>(
    on link: any ModemLink, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    guard flows.values.reduce(0, +) < defaults.flowLimit else {
      throw ServiceError(
        .tooManyFlows(limit: defaults.flowLimit), "\(defaults.flowLimit) flows are running; try again in a second")
    }
    flows[link.name, default: 0] += 1
    defer {
      flows[link.name, default: 1] -= 1
      if flows[link.name] == 0 { flows[link.name] = nil }
    }
    return try await body()
  }
}

import ModemModel

/// Watches one bearer from the moment that a port gave it, until it is no longer what it was.
struct BearerWatch: Sendable {
  private let registry: ModemRegistry
  private let port: String
  private let bearer: InstalledBearer
  private let since: Timestamp
  private let changes: AsyncStream<ModemRegistry.Change>

  /// - Parameter since: when the bearer came up, as the port said.
  init(registry: ModemRegistry, port: String, bearer: InstalledBearer, since: Timestamp) {
    self.registry = registry
    self.port = port
    self.bearer = bearer
    self.since = since
    // Before the first look at the state, so that nothing falls between.
    changes = registry.watch()
  }

  /// Waits for the loss and says it in one sentence; nil when nobody waits any more.
  func loss() async -> String? {
    var seen: ModemRegistry.Run?
    if let loss = loss(sinceSeenIn: &seen) { return loss }
    for await _ in changes {
      if let loss = loss(sinceSeenIn: &seen) { return loss }
    }
    return nil
  }

  /// A port's answer may overtake its announcement: until the bearer was seen up, older states say nothing.
  ///
  /// - Parameter seen: the run in which the bearer was seen up; nil before.
  func loss(sinceSeenIn seen: inout ModemRegistry.Run?) -> String? {
    guard let state = registry.state(of: port), let run = registry.run(of: port) else {
      return "the modem was taken away during the chain"
    }
    if let present = state.bearer.state.installed, present == bearer || seen != nil && present.carries(bearer) {
      seen = run
      return state.fault.map { "the bearer was lost during the chain: \($0.cause)" }
    }
    guard seen != nil || state.fault != nil || state.bearer.since > since else { return nil }
    if case .down(let cause?) = state.bearer.state { return "the bearer was lost during the chain: \(cause)" }
    if let seen, seen != run {
      // Whatever its addresses: a bearer that is up then is another one.
      return seen.port == run.port
        ? "the modem was opened anew during the chain; open the URL again"
        : "the port \(port) was restarted during the chain; open the URL again"
    }
    if state.bearer.state.installed != nil {
      return "the bearer changed during the chain: the network gave it other addresses; open the URL again"
    }
    return "the bearer was taken down during the chain; open the URL again"
  }
}

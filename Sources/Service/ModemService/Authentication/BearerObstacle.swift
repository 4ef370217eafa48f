import ModemModel
import RedirectChain

/// What is known against a bearer before one is asked for. It is read from memory: nothing is asked
/// of the modem, and nothing is spent.
enum BearerObstacle {
  /// - Parameter modem: id, device or interface; nil for the only one.
  /// - Returns: why no bearer can come up now; nil if nothing is known against one.
  static func on(_ modem: String?, _ registry: ModemRegistry) -> ChainFailure? {
    do {
      return of(try registry.find(modem).state)
    } catch {
      return ChainFailure(without: error)
    }
  }

  static func of(_ state: ModemState) -> ChainFailure? {
    guard state.bearer.state.installed == nil else { return nil }
    if let fault = state.fault { return ChainFailure(.portUnavailable, "the modem does not work (\(fault.cause))") }
    if let obstacle = ofSIM(state.sim.state) { return obstacle }
    let (registration, cause) = (state.registration.state, state.registration.cause.map { ": \($0)" } ?? "")
    switch registration {
    case .deregistered, .searching, .denied:
      return ChainFailure(
        .notRegistered, "the modem is not registered with a network (\(registration.rawValue)\(cause))")
    case .unknown, .home, .roaming, .partner: break
    }
    // The network refused for good: the next attempt would end in the same way.
    guard case .failed(let refusal) = state.bearer.state, refusal.isLasting else { return nil }
    return ChainFailure(.bearerRefused, "the network refused the bearer (\(refusal))")
  }

  private static func ofSIM(_ state: SIMStatus.State) -> ChainFailure? {
    switch state {
    case .ready, .unknown: nil
    case .absent: ChainFailure(.simAbsent, "there is no SIM")
    case .pinRequired: ChainFailure(.simLocked, "the SIM waits for its PIN; enter it with `modemctl unlock`")
    case .pukRequired: ChainFailure(.simLocked, "the SIM is blocked and waits for its PUK")
    case .initialising, .notActivated, .failed: ChainFailure(.simNotReady, "the SIM is not ready")
    }
  }
}

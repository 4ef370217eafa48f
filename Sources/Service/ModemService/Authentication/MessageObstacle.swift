import AuthCore
import ModemModel
import RedirectChain

/// What is known against a message before it is sent, and paid for: it would not come to the SIM in
/// this machine, or could not be read here.
enum MessageObstacle {
  /// - Parameters:
  ///   - number: where the message goes.
  ///   - messages: nil for a service that reads none.
  /// - Returns: the end of a flow that needs the message; nil if nothing is known against it.
  static func to(
    _ number: SubscriberNumber, on modem: String?, _ registry: ModemRegistry, _ messages: MessageService?
  ) async -> FlowOutcome? {
    let state: ModemState
    do {
      state = try registry.find(modem).state
    } catch {
      let message = (error as? ServiceError)?.message ?? "\(error)"
      return FlowOutcome(.noDataPath, cause: .noModem, message)
    }
    if let fault = state.fault {
      return noPath(.portUnavailable, "the modem does not work (\(fault.cause))")
    }
    switch state.sim.state {
    case .ready: break
    case .absent: return noPath(.simAbsent, "there is no SIM")
    case .pinRequired: return noPath(.simLocked, "the SIM waits for its PIN; enter it with `modemctl unlock`")
    case .pukRequired: return noPath(.simLocked, "the SIM is blocked and waits for its PUK")
    case .unknown, .initialising, .notActivated, .failed: return noPath(.simNotReady, "the SIM is not ready")
    }
    switch state.registration.state {
    case .deregistered, .searching, .denied: return noPath(.notRegistered, "the modem is not registered in a network")
    case .unknown, .home, .roaming, .partner: break
    }
    let own = state.sim.numbers.filter(\.isNormalised).map(\.revealed)
    guard own.isEmpty || own.contains(number.revealed) else {
      return unreadable("the SIM in this machine has another number, so the message would go to another phone")
    }
    guard let messages else { return unreadable("this service reads no messages") }
    return await messages.obstacle(of: modem).map { unreadable($0) }
  }

  private static func noPath(_ cause: ChainFailure.Cause, _ reason: String) -> FlowOutcome {
    FlowOutcome(.noDataPath, cause: cause, "\(reason); no message was sent")
  }

  private static func unreadable(_ reason: String) -> FlowOutcome {
    FlowOutcome(
      .codeRequired,
      "\(reason); no message was sent. If you can read it elsewhere, give the code yourself: codeFrom caller, or "
        + "`--code-from terminal`")
  }
}

import JournalLog
import Logging
import ModemModel

extension ModemPort {
  /// The log, with the modem's id: it becomes known when the modem has answered.
  var logger: Logger {
    var logger = dependencies.logger
    logger[metadataKey: "modem"] = "\(state.id)"
    return logger
  }

  /// Logs what the SIM's new state means for whoever runs the machine.
  func log(_ sim: SIMStatus.State) {
    switch sim {
    case .absent: logger.event(.simAbsent, level: .warning, "there is no SIM in the modem")
    case .failed: logger.event(.simAbsent, level: .warning, "the SIM does not work")
    case .notActivated: logger.event(.simAbsent, level: .warning, "the SIM is not activated")
    case .pukRequired: logger.event(.simLocked, level: .warning, "the SIM is blocked and waits for its PUK")
    // Whether the port has the PIN is not known yet.
    case .pinRequired, .ready, .initialising, .unknown: logger.info("SIM \(sim.rawValue)")
    }
  }

  /// Logs why the SIM did not take a PIN.
  func logRefusal(of pin: String, _ error: any Error) {
    guard let error = error as? ModemError, error.code == .wrongPIN else {
      return logger.event(.simLocked, level: .warning, "the SIM stays locked: \(error)")
    }
    logger.event(.pinRefused, level: .warning, "the SIM refused \(pin): \(error)")
  }

  /// Logs what became of the bearer.
  func log(_ news: BearerMachine.News) {
    switch news {
    case .up(let installed):
      logger.event(
        .bearerUp, level: .notice, "bearer up on \(installed.interface), table \(installed.table)",
        metadata: ["bearer": "\(installed.interface)"])
    case .renewed(let installed):
      logger.info(
        "the bearer on \(installed.interface) has new settings", metadata: ["bearer": "\(installed.interface)"])
    case .down(nil): logger.event(.bearerDown, level: .notice, "bearer down")
    case .down(let cause?):
      logger.event(.bearerLost, level: .warning, "bearer down: \(cause)", metadata: Self.metadata(of: cause))
    case .releasing:
      logger.notice("the modem has yet to confirm the end of the bearer; nothing of it is left on this machine")
    }
  }

  /// Logs why a bearer did not come up.
  func logRefusal(of bearer: any Error) {
    let error = bearer as? ModemError
    // Whoever gave up knows why.
    if error?.code == .cancelled { return logger.info("no bearer: \(bearer)") }
    var metadata = error?.networkCause.map(Self.metadata(of:)) ?? [:]
    if let code = error?.code { metadata["cause"] = "\(code)" }
    logger.event(.bearerRefused, level: .warning, "no bearer: \(bearer)", metadata: metadata)
  }

  private static func metadata(of cause: NetworkCause) -> Logger.Metadata {
    cause.code.map { ["code": "\($0)"] } ?? [:]
  }
}

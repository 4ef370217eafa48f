import CMBIM
import GLibBridge
import ModemModel

/// The modem's report on the lock that must be opened next (MBIM_CID_PIN).
struct PINState {
  let type: MbimPinType
  let isLocked: Bool
  /// Nil if the modem does not report it.
  let retriesLeft: Int?

  init(_ reply: MBIMReply) throws(ModemError) {
    var type = MBIM_PIN_TYPE_UNKNOWN
    var state = MBIM_PIN_STATE_UNLOCKED
    var attempts = UInt32.max
    try reply.read { mbim_message_pin_response_parse($0, &type, &state, &attempts, $1) }
    self.type = type
    isLocked = state == MBIM_PIN_STATE_LOCKED
    retriesLeft = attempts == .max ? nil : Int(attempts)
  }

  /// The state of a SIM that the modem reports as locked.
  var simState: SIMStatus.State {
    // Between the PIN and readiness, the modem may report the device as locked although no lock is
    // left.
    guard isLocked else { return .initialising }
    return switch type {
    case MBIM_PIN_TYPE_PIN1: .pinRequired
    case MBIM_PIN_TYPE_PUK1: .pukRequired
    default: .failed  // A personalisation lock: it takes the operator's code.
    }
  }
}

extension MBIMBackend {
  func pinState() async throws(ModemError) -> PINState {
    try await PINState(
      ask("PIN state", within: configuration.limits.query) { _, error in mbim_message_pin_query_new(error) })
  }

  package func unlock(with pin: PIN) async throws(ModemError) {
    let before = try await pinState()
    guard before.isLocked else { throw ModemError(.pinNotRequired, "unlock: the SIM does not ask for a PIN") }
    guard before.type == MBIM_PIN_TYPE_PIN1 else {
      throw before.type == MBIM_PIN_TYPE_PUK1
        ? ModemError(.simLocked, "unlock: the PIN is blocked; the SIM asks for its PUK", retriesLeft: 0)
        : ModemError(
          .simLocked, "unlock: the SIM asks for a code other than its PIN (MBIM PIN type \(before.type.rawValue))")
    }
    let reply = try await send("unlock", within: configuration.limits.pin) { _, error in
      mbim_message_pin_set_new(MBIM_PIN_TYPE_PIN1, MBIM_PIN_OPERATION_ENTER, pin.revealed, nil, error)
    }
    guard reply.status != MBIM_STATUS_ERROR_NONE else { return }
    try Self.explainRefusedPIN(reply)
  }

  /// Throws the meaning of a refused PIN. The refusal carries the attempts left; its status differs
  /// between modems.
  private static func explainRefusedPIN(_ reply: MBIMReply) throws(ModemError) {
    let wrong = [MBIM_STATUS_ERROR_FAILURE, MBIM_STATUS_ERROR_PIN_REQUIRED, MBIM_STATUS_ERROR_INVALID_PARAMETERS]
    guard let status = reply.status, wrong.contains(status), let after = try? PINState(reply), after.isLocked else {
      return try reply.check()
    }
    guard after.type == MBIM_PIN_TYPE_PIN1 else {
      throw ModemError(.wrongPIN, "unlock: the PIN is wrong and now blocked; the SIM asks for its PUK", retriesLeft: 0)
    }
    throw ModemError(.wrongPIN, "unlock: the PIN is wrong", retriesLeft: after.retriesLeft)
  }
}

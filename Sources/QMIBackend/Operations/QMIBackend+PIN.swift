import CQMI
import ModemModel

extension QMIBackend {
  /// Enters the PIN (UIM Verify PIN).
  public func unlock(with pin: PIN) async throws(ModemError) {
    let card = try await cardStatus()
    switch card.status.state {
    case .pinRequired: break
    case .absent: throw ModemError(.simAbsent, "unlock: no SIM is inserted")
    case .pukRequired:
      throw ModemError(.simLocked, "unlock: the PIN is blocked; the SIM asks for its PUK", retriesLeft: 0)
    case .failed: throw ModemError(.simNotReady, "unlock: the SIM cannot be used; check it in another device")
    case .ready: throw ModemError(.pinNotRequired, "unlock: the SIM asks for no PIN")
    case .initialising, .notActivated, .unknown:
      throw ModemError(.simNotReady, "unlock: the SIM is not initialised yet; try again")
    }
    let code = Array(pin.revealed.utf8)
    let session: [UInt8] = [Self.cardSession(slot: card.slot ?? 1), 0]
    let request = QMIRequest(0x26)
      .with(0x01, session)
      .with(0x02, [card.usesUniversalPIN ? 3 : 1, UInt8(code.count)] + code)
    let reply = try await send("unlock", request, to: .uim, within: configuration.limits.pin)
    guard let refusal = try reply.refusal else { return }
    try Self.explainRefusedPIN(refusal, reply)
  }

  /// The session of a whole card, whose PIN may be entered before an application of it is ready.
  private static func cardSession(slot: Int) -> UInt8 {
    switch slot {
    case 1: 6
    case 2: 7
    default: UInt8(clamping: 19 + slot - 3)
    }
  }

  /// Throws what a refused PIN means. The refusal carries the attempts left.
  private static func explainRefusedPIN(_ refusal: QmiProtocolError, _ reply: QMIReply) throws(ModemError) {
    let left = try reply.read(0x10) { field throws(FieldReader.Short) in Int(try field.u8()) }
    switch refusal {
    case QMI_PROTOCOL_ERROR_INCORRECT_PIN where left == 0, QMI_PROTOCOL_ERROR_PIN_BLOCKED:
      throw ModemError(.wrongPIN, "unlock: the PIN is wrong and now blocked; the SIM asks for its PUK", retriesLeft: 0)
    case QMI_PROTOCOL_ERROR_INCORRECT_PIN: throw ModemError(.wrongPIN, "unlock: the PIN is wrong", retriesLeft: left)
    case QMI_PROTOCOL_ERROR_NO_EFFECT: throw ModemError(.pinNotRequired, "unlock: the SIM asks for no PIN")
    default: throw ModemError(refusal, during: "unlock")
    }
  }
}

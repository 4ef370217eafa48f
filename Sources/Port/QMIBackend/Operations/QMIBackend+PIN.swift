import CQMI
import ModemModel

extension QMIBackend {
  /// Enters the PIN (UIM Verify PIN, or DMS UIM Verify PIN on old firmware).
  package func unlock(with pin: PIN) async throws(ModemError) {
    let card = try await cardStatus()
    let state: SIMStatus.State
    if let card { state = card.status.state } else { state = try await oldLockStatus().state }
    try Self.requireLock(state)
    let reply: QMIReply
    if let card { reply = try await verify(pin, on: card) } else { reply = try await oldUnlock(with: pin) }
    guard let refusal = try reply.refusal else { return }
    try await explainRefusedPIN(refusal, reply)
  }

  /// Throws unless the SIM waits for its PIN: in any other state, no attempt may be used.
  private static func requireLock(_ state: SIMStatus.State) throws(ModemError) {
    switch state {
    case .pinRequired: return
    case .absent: throw ModemError(.simAbsent, "unlock: no SIM is inserted")
    case .pukRequired:
      throw ModemError(.simLocked, "unlock: the PIN is blocked; the SIM asks for its PUK", retriesLeft: 0)
    case .failed: throw ModemError(.simNotReady, "unlock: the SIM cannot be used; check it in another device")
    case .ready: throw ModemError(.pinNotRequired, "unlock: the SIM does not ask for a PIN")
    case .initialising, .notActivated, .unknown:
      throw ModemError(.simNotReady, "unlock: the SIM is not initialised yet; try again")
    }
  }

  private func verify(_ pin: PIN, on card: CardStatus) async throws(ModemError) -> QMIReply {
    let code = Array(pin.revealed.utf8)
    let session: [UInt8] = [Self.cardSession(slot: card.slot ?? 1), 0]
    let request = QMIRequest(0x26)
      .with(0x01, session)
      .with(0x02, [card.usesUniversalPIN ? 3 : 1, UInt8(code.count)] + code)
    let reply = try await send("unlock", request, to: .uim, within: configuration.limits.pin)
    // Some firmware reports its card over UIM and accepts the PIN over DMS. The SIM has not
    // received the PIN yet.
    if let refusal = try reply.refusal, refusal.isUnknownToFirmware { return try await oldUnlock(with: pin) }
    return reply
  }

  /// The session of a whole card, whose PIN may be entered before one of its applications is ready.
  private static func cardSession(slot: Int) -> UInt8 {
    switch slot {
    case 1: 6
    case 2: 7
    default: UInt8(clamping: 19 + slot - 3)
    }
  }

  /// Throws the meaning of a refused PIN. The attempts left come from the refusal, else from the
  /// card's status.
  private func explainRefusedPIN(_ refusal: QmiProtocolError, _ reply: QMIReply) async throws(ModemError) {
    var left = try reply.read(0x10) { field throws(FieldReader.Short) in Int(try field.u8()) }
    switch refusal {
    case QMI_PROTOCOL_ERROR_INCORRECT_PIN, QMI_PROTOCOL_ERROR_PIN_BLOCKED:
      if left == nil { left = try? await attemptsLeft() }
      guard refusal == QMI_PROTOCOL_ERROR_PIN_BLOCKED || left == 0 else {
        throw ModemError(.wrongPIN, "unlock: the PIN is wrong", retriesLeft: left)
      }
      throw ModemError(.wrongPIN, "unlock: the PIN is wrong and now blocked; the SIM asks for its PUK", retriesLeft: 0)
    case QMI_PROTOCOL_ERROR_NO_EFFECT: throw ModemError(.pinNotRequired, "unlock: the SIM does not ask for a PIN")
    default: throw ModemError(refusal, during: "unlock")
    }
  }

  private func attemptsLeft() async throws(ModemError) -> Int? {
    let status: SIMStatus
    if let card = try await cardStatus() { status = card.status } else { status = try await oldLockStatus() }
    return switch status.state {
    case .pinRequired: status.retriesLeft
    case .pukRequired: 0
    default: nil
    }
  }
}

import CQMI
import ModemModel

/// The SIM through DMS, for firmware from before the service UIM. Newer firmware answers these
/// commands with InvalidQmiCommand.
extension QMIBackend {
  /// Asks for the state of PIN1 (DMS UIM Get PIN Status), and if that gives nothing, for the SIM's
  /// state (DMS UIM Get State).
  func oldLockStatus() async throws(ModemError) -> SIMStatus {
    let reply = try await send("PIN status", QMIRequest(0x2b), to: .dms, within: configuration.limits.query)
    switch try reply.refusal {
    case QMI_PROTOCOL_ERROR_NO_SIM: return SIMStatus(state: .absent)
    case QMI_PROTOCOL_ERROR_UIM_UNINITIALIZED, QMI_PROTOCOL_ERROR_DEVICE_NOT_READY: return try await oldState()
    default: try reply.check()
    }
    let pin1 = try reply.read(0x11) { field throws(FieldReader.Short) in
      (status: try field.u8(), verify: Int(try field.u8()), unblock: Int(try field.u8()))
    }
    guard let pin1 else { return try await oldState() }
    switch pin1.status {
    case 1: return SIMStatus(state: .pinRequired, retriesLeft: pin1.verify)
    case 2, 3, 6, 7: return SIMStatus(state: .ready)
    case 4: return SIMStatus(state: pin1.unblock > 0 ? .pukRequired : .failed, retriesLeft: pin1.unblock)
    case 5: return SIMStatus(state: .failed)
    default: return try await oldState()
    }
  }

  private func oldState() async throws(ModemError) -> SIMStatus {
    guard let reply = try await askIfKnown("SIM state", QMIRequest(0x44), to: .dms) else {
      return SIMStatus(state: .initialising)
    }
    switch try reply.read(0x01, { field throws(FieldReader.Short) in try field.u8() }) {
    case 0: return SIMStatus(state: .ready)
    case 1: return SIMStatus(state: .failed)
    case 2: return SIMStatus(state: .absent)
    default: return SIMStatus(state: .initialising)
    }
  }

  /// Asks for a text of the SIM (DMS UIM Get ICCID, Get IMSI); nil if the modem does not give it.
  func oldText(_ name: String, _ message: UInt16) async throws(ModemError) -> String? {
    let found = try await askIfKnown(name, QMIRequest(message), to: .dms)?[0x01].flatMap(text)
    return found.flatMap { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? $0 : nil }
  }

  /// Enters PIN1 (DMS UIM Verify PIN).
  func oldUnlock(with pin: PIN) async throws(ModemError) -> QMIReply {
    let code = Array(pin.revealed.utf8)
    let request = QMIRequest(0x28).with(0x01, [1, UInt8(code.count)] + code)
    return try await send("unlock", request, to: .dms, within: configuration.limits.pin)
  }
}

import CQMI
import GLibBridge
import ModemModel

extension QMIBackend {
  /// UIM Verify PIN, once.
  public func unlock(with pin: PIN) async throws(ModemError) {
    let opened = try openDevice(for: "unlock")
    let before = try await cardStatus(opened)
    switch before.sim.state {
    case .pinRequired: break
    case .pukRequired:
      throw ModemError(.simLocked, "unlock: the PIN is blocked; the SIM asks for its PUK", retriesLeft: 0)
    case .absent: throw ModemError(.simAbsent, "unlock: no SIM is inserted")
    case .initialising, .unknown: throw ModemError(.simNotReady, "unlock: the SIM is still starting; try again")
    case .failed, .notActivated: throw ModemError(.simLocked, "unlock: the SIM asks for another code than its PIN")
    case .ready: throw ModemError(.pinNotRequired, "unlock: the SIM asks for no PIN")
    }
    let attempt = input(qmi_message_uim_verify_pin_input_new, qmi_message_uim_verify_pin_input_unref) { input in
      withByteArray([]) {
        _ = qmi_message_uim_verify_pin_input_set_session(
          input, QMI_UIM_SESSION_TYPE_PRIMARY_GW_PROVISIONING, $0, nil)
      }
      qmi_message_uim_verify_pin_input_set_info(
        input, before.usesUniversalPIN ? QMI_UIM_PIN_ID_UPIN : QMI_UIM_PIN_ID_PIN1, pin.revealed, nil)
    }
    let reply = try await send("unlock", .verifyPIN, to: opened.uim, attempt, within: configuration.limits.pin)
    guard let refusal = reply.refusal else { return }
    if reply.refused(with: QMI_PROTOCOL_ERROR_NO_EFFECT) {
      throw ModemError(.pinNotRequired, "unlock: the SIM asks for no PIN")
    }
    if reply.refused(with: QMI_PROTOCOL_ERROR_PIN_BLOCKED) {
      throw ModemError(.wrongPIN, "unlock: the PIN is wrong and now blocked; the SIM asks for its PUK", retriesLeft: 0)
    }
    guard reply.refused(with: QMI_PROTOCOL_ERROR_INCORRECT_PIN) else {
      throw ModemError(refusal, during: "unlock", removed: isRemoved)
    }
    var (left, unblock): (guint8, guint8) = (0, 0)
    let isTold =
      qmi_message_uim_verify_pin_output_get_retries_remaining(reply.pointer, &left, &unblock, nil) != 0
    let retries = isTold ? Int(left) : try? await cardStatus(opened).sim.retriesLeft
    throw ModemError(
      .wrongPIN,
      "unlock: the PIN is wrong" + (retries.map { "; \($0) attempts are left before the SIM asks for its PUK" } ?? ""),
      retriesLeft: retries)
  }
}

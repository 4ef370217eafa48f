import CQMI
import GLibBridge
import ModemModel

extension QMIBackend {
  /// NAS Attach Detach. Most modems attach by themselves when they register.
  public func attach() async throws(ModemError) {
    let nas = try openDevice(for: "attach").nas
    if try await servingSystem(nas).isAttached { return }
    let end = SuspendingClock.now + configuration.limits.attach
    let request = input(qmi_message_nas_attach_detach_input_new, qmi_message_nas_attach_detach_input_unref) {
      qmi_message_nas_attach_detach_input_set_action($0, QMI_NAS_PS_ATTACH_ACTION_ATTACH, nil)
    }
    let reply = try await send("attach", .attachDetach, to: nas, request, within: configuration.limits.attach)
    if let refusal = reply.refusal, !reply.refused(with: QMI_PROTOCOL_ERROR_NO_EFFECT) {
      throw ModemError(refusal, during: "attach", removed: isRemoved)
    }
    // The modem says that it will; a report says that it has.
    while true {
      let system = try await servingSystem(nas)
      if system.isAttached { return }
      if system.registration.state == .denied {
        let cause = try await registration().cause
        throw ModemError(
          .refused, "attach: the network does not serve packets to this subscription here", networkCause: cause,
          cause: cause?.description)
      }
      do throws(GLibBridgeError) {
        try await glib.expect(of: commands, within: end - .now) { servingWaits.append($0) }
      } catch {
        throw ModemError(error, during: "attach", removed: isRemoved)
      }
    }
  }
}

import CQMI
import LimitClock
import ModemModel

extension QMIBackend {
  /// Attaches to the packet domain (NAS Attach Detach) unless the serving system is already
  /// attached, and waits until it is.
  package func attach() async throws(ModemError) {
    if try await servingSystem().isAttached { return }
    let end = clock.now + configuration.limits.attach
    reports.servingSystem.forget()
    let reply = try await send("attach", QMIRequest(0x23).with(0x10, byte: 1), to: .nas, within: end - clock.now)
    if let refusal = try reply.refusal, refusal != QMI_PROTOCOL_ERROR_NO_EFFECT {
      throw ModemError(refusal, during: "attach")
    }
    while true {
      let system = try await servingSystem()
      if system.isAttached { return }
      guard system.state != .denied else {
        throw ModemError(.refused, "attach: the network does not serve packets to this subscription here")
      }
      try await report(of: \.servingSystem, for: "attach", within: max(end - clock.now, .zero))
      reports.servingSystem.forget()
    }
  }
}

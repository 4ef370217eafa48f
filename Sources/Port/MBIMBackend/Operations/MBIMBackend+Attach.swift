import CMBIM
import GLibBridge
import LimitClock
import ModemModel

extension MBIMBackend {
  package func attach() async throws(ModemError) {
    let current = try await packetService(
      ask("packet service", within: configuration.limits.query) { _, error in
        mbim_message_packet_service_query_new(error)
      })
    if current.state == MBIM_PACKET_SERVICE_STATE_ATTACHED { return }

    let end = clock.now + configuration.limits.attach
    reports.packetService.forget()
    let reply = try await send("attach", within: configuration.limits.attach) { _, error in
      mbim_message_packet_service_set_new(MBIM_PACKET_SERVICE_ACTION_ATTACH, error)
    }
    guard reply.status == MBIM_STATUS_ERROR_NONE else {
      if let refusal = try? packetService(reply), refusal.networkError != 0 { throw refused(refusal) }
      try reply.check()
      return
    }
    var result = try packetService(reply)
    if !result.isSettled {
      result = try await report(of: \.packetService, for: "attach", within: end - clock.now) { $0.isSettled }
    }
    guard result.state == MBIM_PACKET_SERVICE_STATE_ATTACHED else { throw refused(result) }
  }

  private func packetService(_ reply: MBIMReply) throws(ModemError) -> PacketServiceReport {
    try PacketServiceReport(reply)
  }

  private func refused(_ report: PacketServiceReport) -> ModemError {
    let cause = report.networkError == 0 ? nil : NetworkCause.registration(Int(report.networkError))
    return ModemError(
      .refused, "attach: the network does not serve packets to this subscription here", networkCause: cause,
      cause: cause?.description)
  }
}

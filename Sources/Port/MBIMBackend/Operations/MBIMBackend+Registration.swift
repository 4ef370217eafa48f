import CMBIM
import GLibBridge
import ModemModel

extension MBIMBackend {
  package func registration() async throws(ModemError) -> Registration {
    var registration = try await registerState()
    guard let signal = try await signalState() else { return registration }
    registration.rssi = signal.rssi
    registration.referenceSignal = signal.referenceSignal(for: registration.technology)
    return registration
  }

  /// Asks where the modem is registered (MBIM_CID_REGISTER_STATE).
  private func registerState() async throws(ModemError) -> Registration {
    let reply = try await ask("register state", within: configuration.limits.query) { _, error in
      mbim_message_register_state_query_new(error)
    }
    guard reply.speaksExtensionsV3, try Registration(reply).technology == .nr else { return try Registration(reply) }
    return try Registration(reply, subclass: try await packetService()?.subclass)
  }

  /// Asks for the packet service (MBIM_CID_PACKET_SERVICE); nil if the modem refuses.
  private func packetService() async throws(ModemError) -> PacketServiceReport? {
    let reply = try await send("packet service", within: configuration.limits.query) { _, error in
      mbim_message_packet_service_query_new(error)
    }
    return reply.status == MBIM_STATUS_ERROR_NONE ? try PacketServiceReport(reply) : nil
  }

  /// Asks for the signal (MBIM_CID_SIGNAL_STATE); nil if the modem refuses.
  private func signalState() async throws(ModemError) -> SignalState? {
    let reply = try await send("signal state", within: configuration.limits.query) { _, error in
      mbim_message_signal_state_query_new(error)
    }
    return reply.status == MBIM_STATUS_ERROR_NONE ? try SignalState(reply) : nil
  }
}

import CMBIM
import GLibBridge
import ModemModel

extension MBIMBackend {
  package func settings() async throws(ModemError) -> BearerSettings {
    _ = try openDevice(for: "settings")
    let down = ModemError(.notConnected, "settings: the bearer is down; connect first")
    guard case .up = bearer else { throw down }
    let settings = try await queriedSettings()
    guard case .up = bearer else { throw down }
    return settings
  }

  /// Asks for the addresses of the session (MBIM_CID_IP_CONFIGURATION).
  func queriedSettings() async throws(ModemError) -> BearerSettings {
    let number = configuration.session
    let reply = try await ask("IP configuration", within: configuration.limits.query) { _, error in
      mbim_message_ip_configuration_query_new(
        number, MBIM_IP_CONFIGURATION_AVAILABLE_FLAG_NONE, MBIM_IP_CONFIGURATION_AVAILABLE_FLAG_NONE, 0, nil, 0, nil,
        nil,
        nil,
        0, nil, 0, nil, 0, 0, error)
    }
    return BearerSettings(try IPConfiguration(reply), granted: granted)
  }
}

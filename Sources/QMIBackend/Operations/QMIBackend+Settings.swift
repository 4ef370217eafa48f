import CQMI
import ModemModel

extension QMIBackend {
  public func settings() async throws(ModemError) -> BearerSettings {
    _ = try openDevice(for: "settings")
    let down = ModemError(.notConnected, "settings: the bearer is down; connect first")
    guard case .up = bearer else { throw down }
    let settings = try await queriedSettings()
    guard case .up = bearer else { throw down }
    return settings
  }

  /// Asks each session for its settings (WDS Get Current Settings).
  func queriedSettings() async throws(ModemError) -> BearerSettings {
    let wanted =
      QMI_WDS_REQUESTED_SETTINGS_DNS_ADDRESS.rawValue | QMI_WDS_REQUESTED_SETTINGS_IP_ADDRESS.rawValue
      | QMI_WDS_REQUESTED_SETTINGS_GATEWAY_INFO.rawValue | QMI_WDS_REQUESTED_SETTINGS_MTU.rawValue
      | QMI_WDS_REQUESTED_SETTINGS_IP_FAMILY.rawValue
    var all: [CurrentSettings] = []
    for session in sessions {
      let question = input(
        qmi_message_wds_get_current_settings_input_new, qmi_message_wds_get_current_settings_input_unref
      ) {
        qmi_message_wds_get_current_settings_input_set_requested_settings(
          $0, QmiWdsRequestedSettings(rawValue: wanted), nil)
      }
      // A session that ended meanwhile is told by its report.
      let reply = try await askIfKnown("IP settings", .currentSettings, to: session.client, question)
      if let reply { all.append(CurrentSettings(reply)) }
    }
    return BearerSettings(all)
  }
}

import CMBIM
import GLibBridge
import ModemModel

extension MBIMBackend {
  /// Asks for the device capabilities (MBIM_CID_DEVICE_CAPS; with MBIMEx 3.0, the extended one).
  package func identity() async throws(ModemError) -> DeviceIdentity {
    try DeviceIdentity(try await deviceCaps())
  }

  /// Asks for MaxSessions of the device capabilities.
  package func sessionLimit() async throws(ModemError) -> Int? { try SessionLimit(try await deviceCaps()).number }

  private func deviceCaps() async throws(ModemError) -> MBIMReply {
    try await ask("device capabilities", within: configuration.limits.query) { opened, error in
      opened.speaksExtensionsV3
        ? mbim_message_ms_basic_connect_extensions_device_caps_query_new(error)
        : mbim_message_device_caps_query_new(error)
    }
  }
}

import CGLib
import CQMI

/// A modem through libqmi and nothing else, with a client of its service NAS.
final class BareQMIDevice: BareDevice {
  private let device: UnsafeMutablePointer<QmiDevice>
  private let client: UnsafeMutablePointer<QmiClientNas>

  init(path: String) throws(BareError) {
    let file = g_file_new_for_path(path)
    defer { g_object_unref(UnsafeMutableRawPointer(file)) }
    let device = try BareCall.wait({ qmi_device_new(file, nil, $0, $1) }, { qmi_device_new_finish($0, $1) })
    self.device = device
    _ = try BareCall.wait(
      { qmi_device_open(device, QMI_DEVICE_OPEN_FLAGS_NONE, 10, nil, $0, $1) },
      { qmi_device_open_finish(device, $0, $1) != 0 ? true : nil })
    let client = try BareCall.wait(
      { qmi_device_allocate_client(device, QMI_SERVICE_NAS, UInt8(QMI_CID_NONE), 10, nil, $0, $1) },
      { qmi_device_allocate_client_finish(device, $0, $1) })
    self.client = UnsafeMutableRawPointer(client).assumingMemoryBound(to: QmiClientNas.self)
  }

  func close() {
    let device = device
    let client = UnsafeMutableRawPointer(client).assumingMemoryBound(to: QmiClient.self)
    _ = try? BareCall.wait(
      { qmi_device_release_client(device, client, QMI_DEVICE_RELEASE_CLIENT_FLAGS_RELEASE_CID, 5, nil, $0, $1) },
      { qmi_device_release_client_finish(device, $0, $1) != 0 ? true : nil })
    _ = try? BareCall.wait(
      { qmi_device_close_async(device, 5, nil, $0, $1) },
      { qmi_device_close_finish(device, $0, $1) != 0 ? true : nil })
    g_object_unref(UnsafeMutableRawPointer(client))
    g_object_unref(UnsafeMutableRawPointer(device))
  }

  func query() throws(BareError) {
    guard try isRegistered(), try strength() < 0 else { throw BareError("an empty answer") }
  }

  /// Asks where the modem is registered (NAS Get Serving System).
  private func isRegistered() throws(BareError) -> Bool {
    let client = client
    let reply = try BareCall.wait(
      { qmi_client_nas_get_serving_system(client, nil, 10, nil, $0, $1) },
      { qmi_client_nas_get_serving_system_finish(client, $0, $1) })
    defer { qmi_message_nas_get_serving_system_output_unref(reply) }
    guard qmi_message_nas_get_serving_system_output_get_result(reply, nil) != 0 else {
      throw BareError("the modem refused")
    }
    var state = QMI_NAS_REGISTRATION_STATE_UNKNOWN
    var isRead = qmi_message_nas_get_serving_system_output_get_serving_system(reply, &state, nil, nil, nil, nil, nil)
    guard isRead != 0 else { throw BareError("the registration cannot be read") }
    var (mcc, mnc): (UInt16, UInt16) = (0, 0)
    var name: UnsafePointer<CChar>?
    isRead = qmi_message_nas_get_serving_system_output_get_current_plmn(reply, &mcc, &mnc, &name, nil)
    guard isRead != 0 else { throw BareError("the network cannot be read") }
    return state == QMI_NAS_REGISTRATION_STATE_REGISTERED && mcc > 0
  }

  /// Asks for the signal (NAS Get Signal Info).
  /// - Returns: that of LTE, in dBm.
  private func strength() throws(BareError) -> Int8 {
    let client = client
    let reply = try BareCall.wait(
      { qmi_client_nas_get_signal_info(client, nil, 10, nil, $0, $1) },
      { qmi_client_nas_get_signal_info_finish(client, $0, $1) })
    defer { qmi_message_nas_get_signal_info_output_unref(reply) }
    guard qmi_message_nas_get_signal_info_output_get_result(reply, nil) != 0 else {
      throw BareError("the modem refused")
    }
    var rssi: Int8 = 0
    var (rsrq, rsrp, snr): (Int8, Int16, Int16) = (0, 0, 0)
    let isRead = qmi_message_nas_get_signal_info_output_get_lte_signal_strength(reply, &rssi, &rsrq, &rsrp, &snr, nil)
    guard isRead != 0 else { throw BareError("the signal cannot be read") }
    return rssi
  }
}

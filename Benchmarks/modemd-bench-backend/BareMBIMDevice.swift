import CGLib
import CMBIM

/// A modem through libmbim and nothing else.
final class BareMBIMDevice: BareDevice {
  private let device: UnsafeMutablePointer<MbimDevice>

  init(path: String) throws(BareError) {
    let file = g_file_new_for_path(path)
    defer { g_object_unref(UnsafeMutableRawPointer(file)) }
    let device = try BareCall.wait({ mbim_device_new(file, nil, $0, $1) }, { mbim_device_new_finish($0, $1) })
    self.device = device
    _ = try BareCall.wait(
      { mbim_device_open_full(device, MBIM_DEVICE_OPEN_FLAGS_NONE, 10, nil, $0, $1) },
      { mbim_device_open_full_finish(device, $0, $1) != 0 ? true : nil })
  }

  func close() {
    let device = device
    _ = try? BareCall.wait(
      { mbim_device_close(device, 5, nil, $0, $1) }, { mbim_device_close_finish(device, $0, $1) != 0 ? true : nil })
    g_object_unref(UnsafeMutableRawPointer(device))
  }

  func query() throws(BareError) {
    guard try numberCount() > 0, try homeNetwork() != nil else { throw BareError("an empty answer") }
  }

  /// Asks for the subscriber's state.
  /// - Returns: how many numbers the SIM has.
  private func numberCount() throws(BareError) -> UInt32 {
    let reply = try command(mbim_message_subscriber_ready_status_query_new(nil))
    defer { mbim_message_unref(reply) }
    var imsi: UnsafeMutablePointer<CChar>?
    var iccid: UnsafeMutablePointer<CChar>?
    var count: UInt32 = 0
    var numbers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let isRead = mbim_message_subscriber_ready_status_response_parse(
      reply, nil, &imsi, &iccid, nil, &count, &numbers, nil)
    defer {
      g_free(imsi)
      g_free(iccid)
      g_strfreev(numbers)
    }
    guard isRead != 0 else { throw BareError("the subscriber's state cannot be read") }
    return count
  }

  /// Asks for the home network.
  /// - Returns: its MCC and MNC.
  private func homeNetwork() throws(BareError) -> String? {
    let reply = try command(mbim_message_home_provider_query_new(nil))
    defer { mbim_message_unref(reply) }
    var provider: UnsafeMutablePointer<MbimProvider>?
    guard mbim_message_home_provider_response_parse(reply, &provider, nil) != 0, let provider else { return nil }
    defer { mbim_provider_free(provider) }
    return provider.pointee.provider_id.map { String(cString: $0) }
  }

  private func command(_ request: OpaquePointer?) throws(BareError) -> OpaquePointer {
    guard let request else { throw BareError("the request cannot be built") }
    defer { mbim_message_unref(request) }
    let device = device
    let reply = try BareCall.wait(
      { mbim_device_command(device, request, 10, nil, $0, $1) }, { mbim_device_command_finish(device, $0, $1) })
    guard mbim_message_response_get_result(reply, MBIM_MESSAGE_TYPE_COMMAND_DONE, nil) != 0 else {
      mbim_message_unref(reply)
      throw BareError("the modem refused")
    }
    return reply
  }
}

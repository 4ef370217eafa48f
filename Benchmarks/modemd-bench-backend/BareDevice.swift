import CGLib
import CMBIM

/// What kept the library from answering.
struct BareError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A modem through libmbim and nothing else: a call, and the default main context turned until its
/// callback comes. It is for one thread.
final class BareDevice {
  private let device: UnsafeMutablePointer<MbimDevice>

  init(path: String) throws(BareError) {
    let file = g_file_new_for_path(path)
    defer { g_object_unref(UnsafeMutableRawPointer(file)) }
    let device = try Self.wait({ mbim_device_new(file, nil, $0, $1) }, { mbim_device_new_finish($0, $1) })
    self.device = device
    _ = try Self.wait(
      { mbim_device_open_full(device, MBIM_DEVICE_OPEN_FLAGS_NONE, 10, nil, $0, $1) },
      { mbim_device_open_full_finish(device, $0, $1) != 0 ? true : nil })
  }

  func close() {
    let device = device
    _ = try? Self.wait(
      { mbim_device_close(device, 5, nil, $0, $1) }, { mbim_device_close_finish(device, $0, $1) != 0 ? true : nil })
    g_object_unref(UnsafeMutableRawPointer(device))
  }

  /// Asks for the subscriber's state.
  /// - Returns: how many numbers the SIM has.
  func numberCount() throws(BareError) -> UInt32 {
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
  func homeNetwork() throws(BareError) -> String? {
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
    let reply = try Self.wait(
      { mbim_device_command(device, request, 10, nil, $0, $1) }, { mbim_device_command_finish(device, $0, $1) })
    guard mbim_message_response_get_result(reply, MBIM_MESSAGE_TYPE_COMMAND_DONE, nil) != 0 else {
      mbim_message_unref(reply)
      throw BareError("the modem refused")
    }
    return reply
  }

  private final class Completion { var result: OpaquePointer? }

  private static func wait<Value>(
    _ begin: (GAsyncReadyCallback, gpointer) -> Void,
    _ finish: (OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Value?
  ) throws(BareError) -> Value {
    let completion = Completion()
    begin(
      { _, result, data in
        guard let result, let data else { return }
        g_object_ref(UnsafeMutableRawPointer(result))
        Unmanaged<Completion>.fromOpaque(data).takeUnretainedValue().result = result
      }, Unmanaged.passUnretained(completion).toOpaque())
    while completion.result == nil { g_main_context_iteration(nil, 1) }
    guard let result = completion.result else { throw BareError("no result") }
    defer { g_object_unref(UnsafeMutableRawPointer(result)) }
    var error: UnsafeMutablePointer<GError>?
    guard let value = finish(result, &error) else {
      defer { g_clear_error(&error) }
      throw BareError(error.flatMap { $0.pointee.message }.map { String(cString: $0) } ?? "no message")
    }
    return value
  }
}

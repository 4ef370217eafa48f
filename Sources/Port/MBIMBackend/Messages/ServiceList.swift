import CMBIM
import ModemModel
import ReplyCheck

/// The modem's services and their commands (MBIM_CID_DEVICE_SERVICES).
struct ServiceList: Sendable {
  private let commands: Set<MBIMFrame.Subject>

  /// Reads a reply.
  init(_ reply: MBIMReply) throws(ModemError) {
    var count: UInt32 = 0
    var elements: UnsafeMutablePointer<UnsafeMutablePointer<MbimDeviceServiceElement>?>?
    try reply.read { mbim_message_device_services_response_parse($0, &count, nil, &elements, $1) }
    defer { mbim_device_service_element_array_free(elements) }
    commands = Set(
      (0..<Int(count)).compactMap { elements?[$0]?.pointee }.flatMap { element in
        let service = MBIMServiceID(withUnsafeBytes(of: element.device_service_id) { Array($0) })
        return (0..<Int(element.cids_count)).compactMap { index in
          element.cids.map { MBIMFrame.Subject(service, $0[index]) }
        }
      })
  }

  /// Whether a command is listed.
  func contains(_ command: MBIMFrame.Subject) -> Bool { commands.contains(command) }
}

import CMBIM
import ModemModel

/// The state of the packet service, and the reason for it (MBIM_CID_PACKET_SERVICE).
struct PacketServiceReport {
  var state = MBIM_PACKET_SERVICE_STATE_UNKNOWN
  var networkError: UInt32 = 0
  /// The kind of 5G (MBIMEx 3.0).
  var subclass: MbimDataSubclass?

  var isSettled: Bool { state != MBIM_PACKET_SERVICE_STATE_ATTACHING && state != MBIM_PACKET_SERVICE_STATE_DETACHING }
}

extension PacketServiceReport {
  /// Reads a reply.
  init(_ reply: MBIMReply) throws(ModemError) {
    var subclass = MBIM_DATA_SUBCLASS_NONE
    try reply.read { message, error in
      switch reply.extensions {
      case .none:
        mbim_message_packet_service_response_parse(message, &networkError, &state, nil, nil, nil, error)
      case .v2:
        mbim_message_ms_basic_connect_v2_packet_service_response_parse(
          message, &networkError, &state, nil, nil, nil, nil, error)
      case .v3:
        mbim_message_ms_basic_connect_v3_packet_service_response_parse(
          message, &networkError, &state, nil, nil, nil, nil, &subclass, nil, error)
      }
    }
    if reply.speaksExtensionsV3 { self.subclass = subclass }
  }

  /// Reads a checked indication; nil if libmbim cannot.
  init?(_ indication: CheckedIndication) {
    let message = indication.message
    let parsed =
      switch indication.extensions {
      case .none:
        mbim_message_packet_service_notification_parse(message, &networkError, &state, nil, nil, nil, nil)
      case .v2:
        mbim_message_ms_basic_connect_v2_packet_service_notification_parse(
          message, &networkError, &state, nil, nil, nil, nil, nil)
      case .v3:
        mbim_message_ms_basic_connect_v3_packet_service_notification_parse(
          message, &networkError, &state, nil, nil, nil, nil, nil, nil, nil)
      }
    if parsed == 0 { return nil }
  }
}

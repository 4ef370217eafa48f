import CMBIM
import ModemModel

/// The state of a data session, and the reason for it (MBIM_CID_CONNECT).
struct SessionReport {
  var session: UInt32 = 0
  var state = MBIM_ACTIVATION_STATE_UNKNOWN
  var type = MBIM_CONTEXT_IP_TYPE_DEFAULT
  var networkError: UInt32 = 0

  var isSettled: Bool { state != MBIM_ACTIVATION_STATE_ACTIVATING && state != MBIM_ACTIVATION_STATE_DEACTIVATING }
  var isActive: Bool { state == MBIM_ACTIVATION_STATE_ACTIVATED || state == MBIM_ACTIVATION_STATE_ACTIVATING }
  var cause: NetworkCause? { networkError == 0 ? nil : .session(Int(networkError)) }
}

extension SessionReport {
  /// Reads a reply; MBIMEx 3.0 appends the medium, the access point and more to it.
  init(_ reply: MBIMReply) throws(ModemError) {
    try reply.read { message, error in
      reply.speaksExtensionsV3
        ? mbim_message_ms_basic_connect_v3_connect_response_parse(
          message, &session, &state, nil, &type, nil, &networkError, nil, nil, nil, error)
        : mbim_message_connect_response_parse(message, &session, &state, nil, &type, nil, &networkError, error)
    }
  }

  /// Reads a checked indication; nil if libmbim cannot.
  init?(_ indication: CheckedIndication) {
    let message = indication.message
    let parsed =
      indication.extensions >= .v3
      ? mbim_message_ms_basic_connect_v3_connect_notification_parse(
        message, &session, &state, nil, &type, nil, &networkError, nil, nil, nil, nil)
      : mbim_message_connect_notification_parse(message, &session, &state, nil, &type, nil, &networkError, nil)
    if parsed == 0 { return nil }
  }
}

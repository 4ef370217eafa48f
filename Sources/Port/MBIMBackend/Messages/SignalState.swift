import CMBIM
import ModemModel

/// Reads the coded strength of a Signal State (MBIM_CID_SIGNAL_STATE; MBIMEx 2.0 appends LTE and 5G
/// measurements): 0 to 31, 99 is unknown.
func codedStrength(_ reply: MBIMReply) throws(ModemError) -> UInt32 {
  var rssi: UInt32 = 99
  try reply.read { message, error in
    reply.extensions >= .v2
      ? mbim_message_ms_basic_connect_v2_signal_state_response_parse(
        message, &rssi, nil, nil, nil, nil, nil, nil, error)
      : mbim_message_signal_state_response_parse(message, &rssi, nil, nil, nil, nil, error)
  }
  return rssi
}

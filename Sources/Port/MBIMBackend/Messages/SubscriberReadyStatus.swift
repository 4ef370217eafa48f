import CGLib
import CMBIM
import ModemModel

extension SIMStatus {
  /// Reads a Subscriber Ready Status (MBIM_CID_SUBSCRIBER_READY_STATUS; MBIMEx 3.0 adds flags). A
  /// SIM with any lock is `pinRequired` here.
  init(_ reply: MBIMReply) throws(ModemError) {
    var state = MBIM_SUBSCRIBER_READY_STATE_NOT_INITIALIZED
    var imsi: UnsafeMutablePointer<CChar>?
    var iccid: UnsafeMutablePointer<CChar>?
    var count: UInt32 = 0
    var numbers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    try reply.read { message, error in
      reply.speaksExtensionsV3
        ? mbim_message_ms_basic_connect_v3_subscriber_ready_status_response_parse(
          message, &state, nil, &imsi, &iccid, nil, &count, &numbers, error)
        : mbim_message_subscriber_ready_status_response_parse(
          message, &state, &imsi, &iccid, nil, &count, &numbers, error)
    }
    self.init(
      state: SIMStatus.State(state), iccid: taking(iccid).map(ICCID.init), imsi: taking(imsi).map(IMSI.init),
      numbers: taking(numbers, count: Int(count)).map { PhoneNumber($0, source: .subscriberReady) })
  }
}

extension SIMStatus.State {
  fileprivate init(_ state: MbimSubscriberReadyState) {
    switch state {
    case MBIM_SUBSCRIBER_READY_STATE_NOT_INITIALIZED: self = .initialising
    case MBIM_SUBSCRIBER_READY_STATE_INITIALIZED: self = .ready
    case MBIM_SUBSCRIBER_READY_STATE_SIM_NOT_INSERTED: self = .absent
    case MBIM_SUBSCRIBER_READY_STATE_BAD_SIM, MBIM_SUBSCRIBER_READY_STATE_FAILURE: self = .failed
    // An eSIM without a profile has no subscription either.
    case MBIM_SUBSCRIBER_READY_STATE_NOT_ACTIVATED, MBIM_SUBSCRIBER_READY_STATE_NO_ESIM_PROFILE: self = .notActivated
    case MBIM_SUBSCRIBER_READY_STATE_DEVICE_LOCKED: self = .pinRequired
    default: self = .unknown
    }
  }
}

/// Takes over an array of strings. libmbim 1.28 stores NULL for an empty string, so the array does
/// not end at the first NULL.
private func taking(_ array: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, count: Int) -> [String] {
  guard let array else { return [] }
  defer { g_free(array) }
  return (0..<count).compactMap { taking(array[$0]) }
}

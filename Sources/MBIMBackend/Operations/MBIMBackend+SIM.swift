import CGLib
import CMBIM
import GLibBridge
import ModemModel

extension MBIMBackend {
  public func simStatus() async throws(ModemError) -> SIMStatus {
    var status = try await subscriberReadyStatus()
    switch status.state {
    case .pinRequired:
      let pin = try await pinState()
      status.state = pin.simState
      status.retriesLeft = pin.isLocked ? pin.retriesLeft : nil
    case .ready: status.home = try await homeNetwork()
    default: break
    }
    return status
  }

  /// Asks for the SIM's state and what is known of the subscription (MBIM_CID_SUBSCRIBER_READY_STATUS). A locked SIM,
  /// whatever the lock, is `pinRequired` here.
  private func subscriberReadyStatus() async throws(ModemError) -> SIMStatus {
    let reply = try await ask("subscriber ready status", within: configuration.limits.query) { _, error in
      mbim_message_subscriber_ready_status_query_new(error)
    }
    guard WireCounts(reply.information).areSubscriberReadyCountsSound(extensionsV3: reply.speaksExtensionsV3) else {
      throw ModemError(.badReply, "\(reply.name): the modem counts more numbers than it sends")
    }
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
    return SIMStatus(
      state: SIMStatus.State(state), iccid: taking(iccid).map(ICCID.init), imsi: taking(imsi).map(IMSI.init),
      numbers: taking(numbers, count: Int(count)).map { PhoneNumber($0, source: .subscriberReady) })
  }

  /// Asks for the SIM's own network (MBIM_CID_HOME_PROVIDER); nil where the modem does not say.
  private func homeNetwork() async throws(ModemError) -> Network? {
    let reply = try await send("home provider", within: configuration.limits.query) { _, error in
      mbim_message_home_provider_query_new(error)
    }
    guard reply.status == MBIM_STATUS_ERROR_NONE else { return nil }
    var provider: UnsafeMutablePointer<MbimProvider>?
    try reply.read { mbim_message_home_provider_response_parse($0, &provider, $1) }
    guard let provider else { return nil }
    defer { mbim_provider_free(provider) }
    return Network(providerID: provider.pointee.provider_id, name: provider.pointee.provider_name)
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

extension Network {
  /// Makes a network of MBIM's ProviderId, whose length says how long the MNC is; nil where it is none.
  init?(providerID: UnsafePointer<CChar>?, name: UnsafePointer<CChar>?) {
    guard let plmn = providerID.flatMap({ PLMN(String(cString: $0)) }) else { return nil }
    self.init(plmn, name: name.map { String(cString: $0) })
  }
}

/// Takes over an array of strings. libmbim 1.28 has NULL where a string is empty, so the array does not end at the
/// first NULL.
private func taking(_ array: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, count: Int) -> [String] {
  guard let array else { return [] }
  defer { g_free(array) }
  return (0..<count).compactMap { taking(array[$0]) }
}

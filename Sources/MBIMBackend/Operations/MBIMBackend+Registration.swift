import CMBIM
import GLibBridge
import ModemModel

extension MBIMBackend {
  public func registration() async throws(ModemError) -> Registration {
    var registration = try await registerState()
    registration.rssi = try await signalStrength()
    return registration
  }

  /// Asks where the modem is registered (MBIM_CID_REGISTER_STATE).
  private func registerState() async throws(ModemError) -> Registration {
    let reply = try await ask("register state", within: configuration.limits.query) { _, error in
      mbim_message_register_state_query_new(error)
    }
    var cause = MBIM_NW_ERROR_NONE
    var state = MBIM_REGISTER_STATE_UNKNOWN
    var classes = MbimDataClass(0)
    var provider: UnsafeMutablePointer<CChar>?
    var name: UnsafeMutablePointer<CChar>?
    try reply.read { message, error in
      mbim_message_register_state_response_parse(
        message, &cause, &state, nil, &classes, nil, &provider, &name, nil, nil, error)
    }
    let (plmn, title) = (taking(provider).flatMap { PLMN($0) }, taking(name))
    let registered = Registration.State(state)
    return Registration(
      state: registered,
      // While it searches, a modem may still name the network it left.
      serving: registered.allowsData ? plmn.map { Network($0, name: title) } : nil,
      technology: registered.allowsData
        ? Registration.Technology(best: classes, extensionsV3: reply.speaksExtensionsV3) : nil,
      cause: registered.allowsData || cause == MBIM_NW_ERROR_NONE ? nil : .registration(Int(cause.rawValue)))
  }

  /// Asks how well the modem hears the network (MBIM_CID_SIGNAL_STATE): dBm, nil where the modem does not know.
  private func signalStrength() async throws(ModemError) -> Int? {
    let reply = try await send("signal state", within: configuration.limits.query) { _, error in
      mbim_message_signal_state_query_new(error)
    }
    guard reply.status == MBIM_STATUS_ERROR_NONE else { return nil }
    var rssi: UInt32 = 99
    try reply.read { mbim_message_signal_state_response_parse($0, &rssi, nil, nil, nil, nil, $1) }
    return dBm(codedStrength: rssi)
  }
}

/// Reads the coded strength that MBIM shares with +CSQ (3GPP TS 27.007, 8.5): 0 to 31 in steps of 2 dB from -113 dBm;
/// 99 is unknown.
func dBm(codedStrength: UInt32) -> Int? {
  (0...31).contains(codedStrength) ? -113 + 2 * Int(codedStrength) : nil
}

extension Registration.State {
  init(_ state: MbimRegisterState) {
    switch state {
    case MBIM_REGISTER_STATE_DEREGISTERED: self = .deregistered
    case MBIM_REGISTER_STATE_SEARCHING: self = .searching
    case MBIM_REGISTER_STATE_HOME: self = .home
    case MBIM_REGISTER_STATE_ROAMING: self = .roaming
    case MBIM_REGISTER_STATE_PARTNER: self = .partner
    case MBIM_REGISTER_STATE_DENIED: self = .denied
    default: self = .unknown
    }
  }
}

extension Registration.Technology {
  /// The best of the data classes that the cell has now (MBIM_DATA_CLASS; MBIMEx 3.0 has one bit for 5G of
  /// either kind).
  init?(best classes: MbimDataClass, extensionsV3: Bool) {
    func has(_ some: MbimDataClass...) -> Bool { some.contains { classes.rawValue & $0.rawValue != 0 } }
    if has(MBIM_DATA_CLASS_5G_SA) || extensionsV3 && has(MBIM_DATA_CLASS_5G_NSA) {
      self = .nr
    } else if has(MBIM_DATA_CLASS_5G_NSA) {
      self = .nrNonStandalone
    } else if has(MBIM_DATA_CLASS_LTE) {
      self = .lte
    } else if has(MBIM_DATA_CLASS_UMTS, MBIM_DATA_CLASS_HSDPA, MBIM_DATA_CLASS_HSUPA) {
      self = .umts
    } else if has(MBIM_DATA_CLASS_GPRS, MBIM_DATA_CLASS_EDGE) {
      self = .gsm
    } else {
      return nil
    }
  }
}

import CMBIM
import ModemModel

extension Registration {
  /// Reads a Register State (MBIM_CID_REGISTER_STATE; MBIMEx 2.0 appends to it).
  ///
  /// - Parameter subclass: The kind of 5G, because MBIMEx 3.0 has one bit for all kinds; nil if the
  ///   modem does not report it.
  init(_ reply: MBIMReply, subclass: MbimDataSubclass? = nil) throws(ModemError) {
    var cause = MBIM_NW_ERROR_NONE
    var state = MBIM_REGISTER_STATE_UNKNOWN
    var classes = MbimDataClass(0)
    var provider: UnsafeMutablePointer<CChar>?
    var name: UnsafeMutablePointer<CChar>?
    try reply.read { message, error in
      reply.extensions >= .v2
        ? mbim_message_ms_basic_connect_v2_register_state_response_parse(
          message, &cause, &state, nil, &classes, nil, &provider, &name, nil, nil, nil, error)
        : mbim_message_register_state_response_parse(
          message, &cause, &state, nil, &classes, nil, &provider, &name, nil, nil, error)
    }
    let (plmn, title) = (taking(provider).flatMap { PLMN($0) }, taking(name))
    let registered = Registration.State(state)
    self.init(
      state: registered,
      // While it searches, a modem may still report the network that it left.
      serving: registered.allowsData ? plmn.map { Network($0, name: title) } : nil,
      technology: registered.allowsData
        ? Registration.Technology(best: classes, extensionsV3: reply.speaksExtensionsV3, subclass) : nil,
      cause: registered.allowsData || cause == MBIM_NW_ERROR_NONE ? nil : .registration(Int(cause.rawValue)))
  }
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
  /// The best of the cell's present data classes (MBIM_DATA_CLASS; MBIMEx 3.0 has one bit for both
  /// kinds of 5G, and reports the kind with the packet service).
  init?(best classes: MbimDataClass, extensionsV3: Bool, _ subclass: MbimDataSubclass?) {
    func has(_ some: MbimDataClass...) -> Bool { some.contains { classes.rawValue & $0.rawValue != 0 } }
    // E-UTRA is the anchor of EN-DC (3GPP TS 37.340, 4.1.2).
    let leansOnLTE = subclass.map { $0.rawValue & MBIM_DATA_SUBCLASS_5G_ENDC.rawValue != 0 } ?? false
    if has(MBIM_DATA_CLASS_5G_SA) || extensionsV3 && has(MBIM_DATA_CLASS_5G_NSA) && !leansOnLTE {
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

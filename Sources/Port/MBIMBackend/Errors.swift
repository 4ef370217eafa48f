import CMBIM
import ControlChannel
import GLibBridge
import ModemModel

extension ModemError {
  /// Turns a failed call into a `ModemError`.
  /// - Parameters:
  ///   - name: What was asked of the modem.
  ///   - removed: Whether the port vanished, for calls that ended for that reason.
  init(_ error: GLibBridgeError, during name: String, removed: Bool = false) {
    self.init(error, during: name, isRemoved: removed) { domain, code in
      switch domain {
      case MBIMErrorDomain.status: ModemError(MbimStatusError(UInt32(clamping: code)), during: name)
      case MBIMErrorDomain.core: ModemError(MbimCoreError(UInt32(clamping: code)), during: name, error.message)
      case MBIMErrorDomain.protocol: ModemError(MbimProtocolError(UInt32(clamping: code)), during: name, error.message)
      default: ModemError(.failed, "\(name): the call failed", cause: error.message)
      }
    }
  }

  /// What a modem's refusal means (MBIM 1.0, MBIM_STATUS_CODES).
  init(_ status: MbimStatusError, during name: String) {
    let (code, text) = Self.meaning(of: status)
    self.init(code, "\(name): \(text) (MBIM status \(status.rawValue))")
  }

  private static func meaning(of status: MbimStatusError) -> (Code, String) {
    switch status {
    case MBIM_STATUS_ERROR_BUSY: (.busy, "the modem is busy; try again")
    case MBIM_STATUS_ERROR_FAILURE: (.failed, "the modem failed without saying why")
    case MBIM_STATUS_ERROR_SIM_NOT_INSERTED: (.simAbsent, "no SIM is inserted")
    case MBIM_STATUS_ERROR_BAD_SIM: (.simNotReady, "the SIM cannot be used; check it in another device")
    case MBIM_STATUS_ERROR_PIN_REQUIRED: (.simLocked, "the SIM is locked; enter its PIN")
    case MBIM_STATUS_ERROR_PIN_DISABLED: (.pinNotRequired, "the SIM asks for no PIN")
    case MBIM_STATUS_ERROR_NOT_REGISTERED: (.notRegistered, "the modem is not registered; wait for a network")
    case MBIM_STATUS_ERROR_PROVIDERS_NOT_FOUND: (.notRegistered, "no network was found; check the antenna")
    case MBIM_STATUS_ERROR_PROVIDER_NOT_VISIBLE: (.notRegistered, "the wanted network is not in reach")
    case MBIM_STATUS_ERROR_DATA_CLASS_NOT_AVAILABLE: (.notRegistered, "the network has no suitable data service here")
    case MBIM_STATUS_ERROR_NO_DEVICE_SUPPORT: (.notSupported, "the modem does not support this")
    case MBIM_STATUS_ERROR_INVALID_DEVICE_SERVICE_OPERATION: (.notSupported, "the modem does not know this operation")
    case MBIM_STATUS_ERROR_PACKET_SERVICE_DETACHED: (.notConnected, "the packet service is detached; attach first")
    case MBIM_STATUS_ERROR_MAX_ACTIVATED_CONTEXTS: (.refused, "the modem has no free session; end another one")
    case MBIM_STATUS_ERROR_NOT_INITIALIZED: (.simNotReady, "the SIM is not initialised yet; try again")
    case MBIM_STATUS_ERROR_VOICE_CALL_IN_PROGRESS: (.busy, "a voice call is in progress; try again after it")
    case MBIM_STATUS_ERROR_CONTEXT_NOT_ACTIVATED: (.notConnected, "the session is not active")
    case MBIM_STATUS_ERROR_SERVICE_NOT_ACTIVATED: (.refused, "the subscription is not activated; ask the operator")
    case MBIM_STATUS_ERROR_INVALID_ACCESS_STRING: (.refused, "the network does not take this access point name")
    case MBIM_STATUS_ERROR_INVALID_USER_NAME_PWD:
      (.refused, "the network does not take this user name or password")
    case MBIM_STATUS_ERROR_RADIO_POWER_OFF: (.notRegistered, "the radio is off; check rfkill and the radio switch")
    case MBIM_STATUS_ERROR_INVALID_PARAMETERS: (.failed, "the modem does not take these parameters")
    case MBIM_STATUS_ERROR_READ_FAILURE: (.failed, "the modem could not read from the SIM")
    case MBIM_STATUS_ERROR_WRITE_FAILURE: (.failed, "the modem could not write to the SIM")
    case MBIM_STATUS_ERROR_PARAMETER_TOO_LONG: (.failed, "a parameter is too long for the modem")
    case MBIM_STATUS_ERROR_OPERATION_NOT_ALLOWED: (.failed, "the modem does not allow this in its present state")
    case MBIM_STATUS_ERROR_MEMORY_FAILURE, MBIM_STATUS_ERROR_MEMORY_FULL: (.failed, "the modem is out of memory")
    case MBIM_STATUS_ERROR_CONTEXT_NOT_SUPPORTED: (.notSupported, "the modem does not support an Internet session")
    default: (.failed, "the modem refused")
    }
  }

  private init(_ error: MbimCoreError, during name: String, _ words: String) {
    switch error {
    case MBIM_CORE_ERROR_TIMEOUT: self.init(.timeout, "\(name): the modem did not answer in time")
    case MBIM_CORE_ERROR_WRONG_STATE: self.init(.deviceUnavailable, "\(name): the port is not open", cause: words)
    case MBIM_CORE_ERROR_INVALID_MESSAGE, MBIM_CORE_ERROR_INCOMPLETE_MESSAGE:
      self.init(.badReply, "\(name): the modem's answer cannot be read", cause: words)
    case MBIM_CORE_ERROR_UNSUPPORTED: self.init(.notSupported, "\(name): not supported", cause: words)
    case MBIM_CORE_ERROR_ABORTED: self.init(.cancelled, "\(name): the command was given up", cause: words)
    default: self.init(.failed, "\(name): the call failed", cause: words)
    }
  }

  private init(_ error: MbimProtocolError, during name: String, _ words: String) {
    switch error {
    case MBIM_PROTOCOL_ERROR_NOT_OPENED:
      self.init(.deviceUnavailable, "\(name): the modem has forgotten this session; open it anew", cause: words)
    case MBIM_PROTOCOL_ERROR_TIMEOUT_FRAGMENT:
      self.init(.timeout, "\(name): the modem did not send all of its answer in time", cause: words)
    default: self.init(.badReply, "\(name): the modem and libmbim misunderstand each other", cause: words)
    }
  }
}

/// The names of libmbim's error domains.
enum MBIMErrorDomain {
  static let status = name(of: mbim_status_error_quark())
  static let core = name(of: mbim_core_error_quark())
  static let `protocol` = name(of: mbim_protocol_error_quark())

  private static func name(of quark: GQuark) -> String { String(cString: g_quark_to_string(quark)) }
}

import CQMI
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
      // libqmi itself fails the running commands when the port hangs up.
      if removed { return .removed(during: name) }
      return switch domain {
      case QMIErrorDomain.core: ModemError(QmiCoreError(UInt32(clamping: code)), during: name, error.message)
      case QMIErrorDomain.protocol: ModemError(QmiProtocolError(UInt32(clamping: code)), during: name)
      default: ModemError(.failed, "\(name): the call failed", cause: error.message)
      }
    }
  }

  /// What a modem's refusal means (the error codes of the QMI result TLV).
  init(_ error: QmiProtocolError, during name: String) {
    let (code, text) = Self.meaning(of: error)
    self.init(code, "\(name): \(text) (QMI error \(error.rawValue))")
  }

  private static func meaning(of error: QmiProtocolError) -> (Code, String) {
    switch error {
    case QMI_PROTOCOL_ERROR_NO_SIM: (.simAbsent, "no SIM is inserted")
    case QMI_PROTOCOL_ERROR_UIM_UNINITIALIZED: (.simNotReady, "the SIM is not initialised yet; try again")
    case QMI_PROTOCOL_ERROR_NO_SUBSCRIPTION: (.simNotReady, "the SIM has no subscription")
    case QMI_PROTOCOL_ERROR_INCORRECT_PIN: (.wrongPIN, "the SIM refused the PIN")
    case QMI_PROTOCOL_ERROR_PIN_BLOCKED: (.simLocked, "the PIN is blocked; the SIM asks for its PUK")
    case QMI_PROTOCOL_ERROR_PIN_ALWAYS_BLOCKED: (.simLocked, "the SIM is blocked for ever; replace it")
    case QMI_PROTOCOL_ERROR_PIN_RESTRICTION, QMI_PROTOCOL_ERROR_PUK_RESTRICTION, QMI_PROTOCOL_ERROR_AUTHENTICATION_LOCK:
      (.simLocked, "the SIM is locked; enter its PIN")
    case QMI_PROTOCOL_ERROR_NO_NETWORK_FOUND: (.notRegistered, "no network was found; check the antenna")
    case QMI_PROTOCOL_ERROR_NETWORK_NOT_READY: (.notRegistered, "the modem is not registered; wait for a network")
    case QMI_PROTOCOL_ERROR_NO_RADIO: (.notRegistered, "the radio is off; check rfkill and the radio switch")
    case QMI_PROTOCOL_ERROR_CALL_FAILED: (.refused, "the network refused")
    case QMI_PROTOCOL_ERROR_NETWORK_ABORTED: (.refused, "the network broke off")
    case QMI_PROTOCOL_ERROR_AUTHENTICATION_FAILED: (.refused, "the network does not take this user name or password")
    case QMI_PROTOCOL_ERROR_POLICY_MISMATCH: (.refused, "the modem's policy does not allow this here")
    case QMI_PROTOCOL_ERROR_OUT_OF_CALL: (.notConnected, "the session is not active")
    case QMI_PROTOCOL_ERROR_CLIENT_IDS_EXHAUSTED:
      (.deviceUnavailable, "the modem has no free client id; end other programs that use it, or reset it")
    case QMI_PROTOCOL_ERROR_INVALID_CLIENT_ID:
      (.deviceUnavailable, "the modem has forgotten this client; open it anew")
    case QMI_PROTOCOL_ERROR_INVALID_QMI_COMMAND, QMI_PROTOCOL_ERROR_NOT_SUPPORTED,
      QMI_PROTOCOL_ERROR_DEVICE_UNSUPPORTED, QMI_PROTOCOL_ERROR_INVALID_OPERATION:
      (.notSupported, "the modem does not support this")
    case QMI_PROTOCOL_ERROR_INVALID_SERVICE_TYPE: (.notSupported, "the modem does not have this service")
    case QMI_PROTOCOL_ERROR_DEVICE_IN_USE, QMI_PROTOCOL_ERROR_OPERATION_IN_PROGRESS, QMI_PROTOCOL_ERROR_TOO_SOON,
      QMI_PROTOCOL_ERROR_DEVICE_NOT_READY:
      (.busy, "the modem is busy; try again")
    case QMI_PROTOCOL_ERROR_NO_MEMORY, QMI_PROTOCOL_ERROR_INSUFFICIENT_RESOURCES,
      QMI_PROTOCOL_ERROR_DEVICE_MEMORY_ERROR:
      (.failed, "the modem is out of memory")
    case QMI_PROTOCOL_ERROR_MALFORMED_MESSAGE, QMI_PROTOCOL_ERROR_MISSING_ARGUMENT,
      QMI_PROTOCOL_ERROR_INVALID_ARGUMENT, QMI_PROTOCOL_ERROR_ARGUMENT_TOO_LONG:
      (.failed, "the modem does not take these parameters")
    case QMI_PROTOCOL_ERROR_ACCESS_DENIED, QMI_PROTOCOL_ERROR_NO_PERMISSION, QMI_PROTOCOL_ERROR_INCOMPATIBLE_STATE:
      (.failed, "the modem does not allow this in its present state")
    case QMI_PROTOCOL_ERROR_INTERNAL: (.failed, "the modem failed without saying why")
    default: (.failed, "the modem refused")
    }
  }

  private init(_ error: QmiCoreError, during name: String, _ words: String) {
    switch error {
    case QMI_CORE_ERROR_TIMEOUT: self.init(.timeout, "\(name): the modem did not answer in time")
    case QMI_CORE_ERROR_WRONG_STATE: self.init(.deviceUnavailable, "\(name): the port is not open", cause: words)
    case QMI_CORE_ERROR_INVALID_MESSAGE, QMI_CORE_ERROR_UNEXPECTED_MESSAGE, QMI_CORE_ERROR_INVALID_DATA,
      QMI_CORE_ERROR_TLV_NOT_FOUND, QMI_CORE_ERROR_TLV_TOO_LONG, QMI_CORE_ERROR_TLV_EMPTY:
      self.init(.badReply, "\(name): the modem's answer cannot be read", cause: words)
    case QMI_CORE_ERROR_UNSUPPORTED: self.init(.notSupported, "\(name): not supported", cause: words)
    default: self.init(.failed, "\(name): the call failed", cause: words)
    }
  }
}

/// The names of libqmi's error domains.
enum QMIErrorDomain {
  static let core = name(of: qmi_core_error_quark())
  static let `protocol` = name(of: qmi_protocol_error_quark())

  private static func name(of quark: GQuark) -> String { String(cString: g_quark_to_string(quark)) }
}

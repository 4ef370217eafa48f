import CGLib
import CQMI
import GLibBridge
import ModemModel

extension ModemError {
  /// Puts a failed call into the words of `ModemError`.
  /// - Parameters:
  ///   - name: What was asked of the modem.
  ///   - removed: Whether the port went away; libqmi then fails all calls with errors of its own.
  init(_ error: GLibBridgeError, during name: String, removed: Bool = false) {
    switch error.code {
    case .cancelled: self.init(.cancelled, "\(name): the caller gave up")
    case _ where removed:
      self.init(.removed, "\(name): the control port went away; open the modem anew when it is back")
    case .deadline: self.init(.timeout, "\(name): the modem did not answer in time")
    case .busy: self.init(.busy, "\(name): too many commands are waiting for the modem", cause: error.message)
    case .abandoned: self.init(.cancelled, "\(name): \(error.message)")
    case .library(let domain, let code):
      switch domain {
      case QMIErrorDomain.protocol: self.init(QmiProtocolError(UInt32(clamping: code)), during: name)
      case QMIErrorDomain.core: self.init(QmiCoreError(UInt32(clamping: code)), during: name, error.message)
      default: self.init(.failed, "\(name): the call failed", cause: error.message)
      }
    }
  }

  /// What a modem's refusal means (QMI result TLV 0x02).
  init(_ error: QmiProtocolError, during name: String) {
    let (code, text) = Self.meaning(of: error)
    self.init(code, "\(name): \(text) (QMI error \(error.rawValue))")
  }

  private static func meaning(of error: QmiProtocolError) -> (Code, String) {
    switch error {
    case QMI_PROTOCOL_ERROR_INTERNAL: (.failed, "the modem failed without saying why")
    case QMI_PROTOCOL_ERROR_ABORTED: (.cancelled, "the modem gave the command up")
    case QMI_PROTOCOL_ERROR_CLIENT_IDS_EXHAUSTED:
      (.busy, "the modem has no client id left; programs that were killed keep theirs until the modem is reset")
    case QMI_PROTOCOL_ERROR_INVALID_CLIENT_ID: (.deviceUnavailable, "the modem has forgotten this client; open it anew")
    case QMI_PROTOCOL_ERROR_INCORRECT_PIN: (.wrongPIN, "the PIN is wrong")
    case QMI_PROTOCOL_ERROR_PIN_BLOCKED, QMI_PROTOCOL_ERROR_PIN_ALWAYS_BLOCKED: (.simLocked, "the PIN is blocked")
    case QMI_PROTOCOL_ERROR_NO_NETWORK_FOUND: (.notRegistered, "no network was found; check the antenna")
    case QMI_PROTOCOL_ERROR_NETWORK_NOT_READY: (.notRegistered, "the network is not ready; wait for registration")
    case QMI_PROTOCOL_ERROR_CALL_FAILED: (.refused, "the network refused the bearer")
    case QMI_PROTOCOL_ERROR_OUT_OF_CALL: (.notConnected, "the bearer is down")
    case QMI_PROTOCOL_ERROR_NOT_PROVISIONED: (.failed, "the SIM does not hold this")
    case QMI_PROTOCOL_ERROR_DEVICE_IN_USE: (.busy, "the modem is in use by another program")
    case QMI_PROTOCOL_ERROR_NETWORK_UNSUPPORTED, QMI_PROTOCOL_ERROR_DEVICE_UNSUPPORTED,
      QMI_PROTOCOL_ERROR_NOT_SUPPORTED, QMI_PROTOCOL_ERROR_INVALID_QMI_COMMAND:
      (.notSupported, "the modem does not know this command")
    case QMI_PROTOCOL_ERROR_INVALID_SERVICE_TYPE: (.notSupported, "the modem does not have this service")
    case QMI_PROTOCOL_ERROR_INVALID_PDP_TYPE: (.refused, "the network does not give this IP type")
    case QMI_PROTOCOL_ERROR_INVALID_PROFILE: (.refused, "the modem does not know this profile")
    case QMI_PROTOCOL_ERROR_AUTHENTICATION_FAILED:
      (.refused, "the network does not take this user name or password")
    case QMI_PROTOCOL_ERROR_UIM_UNINITIALIZED: (.simNotReady, "the SIM is not initialised yet; try again")
    case QMI_PROTOCOL_ERROR_DEVICE_NOT_READY: (.simNotReady, "the modem is not ready yet; try again")
    case QMI_PROTOCOL_ERROR_INCOMPATIBLE_STATE, QMI_PROTOCOL_ERROR_INVALID_OPERATION:
      (.failed, "the modem does not allow this in its present state")
    case QMI_PROTOCOL_ERROR_NO_MEMORY: (.failed, "the modem is out of memory")
    default: (.failed, "the modem refused")
    }
  }

  private init(_ error: QmiCoreError, during name: String, _ words: String) {
    switch error {
    case QMI_CORE_ERROR_TIMEOUT: self.init(.timeout, "\(name): the modem did not answer in time")
    case QMI_CORE_ERROR_WRONG_STATE: self.init(.deviceUnavailable, "\(name): the port is not open", cause: words)
    case QMI_CORE_ERROR_INVALID_MESSAGE, QMI_CORE_ERROR_TLV_NOT_FOUND, QMI_CORE_ERROR_TLV_TOO_LONG,
      QMI_CORE_ERROR_TLV_EMPTY, QMI_CORE_ERROR_UNEXPECTED_MESSAGE, QMI_CORE_ERROR_INVALID_DATA:
      self.init(.badReply, "\(name): the modem's answer cannot be read", cause: words)
    case QMI_CORE_ERROR_UNSUPPORTED: self.init(.notSupported, "\(name): not supported", cause: words)
    default: self.init(.failed, "\(name): the call failed", cause: words)
    }
  }
}

/// The names of libqmi's error domains.
enum QMIErrorDomain {
  static let `protocol` = name(of: qmi_protocol_error_quark())
  static let core = name(of: qmi_core_error_quark())

  private static func name(of quark: GQuark) -> String { String(cString: g_quark_to_string(quark)) }
}

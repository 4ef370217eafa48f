import CGLib
import CQMI
import GLibBridge
import ModemModel

/// A NAS Get Serving System reply.
struct ServingSystem {
  var registration = Registration()
  var isAttached = false

  init?(_ reply: QMIReply) {
    var state = QMI_NAS_REGISTRATION_STATE_UNKNOWN
    var attached = QMI_NAS_ATTACH_STATE_UNKNOWN
    var interfaces: UnsafeMutablePointer<GArray>?
    guard
      qmi_message_nas_get_serving_system_output_get_serving_system(
        reply.pointer, &state, nil, &attached, nil, &interfaces, nil) != 0
    else { return nil }
    var roaming = QMI_NAS_ROAMING_INDICATOR_STATUS_OFF
    _ = qmi_message_nas_get_serving_system_output_get_roaming_indicator(reply.pointer, &roaming, nil)
    registration.state = Self.state(state, isRoaming: roaming == QMI_NAS_ROAMING_INDICATOR_STATUS_ON)
    isAttached = attached == QMI_NAS_ATTACH_STATE_ATTACHED
    registration.technology = elements(of: interfaces, as: QmiNasRadioInterface.self).compactMap(Self.technology).last
    if registration.state.allowsData || registration.state == .denied { registration.serving = Self.network(reply) }
  }

  private static func state(_ state: QmiNasRegistrationState, isRoaming: Bool) -> Registration.State {
    switch state {
    case QMI_NAS_REGISTRATION_STATE_NOT_REGISTERED: .deregistered
    case QMI_NAS_REGISTRATION_STATE_REGISTERED: isRoaming ? .roaming : .home
    case QMI_NAS_REGISTRATION_STATE_NOT_REGISTERED_SEARCHING: .searching
    case QMI_NAS_REGISTRATION_STATE_REGISTRATION_DENIED: .denied
    default: .unknown
    }
  }

  private static func technology(_ interface: QmiNasRadioInterface) -> Registration.Technology? {
    switch interface {
    case QMI_NAS_RADIO_INTERFACE_GSM: .gsm
    case QMI_NAS_RADIO_INTERFACE_UMTS, QMI_NAS_RADIO_INTERFACE_TD_SCDMA: .umts
    case QMI_NAS_RADIO_INTERFACE_LTE: .lte
    case QMI_NAS_RADIO_INTERFACE_5GNR: .nr
    default: nil
    }
  }

  private static func network(_ reply: QMIReply) -> Network? {
    var (mcc, mnc): (guint16, guint16) = (0, 0)
    var name: UnsafePointer<CChar>?
    guard qmi_message_nas_get_serving_system_output_get_current_plmn(reply.pointer, &mcc, &mnc, &name, nil) != 0 else {
      return nil
    }
    let description = text(name)
    var (sameMCC, sameMNC): (guint16, guint16) = (0, 0)
    var hasThreeDigits: gboolean = 0
    let isTold =
      qmi_message_nas_get_serving_system_output_get_mnc_pcs_digit_include_status(
        reply.pointer, &sameMCC, &sameMNC, &hasThreeDigits, nil) != 0 && sameMCC == mcc && sameMNC == mnc
    return PLMN(mcc: mcc, mnc: mnc, mncDigits: isTold ? (hasThreeDigits != 0 ? 3 : 2) : nil)
      .map { Network($0, name: description) }
  }
}

extension QMIBackend {
  public func registration() async throws(ModemError) -> Registration {
    let nas = try openDevice(for: "registration").nas
    var registration = try await servingSystem(nas).registration
    if registration.state.allowsData {
      lastRejection = nil
      registration.rssi = try await signal(nas)
    } else {
      registration.cause = try await rejection(nas) ?? lastRejection
    }
    return registration
  }

  func servingSystem(_ nas: QMIClient) async throws(ModemError) -> ServingSystem {
    let reply = try await ask("registration", .servingSystem, to: nas)
    guard let system = ServingSystem(reply) else {
      throw ModemError(.badReply, "registration: the modem's answer has no serving system")
    }
    return system
  }

  /// NAS Get Signal Info: the RSSI of whichever technology is there.
  private func signal(_ nas: QMIClient) async throws(ModemError) -> Int? {
    guard let reply = try await askIfKnown("signal", .signalInfo, to: nas) else { return nil }
    var rssi: gint8 = 0
    let isThere =
      qmi_message_nas_get_signal_info_output_get_lte_signal_strength(reply.pointer, &rssi, nil, nil, nil, nil) != 0
      || qmi_message_nas_get_signal_info_output_get_wcdma_signal_strength(reply.pointer, &rssi, nil, nil) != 0
      || qmi_message_nas_get_signal_info_output_get_gsm_signal_strength(reply.pointer, &rssi, nil) != 0
    // -125 and lower stand for "not known".
    return isThere && rssi < 0 && rssi > -125 ? min(max(Int(rssi), -113), -51) : nil
  }

  /// NAS Get System Info: why the network refused registration.
  private func rejection(_ nas: QMIClient) async throws(ModemError) -> NetworkCause? {
    guard let reply = try await askIfKnown("system information", .systemInfo, to: nas) else { return nil }
    var isValid: gboolean = 0
    var cause = QmiNasRejectCause(rawValue: 0)
    guard
      qmi_message_nas_get_system_info_output_get_lte_system_info_v2(
        reply.pointer, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, &isValid, nil, &cause, nil, nil, nil,
        nil, nil, nil) != 0, isValid != 0, cause.rawValue > 0
    else { return nil }
    return .registration(Int(cause.rawValue))
  }
}

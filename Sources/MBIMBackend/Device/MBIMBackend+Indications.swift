import CGLib
import CMBIM
import GLibBridge
import ModemModel

extension MBIMBackend {
  /// Connects the device's signals to this actor. libmbim emits them on the GLib thread, which is the actor's.
  func connectSignals(of device: GObjectRef<MbimDevice>) -> [GLibSignalConnection] {
    [
      GLibSignalConnection(MBIM_DEVICE_SIGNAL_INDICATE_STATUS, of: device) { [weak self] arguments in
        guard let message = arguments.pointer(0), let indication = Indication(OpaquePointer(message)) else { return }
        self?.assumeIsolated { $0.handle(indication) }
      },
      GLibSignalConnection(MBIM_DEVICE_SIGNAL_ERROR, of: device) { [weak self] arguments in
        guard let error = arguments.pointer(0)?.assumingMemoryBound(to: GError.self),
          error.pointee.domain == mbim_protocol_error_quark(),
          error.pointee.code == gint(MBIM_PROTOCOL_ERROR_NOT_OPENED.rawValue)
        else { return }
        self?.assumeIsolated { $0.forgotten() }
      },
      GLibSignalConnection(MBIM_DEVICE_SIGNAL_REMOVED, of: device) { [weak self] _ in
        self?.assumeIsolated { $0.removed() }
      },
    ]
  }

  private func handle(_ indication: Indication) {
    switch indication {
    case .subscriberReady: emit(.simChanged)
    case .registerState: emit(.registrationChanged)
    case .signalState: emit(.signalChanged)
    case .packetService(let report):
      if let report { reports.packetService.report(report) }
      emit(.registrationChanged)
    case .session(let report): handle(report)
    case .ipConfiguration:
      reports.addresses.report(())
      if case .up = bearer { emit(.settingsChanged) }
    }
  }

  private func handle(_ report: SessionReport) {
    guard report.session == 0 else { return }
    reports.session.report(report)
    // While this backend connects or disconnects, that call tells how it ended.
    guard case .up = bearer, report.state == MBIM_ACTIVATION_STATE_DEACTIVATED else { return }
    bearer = .down
    emit(.bearerDropped(report.cause))
  }

  /// The modem says NotOpened: it was reset, or another program closed its MBIM session.
  private func forgotten() {
    guard case .open = port else { return }
    bearer = .down
    emit(.reset)
  }
}

/// What an INDICATE_STATUS message of the basic service says, as far as this backend needs it.
enum Indication: Sendable {
  case subscriberReady
  case registerState
  case signalState
  /// Nil where the message cannot be read.
  case packetService(PacketServiceReport?)
  case session(SessionReport)
  case ipConfiguration

  /// Reads an indication; nil for other services and messages that cannot be read.
  init?(_ message: OpaquePointer) {
    guard mbim_message_get_message_type(message) == MBIM_MESSAGE_TYPE_INDICATE_STATUS,
      mbim_message_indicate_status_get_service(message) == MBIM_SERVICE_BASIC_CONNECT
    else { return nil }
    switch mbim_message_indicate_status_get_cid(message) {
    case UInt32(MBIM_CID_BASIC_CONNECT_SUBSCRIBER_READY_STATUS.rawValue): self = .subscriberReady
    case UInt32(MBIM_CID_BASIC_CONNECT_REGISTER_STATE.rawValue): self = .registerState
    case UInt32(MBIM_CID_BASIC_CONNECT_SIGNAL_STATE.rawValue): self = .signalState
    case UInt32(MBIM_CID_BASIC_CONNECT_PACKET_SERVICE.rawValue): self = .packetService(Self.packetService(message))
    case UInt32(MBIM_CID_BASIC_CONNECT_IP_CONFIGURATION.rawValue): self = .ipConfiguration
    case UInt32(MBIM_CID_BASIC_CONNECT_CONNECT.rawValue):
      guard let report = Self.session(message) else { return nil }
      self = .session(report)
    default: return nil
    }
  }

  /// The fields read here are the same in every version of Microsoft's extensions; later versions append to them.
  private static func packetService(_ message: OpaquePointer) -> PacketServiceReport? {
    var report = PacketServiceReport()
    let parsed = mbim_message_packet_service_notification_parse(
      message, &report.networkError, &report.state, nil, nil, nil, nil)
    return parsed != 0 ? report : nil
  }

  private static func session(_ message: OpaquePointer) -> SessionReport? {
    var report = SessionReport()
    let parsed = mbim_message_connect_notification_parse(
      message, &report.session, &report.state, nil, nil, nil, &report.networkError, nil)
    return parsed != 0 ? report : nil
  }
}

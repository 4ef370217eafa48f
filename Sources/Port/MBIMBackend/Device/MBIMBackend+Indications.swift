import CGLib
import CMBIM
import ControlChannel
import GLibBridge
import ModemModel
import ReplyCheck

extension MBIMBackend {
  /// Connects the device's signals to this actor. libmbim emits them on the GLib thread, which is
  /// the actor's own.
  func connectSignals(of device: GObjectRef<MbimDevice>) -> [GLibSignalConnection] {
    [
      GLibSignalConnection(MBIM_DEVICE_SIGNAL_INDICATE_STATUS, of: device) { [weak self] arguments in
        guard let message = arguments.pointer(0).map({ OpaquePointer($0) }) else { return }
        // libmbim owns the message and keeps it until this returns.
        nonisolated(unsafe) let borrowed = message
        // Impossible: signals come on the GLib thread, which is this actor's executor.
        self?.assumeIsolated { backend in
          backend.configuration.tap?.note(.indicated, borrowed)
          backend.silence.heard()
          for event in [MessageEvent](borrowed) { backend.outlet.post(event) }
          backend.take(borrowed)
        }
      },
      GLibSignalConnection(MBIM_DEVICE_SIGNAL_ERROR, of: device) { [weak self] arguments in
        guard let error = arguments.pointer(0)?.assumingMemoryBound(to: GError.self),
          error.pointee.domain == mbim_protocol_error_quark(),
          error.pointee.code == gint(MBIM_PROTOCOL_ERROR_NOT_OPENED.rawValue)
        else { return }
        // Impossible: signals come on the GLib thread, which is this actor's executor.
        self?.assumeIsolated { $0.forgotten() }
      },
      GLibSignalConnection(MBIM_DEVICE_SIGNAL_REMOVED, of: device) { [weak self] _ in
        // Impossible: signals come on the GLib thread, which is this actor's executor.
        self?.assumeIsolated { $0.removed() }
      },
    ]
  }

  private func take(_ message: OpaquePointer) {
    let extensions: MBIMExtensions = if case .open(let opened) = port { opened.extensions } else { .none }
    if let indication = Indication(message, extensions) { handle(indication) }
  }

  private func handle(_ indication: Indication) {
    switch indication {
    case .subscriberReady: outlet.post(.simChanged)
    case .registerState: outlet.post(.registrationChanged)
    case .signalState: outlet.post(.signalChanged)
    case .packetService(let report):
      if let report { reports.packetService.report(report) }
      outlet.post(.registrationChanged)
    case .session(let report): handle(report)
    case .ipConfiguration:
      reports.addresses.report(())
      if case .up = bearer { outlet.post(.settingsChanged) }
    }
  }

  private func handle(_ report: SessionReport) {
    guard report.session == configuration.session else { return }
    reports.session.report(report)
    // While this backend connects or disconnects, that call reports the result.
    guard case .up = bearer, report.state == MBIM_ACTIVATION_STATE_DEACTIVATED else { return }
    bearer = .down
    outlet.post(.bearerDropped(report.cause))
  }

  /// The modem reports NotOpened: it was reset, or another program closed its MBIM session.
  private func forgotten() {
    guard case .open = port else { return }
    lingers = false
    bearer = .down
    outlet.post(.reset)
  }
}

/// The content of an INDICATE_STATUS message of the basic service, as far as this backend needs it.
enum Indication: Sendable {
  case subscriberReady
  case registerState
  case signalState
  /// Nil if the message cannot be read.
  case packetService(PacketServiceReport?)
  case session(SessionReport)
  case ipConfiguration

  /// Reads an indication; nil for other services and for messages that cannot be read.
  init?(_ message: OpaquePointer, _ extensions: MBIMExtensions) {
    guard mbim_message_get_message_type(message) == MBIM_MESSAGE_TYPE_INDICATE_STATUS,
      mbim_message_indicate_status_get_service(message) == MBIM_SERVICE_BASIC_CONNECT
    else { return nil }
    let checked = CheckedIndication(message, extensions)
    switch mbim_message_indicate_status_get_cid(message) {
    case UInt32(MBIM_CID_BASIC_CONNECT_SUBSCRIBER_READY_STATUS.rawValue): self = .subscriberReady
    case UInt32(MBIM_CID_BASIC_CONNECT_REGISTER_STATE.rawValue): self = .registerState
    case UInt32(MBIM_CID_BASIC_CONNECT_SIGNAL_STATE.rawValue): self = .signalState
    case UInt32(MBIM_CID_BASIC_CONNECT_PACKET_SERVICE.rawValue):
      self = .packetService(checked.flatMap { PacketServiceReport($0) })
    case UInt32(MBIM_CID_BASIC_CONNECT_IP_CONFIGURATION.rawValue): self = .ipConfiguration
    case UInt32(MBIM_CID_BASIC_CONNECT_CONNECT.rawValue):
      guard let report = checked.flatMap({ SessionReport($0) }) else { return nil }
      self = .session(report)
    default: return nil
    }
  }
}

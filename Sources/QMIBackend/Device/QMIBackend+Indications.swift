import CGLib
import CQMI
import GLibBridge
import ModemModel

extension QMIBackend {
  /// Connects the device's signals to this actor. libqmi emits them on the GLib thread, which is the actor's.
  func connectSignals(of device: GObjectRef<QmiDevice>) -> [GLibSignalConnection] {
    [
      GLibSignalConnection(QMI_DEVICE_SIGNAL_INDICATION, of: device) { [weak self] arguments in
        guard let message = arguments.pointer(0)?.assumingMemoryBound(to: GByteArray.self),
          qmi_message_get_service(message) == QMI_SERVICE_CTL, qmi_message_get_message_id(message) == Self.ctlSync
        else { return }
        self?.assumeIsolated { $0.forgotten() }
      },
      GLibSignalConnection(QMI_DEVICE_SIGNAL_REMOVED, of: device) { [weak self] _ in
        self?.assumeIsolated { $0.removed() }
      },
    ]
  }

  /// Connects the indications of the clients that live as long as the device.
  func connectSignals(nas: QMIClient, uim: QMIClient) -> [GLibSignalConnection] {
    [
      GLibSignalConnection("serving-system", of: nas.object) { [weak self] _ in
        self?.assumeIsolated { $0.servingSystemChanged() }
      },
      GLibSignalConnection("signal-info", of: nas.object) { [weak self] _ in
        self?.assumeIsolated { $0.emit(.signalChanged) }
      },
      GLibSignalConnection("network-reject", of: nas.object) { [weak self] arguments in
        var cause = QmiNasRejectCause(rawValue: 0)
        guard let output = arguments.pointer(0),
          qmi_indication_nas_network_reject_output_get_reject_cause(OpaquePointer(output), &cause, nil) != 0
        else { return }
        let number = Int(cause.rawValue)
        self?.assumeIsolated {
          $0.lastRejection = .registration(number)
          $0.emit(.registrationChanged)
        }
      },
      GLibSignalConnection("card-status", of: uim.object) { [weak self] _ in
        self?.assumeIsolated { $0.emit(.simChanged) }
      },
    ]
  }

  /// Connects the reports of one network session.
  func connectSignals(wds: QMIClient) -> GLibSignalConnection {
    GLibSignalConnection("packet-service-status", of: wds.object) { [weak self] arguments in
      guard let output = arguments.pointer(0), let report = PacketServiceReport(OpaquePointer(output)) else { return }
      self?.assumeIsolated { $0.handle(report, of: wds.id) }
    }
  }

  /// Asks for indications. Modems that do not know a request are asked again by their callers, so nothing is lost.
  func subscribe(nas: QMIClient, uim: QMIClient) async throws(ModemError) {
    let reports = input(
      qmi_message_nas_register_indications_input_new, qmi_message_nas_register_indications_input_unref
    ) {
      qmi_message_nas_register_indications_input_set_serving_system_events($0, 1, nil)
      qmi_message_nas_register_indications_input_set_signal_info($0, 1, nil)
      qmi_message_nas_register_indications_input_set_network_reject_information($0, 1, 0, nil)
    }
    _ = try await askIfKnown("register indications", .registerIndications, to: nas, reports)
    let cards = input(qmi_message_uim_register_events_input_new, qmi_message_uim_register_events_input_unref) {
      qmi_message_uim_register_events_input_set_event_registration_mask(
        $0, QMI_UIM_EVENT_REGISTRATION_FLAG_CARD_STATUS, nil)
    }
    _ = try await askIfKnown("register SIM events", .registerEvents, to: uim, cards)
  }

  private func servingSystemChanged() {
    for wait in servingWaits { wait.fulfil(()) }
    servingWaits = []
    emit(.registrationChanged)
  }

  private func handle(_ report: PacketServiceReport, of client: UInt8) {
    for wait in packetServiceWaits { wait.fulfil(()) }
    packetServiceWaits = []
    guard let position = sessions.firstIndex(where: { $0.client.id == client }) else {
      // Its start has not been answered yet, or the answer has not been taken up.
      if case .connecting = bearer { endedEarly[client] = report.isEnd ? .some(report.cause) : nil }
      return
    }
    guard report.isEnd else {
      if report.needsReconfiguration, case .up = bearer { emit(.settingsChanged) }
      return
    }
    let ended = sessions.remove(at: position)
    if case .connecting = bearer { endedEarly[client] = .some(report.cause) }
    if case .open(let opened) = port {
      Task { await release(ended.client, on: opened.device, within: configuration.limits.close) }
    }
    guard case .up = bearer else { return }
    if sessions.isEmpty {
      bearer = .down
      emit(.bearerDropped(report.cause))
    } else {
      emit(.settingsChanged)
    }
  }

  /// The modem says that it has started anew: all client ids are void.
  private func forgotten() {
    guard case .open = port else { return }
    bearer = .down
    sessions = []
    record.clear()
    emit(.reset)
  }

  /// QMI CTL Sync.
  private static let ctlSync: UInt16 = 0x0027
}

/// A Packet Service Status indication (QMI WDS).
struct PacketServiceReport: Sendable {
  let isEnd: Bool
  let needsReconfiguration: Bool
  let cause: NetworkCause?

  init?(_ output: OpaquePointer) {
    var status = QMI_WDS_CONNECTION_STATUS_UNKNOWN
    var reconfigure: gboolean = 0
    guard
      qmi_indication_wds_packet_service_status_output_get_connection_status(output, &status, &reconfigure, nil) != 0
    else { return nil }
    var type = QmiWdsVerboseCallEndReasonType(rawValue: 0)
    var reason: gint16 = 0
    let isVerbose =
      qmi_indication_wds_packet_service_status_output_get_verbose_call_end_reason(output, &type, &reason, nil) != 0
    isEnd = status == QMI_WDS_CONNECTION_STATUS_DISCONNECTED
    needsReconfiguration = reconfigure != 0
    cause = isEnd && isVerbose ? NetworkCause(type, reason) : nil
  }
}

extension NetworkCause {
  /// Takes over a verbose call end reason: 3GPP's number, or what libqmi calls it.
  init?(_ type: QmiWdsVerboseCallEndReasonType, _ reason: gint16) {
    guard type != QMI_WDS_VERBOSE_CALL_END_REASON_TYPE_3GPP else {
      guard (1...255).contains(reason) else { return nil }
      self = .session(Int(reason))
      return
    }
    let words = qmi_wds_verbose_call_end_reason_get_string(type, reason).map { String(cString: $0) }
    self.init(code: nil, text: words ?? "the modem's reason \(reason) of type \(type.rawValue)")
  }
}

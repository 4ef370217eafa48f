import CGLib
import CQMI
import ControlChannel
import GLibBridge
import ModemModel

extension QMIBackend {
  /// Connects the device's signals to this actor. libqmi emits them on the GLib thread, which is
  /// the actor's own.
  func connectSignals(of device: GObjectRef<QmiDevice>) -> [GLibSignalConnection] {
    [
      GLibSignalConnection(QMI_DEVICE_SIGNAL_INDICATION, of: device) { [weak self] arguments in
        guard let message = arguments.pointer(0)?.assumingMemoryBound(to: QmiMessage.self) else { return }
        self?.configuration.tap?.note(.indicated, message)
        guard let indication = Indication(message) else { return }
        // Impossible: signals come on the GLib thread, which is this actor's executor.
        self?.assumeIsolated { backend in
          backend.silence.heard()
          backend.handle(indication)
        }
      },
      GLibSignalConnection(QMI_DEVICE_SIGNAL_REMOVED, of: device) { [weak self] _ in
        // Impossible: signals come on the GLib thread, which is this actor's executor.
        self?.assumeIsolated { $0.removed() }
      },
    ]
  }

  /// Requests indications. A modem that refuses one of them works without it.
  func registerIndications(in opened: OpenDevice) async throws(ModemError) {
    // Network access: serving system and signal. SIM: card status and slots.
    async let network = register(.nas, QMIRequest(0x03).with(0x13, byte: 1).with(0x19, byte: 1), in: opened)
    async let card = register(.uim, QMIRequest(0x2e).with(0x01, word: 0x11), in: opened)
    let answers = (await network, await card)
    try answers.0.get()
    try answers.1.get()
  }

  private func register(
    _ service: QMIService, _ request: QMIRequest, in opened: OpenDevice
  ) async -> Result<Void, ModemError> {
    await outcome { () async throws(ModemError) in
      guard let client = clients[service] else { return }
      let reply = try await send(
        "register indications", request, as: client, to: opened, in: commands, within: configuration.limits.query)
      // Firmware without slots may refuse the whole request.
      guard service == .uim, try reply.refusal != nil else { return }
      _ = try await send(
        "register indications", QMIRequest(0x2e).with(0x01, word: 1), as: client, to: opened, in: commands,
        within: configuration.limits.query)
    }
  }

  private func handle(_ indication: Indication) {
    if indication.service == .control {
      if indication.message == 0x27 { forgotten() }
      return
    }
    let client = QMIClient(service: indication.service, id: indication.client)
    guard indication.client == QMIClient.broadcastID || clients.held.contains(client) else { return }
    switch (indication.service, indication.message) {
    case (.uim, 0x32), (.uim, 0x48): outlet.post(.simChanged)
    case (.nas, 0x24):
      reports.servingSystem.report(try? ServingSystem(indication.content, digitField: 0x29))
      outlet.post(.registrationChanged)
    case (.nas, 0x51), (.nas, 0x02): outlet.post(.signalChanged)
    case (.wms, _): handleMessages(indication)
    case (.wds, 0x22): if let status = PacketServiceStatus(indication) { handle(status) }
    default: break
    }
  }

  private func handle(_ status: PacketServiceStatus) {
    switch bearer {
    case .up(let sessions):
      guard let session = sessions.first(where: { status.concerns($0) }) else { return }
      if status.isDisconnected {
        ended(session, among: sessions, status.cause)
      } else if status.needsReconfiguration {
        outlet.post(.settingsChanged)
      }
    case .connecting: if status.isDisconnected { reports.endedSessions[status.client] = status.cause }
    case .down, .disconnecting: break
    }
  }

  /// The network ended one session. After the last one, the bearer is gone; otherwise, it has lost
  /// an address family.
  private func ended(_ session: DataSession, among sessions: [DataSession], _ cause: NetworkCause?) {
    let left = sessions.filter { $0.client != session.client }
    bearer = left.isEmpty ? .down : .up(left)
    outlet.post(left.isEmpty ? .bearerDropped(cause) : .settingsChanged)
    abandon([session])
  }

  /// The modem forgot its clients: it was reset, or another program caused it (CTL Sync).
  func forgotten() {
    switch port {
    case .opening(.some), .open: break
    case .unopened, .opening(nil), .closing, .closed, .removed: return
    }
    guard !clients.held.isEmpty else { return }
    bearer = .down
    clients.removeAll()
    ledger?.remove()
    outlet.post(.reset)
  }

  /// The modem does not know a client that this backend holds: it was reset, or another program
  /// released the id. In the second case, the other ids still exist, so they are kept for release.
  func forgotten(_ client: QMIClient) {
    guard clients.held.contains(client) else { return }
    bearer = .down
    clients.remove(client)
    clients.leaveAll()
    noteClients()
    outlet.post(.reset)
  }
}

/// A message that the modem sent without a request.
struct Indication: Sendable {
  let service: QMIService
  /// `QMIClient.broadcastID` addresses all clients.
  let client: UInt8
  let message: UInt16
  let content: QMIReply

  /// Copies an indication; nil for other services.
  init?(_ indication: UnsafeMutablePointer<QmiMessage>) {
    let number = qmi_message_get_service(indication).rawValue
    guard let service = UInt8(exactly: number).flatMap({ QMIService(rawValue: $0) }) else { return nil }
    self.service = service
    client = qmi_message_get_client_id(indication)
    message = qmi_message_get_message_id(indication)
    content = QMIReply(name: "indication", copying: indication)
  }
}

/// The state of a data session (WDS Packet Service Status indication).
struct PacketServiceStatus: Sendable {
  let client: QMIClient
  let isDisconnected: Bool
  let needsReconfiguration: Bool
  let cause: NetworkCause?
  /// 4 or 6; nil if the modem does not report it.
  private let family: UInt8?

  /// Nil if the indication cannot be read.
  init?(_ indication: Indication) {
    let content = indication.content
    guard
      let status = try? content.require(
        0x01, { field throws(FieldReader.Short) in (connection: try field.u8(), reconfigure: try field.u8()) })
    else { return nil }
    client = QMIClient(service: .wds, id: indication.client)
    isDisconnected = status.connection == 1
    needsReconfiguration = status.reconfigure == 1
    cause = try? content.callEnd()
    family = try? content.read(0x12) { field throws(FieldReader.Short) in try field.u8() }
  }

  /// Whether it concerns this session: the client's own, or the family's if all clients are
  /// addressed.
  func concerns(_ session: DataSession) -> Bool {
    client.id == QMIClient.broadcastID ? family == nil || family == session.family.rawValue : client == session.client
  }
}

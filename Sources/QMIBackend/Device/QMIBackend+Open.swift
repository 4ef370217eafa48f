import CGLib
import CQMI
import GLibBridge
import ModemModel

extension QMIBackend {
  public func open() async throws(ModemError) {
    guard case .unopened = port else {
      throw ModemError(.deviceUnavailable, "open: a backend is opened once; make a new one")
    }
    port = .opening
    do throws(ModemError) {
      let device = try await makeDevice()
      var connections = connectSignals(of: device)
      try await open(device)
      var taken: [QMIClient] = []
      do throws(ModemError) {
        let clients = try await takeClients(on: device, &taken)
        connections += connectSignals(nas: clients.nas, uim: clients.uim)
        try await subscribe(nas: clients.nas, uim: clients.uim)
        guard case .opening = port else { throw unusable(during: "open") }
        port = .open(
          OpenDevice(
            device: device, dms: clients.dms, nas: clients.nas, uim: clients.uim, connections: connections))
      } catch {
        // What a half-done opening took goes back.
        for client in taken where !isRemoved {
          await release(client, on: device, within: configuration.limits.close)
        }
        await close(device)
        throw error
      }
    } catch {
      if case .opening = port { port = .closed }
      finishEvents()
      throw error
    }
  }

  private func makeDevice() async throws(ModemError) -> GObjectRef<QmiDevice> {
    let file = GLibReference(adopting: g_file_new_for_path(configuration.path), on: glib)
    do throws(GLibBridgeError) {
      return try await glib.call(within: configuration.limits.open) { cancellable, done in
        qmi_device_new(file.pointer, cancellable, done.callback, done.data)
      } adopting: { (_: OpaquePointer, result, error) in
        qmi_device_new_finish(result, error)
      }
    } catch {
      throw openingError(ModemError(error, during: "open", removed: isRemoved))
    }
  }

  /// Opens without asking the modem anything. Never with SYNC, which frees the client ids of other programs too.
  private func open(_ device: GObjectRef<QmiDevice>) async throws(ModemError) {
    let limit = configuration.limits.open
    // libqmi starts qmi-proxy when it does not run.
    let mask = configuration.usesProxy ? SignalMask.clear() : nil
    defer { mask?.restore() }
    let sharing = configuration.usesProxy ? QMI_DEVICE_OPEN_FLAGS_PROXY : QMI_DEVICE_OPEN_FLAGS_NONE
    let flags = QmiDeviceOpenFlags(
      rawValue: sharing.rawValue | QMI_DEVICE_OPEN_FLAGS_EXPECT_INDICATIONS.rawValue)
    do throws(GLibBridgeError) {
      try await glib.call(in: commands, within: limit) { cancellable, done in
        qmi_device_open(device.pointer, flags, limit.librarySeconds, cancellable, done.callback, done.data)
      } succeeded: { (device: UnsafeMutablePointer<QmiDevice>, result, error) in
        qmi_device_open_finish(device, result, error)
      }
    } catch {
      await close(device)
      throw openingError(ModemError(error, during: "open", removed: isRemoved))
    }
  }

  private func takeClients(
    on device: GObjectRef<QmiDevice>, _ taken: inout [QMIClient]
  ) async throws(ModemError) -> (dms: QMIClient, nas: QMIClient, uim: QMIClient) {
    let limit = configuration.limits.open
    await releaseLeftBehind(on: device)
    do throws(ModemError) {
      for service in [QMI_SERVICE_DMS, QMI_SERVICE_NAS, QMI_SERVICE_UIM] {
        taken.append(try await allocate(service, on: device, within: limit))
      }
      return (taken[0], taken[1], taken[2])
    } catch {
      throw openingError(error)
    }
  }

  /// Adds to a failed opening what can be done about it.
  private func openingError(_ error: ModemError) -> ModemError {
    let path = configuration.path
    switch error.code {
    case .removed, .cancelled, .busy: return error
    case .timeout where configuration.usesProxy:
      return ModemError(
        .timeout, "open \(path) through qmi-proxy: no answer within \(configuration.limits.open)",
        cause: "qmi-proxy answers root only; run as root, or open the port directly")
    case .timeout:
      return ModemError(
        .timeout, "open \(path): no answer to QMI within \(configuration.limits.open)",
        cause: "if another program (ModemManager) has the port, share it through qmi-proxy; else reset the modem")
    default:
      return ModemError(
        .deviceUnavailable,
        "open \(path): the control port cannot be opened; check that the modem is plugged in and speaks QMI",
        cause: error.description)
    }
  }

  public func close() async {
    switch port {
    case .unopened, .opening:
      port = .closed
      commands.abandon("the port was closed")
      finishEvents()
    case .open(let opened):
      let closing = Task { await shutDown(opened) }
      port = .closing(closing)
      await closing.value
    case .closing(let closing): await closing.value
    case .closed, .removed: break
    }
  }

  /// Ends the bearer and gives all client ids back. It runs in a task of its own, so that a cancelled caller leaves
  /// nothing behind.
  private func shutDown(_ opened: OpenDevice) async {
    bearer = .down
    commands.abandon("the port was closed")
    let limit = configuration.limits.close
    for session in sessions {
      session.connection.disconnect()
      _ = try? await stop(session, within: limit, isQueued: false)
    }
    for connection in opened.connections.dropFirst(2) { connection.disconnect() }
    let clients = sessions.map(\.client) + opened.clients
    sessions = []
    for client in clients where !isRemoved { await release(client, on: opened.device, within: limit) }
    for connection in opened.connections { connection.disconnect() }
    await close(opened.device)
    if !isRemoved { port = .closed }
    finishEvents()
  }

  private func close(_ device: GObjectRef<QmiDevice>) async {
    let limit = configuration.limits.close
    await Task {
      try? await glib.call(within: limit) { cancellable, done in
        qmi_device_close_async(device.pointer, limit.librarySeconds, cancellable, done.callback, done.data)
      } succeeded: { (device: UnsafeMutablePointer<QmiDevice>, result, error) in
        qmi_device_close_finish(device, result, error)
      }
    }.value
  }

  /// libqmi says that the port hung up.
  func removed() {
    switch port {
    case .unopened, .closed, .removed: return
    case .opening, .open, .closing: break
    }
    port = .removed
    bearer = .down
    sessions = []
    commands.abandon("the control port went away")
    emit(.removed)
    finishEvents()
  }

  var isRemoved: Bool { if case .removed = port { true } else { false } }

  /// Why there is no open device.
  func unusable(during name: String) -> ModemError {
    switch port {
    case .removed: ModemError(.removed, "\(name): the control port went away; open the modem anew when it is back")
    case .closing, .closed: ModemError(.deviceUnavailable, "\(name): the port is closed; make a new backend")
    case .unopened, .opening, .open: ModemError(.deviceUnavailable, "\(name): the port is not open; open it first")
    }
  }
}

import CGLib
import CQMI
import ControlChannel
import GLibBridge
import LimitClock
import ModemModel
import OutsideNumber

extension QMIBackend {
  package func open() async throws(ModemError) {
    guard case .unopened = port else {
      throw ModemError(.deviceUnavailable, "open: a backend can only be opened once; make a new one")
    }
    port = .opening(nil)
    do throws(ModemError) {
      let opened = try await openedDevice()
      port = .opening(opened)
      try await setUp(opened)
      guard case .opening = port else { throw port.unusable(during: "open") }
      port = .open(opened)
      watchIdleness()
    } catch {
      switch port {
      case .opening(let opened?): port = .closing(Task { await shutDown(opened) })
      case .opening(nil):
        port = .closed
        outlet.finish()
      case .unopened, .open, .closing, .closed, .removed: break
      }
      throw error
    }
  }

  /// Opens the port; nothing is sent to the modem.
  private func openedDevice() async throws(ModemError) -> OpenDevice {
    let device = try await makeDevice()
    let opened = OpenDevice(device: device, connections: connectSignals(of: device))
    do throws(ModemError) {
      try await open(device)
      guard case .opening = port else { throw port.unusable(during: "open") }
      return opened
    } catch {
      await closeDevice(opened, within: configuration.limits.close)
      throw error
    }
  }

  /// Cleans up after an earlier backend, allocates the clients that live as long as the port, and
  /// requests indications.
  private func setUp(_ opened: OpenDevice) async throws(ModemError) {
    await releaseLeftClients(in: opened)
    do throws(ModemError) {
      for service in [QMIService.dms, .nas, .uim] {
        guard case .opening = port else { throw port.unusable(during: "open") }
        do throws(ModemError) {
          _ = try await allocateClient(service, in: opened)
        } catch {
          // Old firmware has no service for the SIM.
          guard service == .uim, error.code == .notSupported else { throw error }
          simServiceRefusal = QMI_PROTOCOL_ERROR_INVALID_SERVICE_TYPE
        }
      }
      try await registerIndications(in: opened)
      await closeLeftChannel(in: opened)
    } catch {
      throw setUpError(error)
    }
  }

  private func makeDevice() async throws(ModemError) -> GObjectRef<QmiDevice> {
    try await glib.object(for: configuration.path, within: configuration.limits.open) { file, cancellable, done in
      qmi_device_new(file, cancellable, done.callback, done.data)
    } adopting: { result, error in
      qmi_device_new_finish(result, error)
    } failing: { error in
      openingError(error)
    }
  }

  /// Neither AUTO, which looks up the port's protocol in sysfs, nor SYNC, which takes away every
  /// program's client ids.
  private func open(_ device: GObjectRef<QmiDevice>) async throws(ModemError) {
    let limit = configuration.limits.open
    // libqmi starts qmi-proxy if it does not run.
    let mask = configuration.usesProxy ? SignalMask.clear() : nil
    defer { mask?.restore() }
    let flags = configuration.usesProxy ? QMI_DEVICE_OPEN_FLAGS_PROXY : QMI_DEVICE_OPEN_FLAGS_NONE
    do throws(GLibBridgeError) {
      try await glib.call(in: commands, within: limit) { cancellable, done in
        qmi_device_open(device.pointer, flags, limit.librarySeconds, cancellable, done.callback, done.data)
      } succeeded: { (device: UnsafeMutablePointer<QmiDevice>, result, error) in
        qmi_device_open_finish(device, result, error)
      }
    } catch {
      throw openingError(error)
    }
  }

  /// Adds to a failed opening what the user can do about it.
  private func openingError(_ error: GLibBridgeError) -> ModemError {
    let path = configuration.path
    let cause = ModemError(error, during: "open \(path)", removed: port.isRemoved)
    return .notOpened(
      path, cause, error, language: "QMI", proxy: configuration.usesProxy ? "qmi-proxy" : nil,
      silence: "no answer in time")
  }

  /// Adds to the error of a modem that refuses its first commands what the user can do about it.
  private func setUpError(_ error: ModemError) -> ModemError {
    let path = configuration.path
    switch error.code {
    case .timeout:
      return ModemError(
        .timeout, "open \(path): no answer to QMI within \(configuration.limits.query.words)",
        cause:
          "if another program (ModemManager, qmi-proxy) has the port, share it through qmi-proxy; else reset the modem"
      )
    case .removed, .cancelled, .deviceUnavailable, .busy: return error
    default:
      return ModemError(
        .deviceUnavailable, "open \(path): the modem refuses its first commands", cause: error.description)
    }
  }

  package func close() async {
    switch port {
    case .unopened, .opening(nil):
      port = .closed
      commands.abandon("the port was closed")
      outlet.finish()
    case .opening(let opened?), .open(let opened):
      let closing = Task { await shutDown(opened) }
      port = .closing(closing)
      await closing.value
    case .closing(let closing): await closing.value
    case .closed, .removed: break
    }
  }

  /// Ends the bearer and releases the client ids. It runs in its own task, so that a cancelled
  /// caller leaves nothing behind.
  private func shutDown(_ opened: OpenDevice) async {
    // Commands to a modem that does not answer are sent without waiting for a reply.
    let end = clock.now + (isSilent ? .milliseconds(100) : configuration.limits.close)
    let sessions = if case .up(let sessions) = bearer { sessions } else { [DataSession]() }
    bearer = .down
    laterTidying?.cancel()
    silence.end()
    commands.abandon("the port was closed")
    // It closes the channel to the SIM.
    await simCalls.last?.value
    for session in sessions {
      _ = try? await stop(session, in: opened, queue: nil, within: max(end - clock.now, .zero))
    }
    await restoreFormat(in: opened, within: max(end - clock.now, .zero))
    await releaseAllClients(in: opened, until: end)
    await closeDevice(opened, within: max(end - clock.now, .milliseconds(100)))
    if !port.isRemoved { port = .closed }
    outlet.finish()
  }

  private func closeDevice(_ opened: OpenDevice, within limit: Duration) async {
    for connection in opened.connections { connection.disconnect() }
    // A task of its own: the caller's cancellation must not cut closing short.
    await Task {
      try? await glib.call(within: limit) { cancellable, done in
        qmi_device_close_async(opened.device.pointer, limit.librarySeconds, cancellable, done.callback, done.data)
      } succeeded: { (device: UnsafeMutablePointer<QmiDevice>, result, error) in
        qmi_device_close_finish(device, result, error)
      }
    }.value
  }

  /// libqmi reports that the port hung up. Its commands have failed, and the device must not be
  /// opened again.
  func removed() {
    switch port {
    case .unopened, .closed, .removed: return
    case .opening, .open, .closing: break
    }
    port = .removed
    bearer = .down
    silence.end()
    laterTidying?.cancel()
    clients.removeAll()
    // The ledger stays: libqmi takes some read errors for a hang-up, and the modem still has its
    // clients then. To the ledger, a new device node is another port.
    commands.abandon("the control port went away")
    outlet.post(.removed)
    outlet.finish()
  }
}

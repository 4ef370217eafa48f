import CGLib
import CMBIM
import ControlChannel
import GLibBridge
import ModemModel
import OutsideNumber

extension MBIMBackend {
  package func open() async throws(ModemError) {
    guard case .unopened = port else {
      throw ModemError(.deviceUnavailable, "open: a backend can only be opened once; make a new one")
    }
    port = .opening(nil)
    do throws(ModemError) {
      let opened = try await openSession()
      await closeLeftChannel(of: opened)
      guard case .opening = port else {
        await end(opened)
        throw port.unusable(during: "open")
      }
      port = .open(opened)
      watchIdleness()
    } catch {
      if case .opening = port { port = .closed }
      outlet.finish()
      throw error
    }
  }

  /// Opens a device, and agrees on extensions if this program is responsible for that.
  private func openSession() async throws(ModemError) -> OpenDevice {
    let opened = try await openDevice()
    guard !configuration.usesProxy else { return opened }
    do throws(ModemError) {
      switch try await agreeOnExtensions(in: opened) {
      case .settled: return opened
      case .uncertain: break
      }
    } catch {
      await end(opened)
      throw error
    }
    // MBIM CLOSE and OPEN return the modem to MBIM 1.0. libmbim can open a device only once.
    await end(opened)
    return try await openDevice()
  }

  private func openDevice() async throws(ModemError) -> OpenDevice {
    let device = try await makeDevice()
    let opened = OpenDevice(device: device, connections: connectSignals(of: device))
    try await open(device)
    guard case .opening = port else { throw port.unusable(during: "open") }
    return opened
  }

  private func makeDevice() async throws(ModemError) -> GObjectRef<MbimDevice> {
    try await glib.object(for: configuration.path, within: configuration.limits.open) { file, cancellable, done in
      mbim_device_new(file, cancellable, done.callback, done.data)
    } adopting: { result, error in
      mbim_device_new_finish(result, error)
    } failing: { error in
      openingError(error)
    }
  }

  /// Adds to a failed opening what the user can do about it.
  private func openingError(_ error: GLibBridgeError) -> ModemError {
    let path = configuration.path
    let cause = ModemError(error, during: "open \(path)", removed: port.isRemoved)
    if cause.code == .timeout, !configuration.usesProxy {
      return ModemError(
        .timeout, "open \(path): no answer to MBIM OPEN within \(configuration.limits.open.words)",
        cause: "if another program (ModemManager) has the port, share it through mbim-proxy; else reset the modem")
    }
    return .notOpened(
      path, cause, error, language: "MBIM", proxy: configuration.usesProxy ? "mbim-proxy" : nil,
      silence: "no answer within \(configuration.limits.open.words)")
  }

  private func open(_ device: GObjectRef<MbimDevice>) async throws(ModemError) {
    let limit = configuration.limits.open
    // libmbim starts mbim-proxy if it does not run.
    let mask = configuration.usesProxy ? SignalMask.clear() : nil
    defer { mask?.restore() }
    let flags = configuration.usesProxy ? MBIM_DEVICE_OPEN_FLAGS_PROXY : MBIM_DEVICE_OPEN_FLAGS_NONE
    do throws(GLibBridgeError) {
      try await glib.call(in: commands, within: limit) { cancellable, done in
        mbim_device_open_full(device.pointer, flags, limit.librarySeconds, cancellable, done.callback, done.data)
      } succeeded: { (device: UnsafeMutablePointer<MbimDevice>, result, error) in
        mbim_device_open_full_finish(device, result, error)
      }
    } catch {
      mbim_device_close_force(device.pointer, nil)
      throw openingError(error)
    }
  }

  package func close() async {
    switch port {
    case .unopened, .opening:
      port = .closed
      commands.abandon("the port was closed")
      outlet.finish()
    case .open(let opened):
      let closing = Task { await shutDown(opened) }
      port = .closing(closing)
      await closing.value
    case .closing(let closing): await closing.value
    case .closed, .removed: break
    }
  }

  /// Ends the bearer and the MBIM session. It runs in its own task, so that a cancelled caller
  /// leaves nothing behind.
  private func shutDown(_ opened: OpenDevice) async {
    let hadBearer = bearer.mayBeActive || isSilent && lingers
    // A modem that does not answer cannot confirm the end of the session. The next port ends it.
    if isSilent, hadBearer { lingers = true }
    bearer = .down
    silence.end()
    commands.abandon("the port was closed")
    // It closes the channel to the SIM.
    await simCalls.last?.value
    let limit = isSilent ? Self.silentLimit : configuration.limits.close
    if hadBearer {
      _ = try? await exchange("disconnect", to: opened, in: nil, within: limit) { error in
        opened.makeConnectSet(
          MBIM_ACTIVATION_COMMAND_DEACTIVATE, session: configuration.session, BearerRequest(ipType: .ipv4), error)
      }
    }
    await end(opened)
    if !port.isRemoved { port = .closed }
    outlet.finish()
  }

  /// For commands to a modem that does not answer: they are sent, and no answer is expected.
  static let silentLimit = Duration.milliseconds(100)

  /// Closes a device, with MBIM CLOSE if the modem still answers.
  private func end(_ opened: OpenDevice) async {
    let limit = isSilent ? Self.silentLimit : configuration.limits.close
    try? await glib.call(within: limit) { cancellable, done in
      mbim_device_close(opened.device.pointer, limit.librarySeconds, cancellable, done.callback, done.data)
    } succeeded: { (device: UnsafeMutablePointer<MbimDevice>, result, error) in
      mbim_device_close_finish(device, result, error)
    }
    for connection in opened.connections { connection.disconnect() }
    mbim_device_close_force(opened.device.pointer, nil)
  }

  /// libmbim reports that the port hung up. It leaves commands to their time limits, and the device
  /// must not be opened again.
  func removed() {
    switch port {
    case .unopened, .closed, .removed: return
    case .opening, .open, .closing: break
    }
    port = .removed
    bearer = .down
    silence.end()
    commands.abandon("the control port went away")
    outlet.post(.removed)
    outlet.finish()
  }
}

extension BearerSession {
  /// Whether the modem may hold a session that this backend asked for.
  var mayBeActive: Bool {
    switch self {
    case .down: false
    case .connecting, .up, .disconnecting: true
    }
  }
}

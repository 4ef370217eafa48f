import CGLib
import CMBIM
import GLibBridge
import Glibc
import ModemModel
import OutsideNumber

extension MBIMBackend {
  public func open() async throws(ModemError) {
    guard case .unopened = port else {
      throw ModemError(.deviceUnavailable, "open: a backend is opened once; make a new one")
    }
    port = .opening
    do throws(ModemError) {
      let opened = try await openSession()
      guard case .opening = port else {
        await end(opened)
        throw unusable(during: "open")
      }
      port = .open(opened)
      watchIdleness()
    } catch {
      if case .opening = port { port = .closed }
      finishEvents()
      throw error
    }
  }

  /// Opens a device, and agrees on extensions where that is this program's to do.
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
    // MBIM CLOSE and OPEN put the modem back to MBIM 1.0; libmbim opens a device once.
    await end(opened)
    return try await openDevice()
  }

  private func openDevice() async throws(ModemError) -> OpenDevice {
    let device = try await makeDevice()
    let opened = OpenDevice(device: device, connections: connectSignals(of: device))
    try await open(device)
    guard case .opening = port else { throw unusable(during: "open") }
    return opened
  }

  private func makeDevice() async throws(ModemError) -> GObjectRef<MbimDevice> {
    let path = configuration.path
    let file = GLibReference(adopting: g_file_new_for_path(path), on: glib)
    do throws(GLibBridgeError) {
      return try await glib.call(within: configuration.limits.open) { cancellable, done in
        mbim_device_new(file.pointer, cancellable, done.callback, done.data)
      } adopting: { (_: OpaquePointer, result, error) in
        mbim_device_new_finish(result, error)
      }
    } catch {
      throw openingError(error)
    }
  }

  private func open(_ device: GObjectRef<MbimDevice>) async throws(ModemError) {
    let limit = configuration.limits.open
    // libmbim starts mbim-proxy when it does not run.
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

  /// Adds to a failed opening what can be done about it.
  private func openingError(_ error: GLibBridgeError) -> ModemError {
    let path = configuration.path
    let cause = ModemError(error, during: "open \(path)", removed: isRemoved)
    switch cause.code {
    case .removed where configuration.usesProxy:
      return .notOpened(
        .deviceUnavailable, through: "mbim-proxy", device: path, "the proxy hung up", isRoot: geteuid() == 0)
    case .removed, .cancelled: return cause
    case .timeout where configuration.usesProxy:
      return .notOpened(
        .timeout, through: "mbim-proxy", device: path, "no answer within \(configuration.limits.open.words)",
        isRoot: geteuid() == 0)
    case .timeout:
      return ModemError(
        .timeout, "open \(path): no answer to MBIM OPEN within \(configuration.limits.open.words)",
        cause:
          "if another program (ModemManager) has the port, share it through mbim-proxy; else reset the modem"
      )
    default:
      return ModemError(
        .deviceUnavailable,
        "open \(path): the control port cannot be opened; check that the modem is plugged in and speaks MBIM",
        cause: error.message)
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

  /// Ends the bearer and the MBIM session. It runs in a task of its own, so that a cancelled caller leaves nothing
  /// behind.
  private func shutDown(_ opened: OpenDevice) async {
    let hadBearer = bearer.mayBeActive || isSilent && lingers
    // Of a modem that is not heard nobody learns whether it has ended the session: the next port does it.
    if isSilent, hadBearer { lingers = true }
    bearer = .down
    silence.end()
    commands.abandon("the port was closed")
    let limit = isSilent ? Self.silentLimit : configuration.limits.close
    if hadBearer {
      _ = try? await exchange("disconnect", to: opened, in: nil, within: limit) { error in
        opened.makeConnectSet(
          MBIM_ACTIVATION_COMMAND_DEACTIVATE, session: configuration.session, BearerRequest(ipType: .ipv4), error)
      }
    }
    await end(opened)
    if !isRemoved { port = .closed }
    finishEvents()
  }

  /// For what is told to a modem that is not heard: it is sent, and no answer is waited for.
  private static let silentLimit = Duration.milliseconds(100)

  /// Closes a device, with MBIM CLOSE where the modem still answers.
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

  /// libmbim says that the port hung up. It leaves commands to their time limits, and the device must not be opened
  /// again.
  func removed() {
    switch port {
    case .unopened, .closed, .removed: return
    case .opening, .open, .closing: break
    }
    port = .removed
    bearer = .down
    silence.end()
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

extension BearerSession {
  /// Whether the modem may hold a session that this backend asked for.
  var mayBeActive: Bool {
    switch self {
    case .down: false
    case .connecting, .up, .disconnecting: true
    }
  }
}

extension Duration {
  /// A time limit for libmbim, in its whole seconds: later than this one, which the bridge keeps to the millisecond.
  var librarySeconds: UInt32 { UInt32(clamping: max(components.seconds, 0) + 5) }
}

import CGLib
import CMBIM
import ControlChannel
import GLibBridge
import ModemModel
import ReplyCheck

extension MBIMBackend {
  /// The open device, for a command to send now.
  func openDevice(for name: String) throws(ModemError) -> OpenDevice {
    guard case .open(let opened) = port else { throw port.unusable(during: name) }
    return opened
  }

  /// Sends a command and returns the modem's reply, which may be a refusal.
  /// - Parameters:
  ///   - name: The command's name in errors.
  ///   - limit: How long it may take, including its turn in the queue.
  ///   - make: Makes the request.
  func send(
    _ name: String, within limit: Duration, _ make: (OpenDevice, GErrorPlace) -> OpaquePointer?
  ) async throws(ModemError) -> MBIMReply {
    let opened = try openDevice(for: name)
    return try await send(name, to: opened, in: commands, within: limit) { make(opened, $0) }
  }

  /// Like `send`, but throws if the modem refuses.
  func ask(
    _ name: String, within limit: Duration, _ make: (OpenDevice, GErrorPlace) -> OpaquePointer?
  ) async throws(ModemError) -> MBIMReply {
    let reply = try await send(name, within: limit, make)
    try reply.check()
    return reply
  }

  func send(
    _ name: String, to opened: OpenDevice, in queue: GLibCallQueue?, within limit: Duration,
    _ make: (GErrorPlace) -> OpaquePointer?
  ) async throws(ModemError) -> MBIMReply {
    let watched = watchCommand(isLong: limit > configuration.limits.query)
    defer { silence.end(watched) }
    do throws(ModemError) {
      let reply = try await exchange(name, to: opened, in: queue, within: limit, make)
      note(isAnswered: true)
      return reply
    } catch {
      switch error.code {
      case .timeout: note(isAnswered: false)
      // The reply was wrong, and the next one may be lost with it.
      case .badReply: Task { await ask() }
      default: break
      }
      throw error
    }
  }

  /// Sends a command outside the watch for silence.
  func exchange(
    _ name: String, to opened: OpenDevice, in queue: GLibCallQueue?, within limit: Duration,
    _ make: (GErrorPlace) -> OpaquePointer?
  ) async throws(ModemError) -> MBIMReply {
    let request: GLibReference<OpaquePointer>
    let reply: GLibReference<OpaquePointer>
    let tap = configuration.tap
    do throws(GLibBridgeError) {
      guard let made = try checkingGError(make) else {
        throw GLibBridgeError(.library(domain: "", code: 0), "the request cannot be built")
      }
      request = GLibReference(adopting: made, on: glib, release: { mbim_message_unref($0) })
      reply = try await glib.call(in: queue, within: limit) { cancellable, done in
        mbim_device_command(
          opened.device.pointer, request.pointer, limit.librarySeconds, cancellable, done.callback, done.data)
        // libmbim has numbered it now.
        tap?.note(.sent, request.pointer)
      } adopting: { (device: UnsafeMutablePointer<MbimDevice>, result, error) in
        mbim_device_command_finish(device, result, error)
      } release: {
        mbim_message_unref($0)
      }
    } catch {
      let failure = self.failure(error, during: name)
      tap?.note { ControlMessage(.failed, name: name, detail: "\(failure.code)") }
      throw failure
    }
    silence.heard()
    tap?.note(.received, reply.pointer)
    return try MBIMReply(name: name, message: reply, to: subject(of: request.pointer), opened.extensions)
  }

  /// The service and number of a command to send.
  private func subject(of command: OpaquePointer) -> MBIMFrame.Subject? {
    mbim_message_command_get_service_id(command).map { uuid in
      MBIMFrame.Subject(
        MBIMServiceID(withUnsafeBytes(of: uuid.pointee) { Array($0) }), mbim_message_command_get_cid(command))
    }
  }
}

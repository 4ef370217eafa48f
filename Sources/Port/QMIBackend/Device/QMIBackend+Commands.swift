import CGLib
import CQMI
import ControlChannel
import GLibBridge
import ModemModel

extension QMIBackend {
  /// The open device, for a command to send now.
  func openDevice(for name: String) throws(ModemError) -> OpenDevice {
    guard case .open(let opened) = port else { throw port.unusable(during: name) }
    return opened
  }

  /// Sends a command and returns the modem's reply, which may be a refusal.
  /// - Parameters:
  ///   - name: The command's name in errors.
  ///   - service: The service whose client of this port sends it.
  ///   - limit: How long it may take, including its turn in the queue.
  func send(
    _ name: String, _ request: QMIRequest, to service: QMIService, within limit: Duration
  ) async throws(ModemError) -> QMIReply {
    let opened = try openDevice(for: name)
    guard let client = clients[service] else {
      throw ModemError(.deviceUnavailable, "\(name): the modem has forgotten this client; open it again")
    }
    return try await send(name, request, as: client, to: opened, in: commands, within: limit)
  }

  /// Like `send`, but throws if the modem refuses.
  func ask(
    _ name: String, _ request: QMIRequest, to service: QMIService, within limit: Duration
  ) async throws(ModemError) -> QMIReply {
    let reply = try await send(name, request, to: service, within: limit)
    try reply.check()
    return reply
  }

  /// Like `ask`, for commands that a modem may lack.
  /// - Returns: Nil if the modem refuses.
  func askIfKnown(
    _ name: String, _ request: QMIRequest, to service: QMIService
  ) async throws(ModemError) -> QMIReply? {
    let reply = try await send(name, request, to: service, within: configuration.limits.query)
    return try reply.refusal == nil ? reply : nil
  }

  func send(
    _ name: String, _ request: QMIRequest, as client: QMIClient, to opened: OpenDevice, in queue: GLibCallQueue?,
    within limit: Duration
  ) async throws(ModemError) -> QMIReply {
    let watched = watchCommand(isLong: limit > configuration.limits.query)
    defer { silence.end(watched) }
    do throws(ModemError) {
      let reply = try await exchange(name, request, as: client, to: opened, in: queue, within: limit)
      note(isAnswered: true)
      return reply
    } catch {
      if error.code == .timeout { note(isAnswered: false) }
      throw error
    }
  }

  /// Sends a command outside the watch for silence.
  func exchange(
    _ name: String, _ request: QMIRequest, as client: QMIClient, to opened: OpenDevice, in queue: GLibCallQueue?,
    within limit: Duration
  ) async throws(ModemError) -> QMIReply {
    let reply: GLibReference<UnsafeMutablePointer<QmiMessage>>
    let tap = configuration.tap
    do throws(GLibBridgeError) {
      let transaction = client == .control ? 0 : nextTransaction()
      guard let made = try checkingGError({ request.makeMessage(for: client, transaction: transaction, $0) }) else {
        throw GLibBridgeError(.library(domain: "", code: 0), "the request cannot be built")
      }
      let message = GLibReference(adopting: made, on: glib, release: { qmi_message_unref($0) })
      reply = try await glib.call(in: queue, within: limit) { cancellable, done in
        qmi_device_command_full(
          opened.device.pointer, message.pointer, nil, limit.librarySeconds, cancellable, done.callback, done.data)
        // libqmi has numbered it now.
        tap?.note(.sent, message.pointer)
      } adopting: { (device: UnsafeMutablePointer<QmiDevice>, result, error) in
        qmi_device_command_full_finish(device, result, error)
      } release: {
        qmi_message_unref($0)
      }
    } catch {
      let failure = self.failure(error, during: name)
      tap?.note { ControlMessage(.failed, name: name, detail: "\(failure.code)") }
      throw failure
    }
    silence.heard()
    tap?.note(.received, reply.pointer)
    let copy = QMIReply(name: name, copying: reply.pointer)
    if try copy.refusal == QMI_PROTOCOL_ERROR_INVALID_CLIENT_ID, client != .control { forgotten(client) }
    return copy
  }
}

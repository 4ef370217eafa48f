import CGLib
import CQMI
import GLibBridge
import ModemModel

extension QMIBackend {
  /// The open device, for a command that is to be sent now.
  func openDevice(for name: String) throws(ModemError) -> OpenDevice {
    guard case .open(let opened) = port else { throw unusable(during: name) }
    return opened
  }

  /// Makes a message's input.
  /// - Parameters:
  ///   - make: The message's `_input_new`.
  ///   - release: The message's `_input_unref`.
  ///   - fill: Sets what is to be said.
  func input(
    _ make: () -> OpaquePointer?, _ release: @escaping @Sendable (OpaquePointer?) -> Void,
    _ fill: (OpaquePointer) -> Void
  ) -> QMIInput {
    guard let input = make() else { preconditionFailure("libqmi made no input") }
    fill(input)
    return QMIInput(adopting: input, on: glib) { release($0) }
  }

  /// Sends a message and returns the modem's reply, which may be a refusal.
  /// - Parameters:
  ///   - name: What the message is called in errors.
  ///   - limit: How long it may take, its turn in the queue included.
  ///   - isQueued: False for messages of closing, when the queue lets nothing through any more.
  func send<Client>(
    _ name: String, _ operation: QMIOperation<Client>, to client: QMIClient, _ input: QMIInput? = nil,
    within limit: Duration, isQueued: Bool = true
  ) async throws(ModemError) -> QMIReply {
    do throws(GLibBridgeError) {
      let output = try await glib.call(in: isQueued ? commands : nil, within: limit) { cancellable, done in
        operation.begin(
          client.pointer(as: Client.self), input?.pointer, limit.librarySeconds, cancellable, done.callback, done.data)
      } adopting: { (client: UnsafeMutablePointer<Client>, result, error) in
        operation.finish(client, result, error)
      } release: {
        operation.release($0)
      }
      return QMIReply(name: name, output: output, result: operation.result)
    } catch {
      throw ModemError(error, during: name, removed: isRemoved)
    }
  }

  /// As `send`, and throws when the modem refuses.
  func ask<Client>(
    _ name: String, _ operation: QMIOperation<Client>, to client: QMIClient, _ input: QMIInput? = nil,
    within limit: Duration? = nil
  ) async throws(ModemError) -> QMIReply {
    let reply = try await send(name, operation, to: client, input, within: limit ?? configuration.limits.query)
    if let refusal = reply.refusal { throw ModemError(refusal, during: name, removed: isRemoved) }
    return reply
  }

  /// As `ask`, and nil when the modem refuses or its answer cannot be read: for what some modems do not know.
  func askIfKnown<Client>(
    _ name: String, _ operation: QMIOperation<Client>, to client: QMIClient, _ input: QMIInput? = nil
  ) async throws(ModemError) -> QMIReply? {
    do throws(ModemError) {
      return try await ask(name, operation, to: client, input)
    } catch {
      switch error.code {
      case .removed, .cancelled, .timeout, .busy, .deviceUnavailable: throw error
      default: return nil
      }
    }
  }
}

extension Duration {
  /// A time limit for libqmi, in its whole seconds: later than this one, which the bridge keeps to the millisecond.
  var librarySeconds: UInt32 { UInt32(clamping: max(components.seconds, 0) + 5) }
}

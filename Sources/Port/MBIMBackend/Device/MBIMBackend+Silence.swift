import CMBIM
import ControlChannel
import GLibBridge
import ModemModel

/// A modem that no longer answers, usually because libmbim waits for the rest of a message with a
/// wrong length.
extension MBIMBackend: SilenceWatching {
  /// Behind the proxy, the last ones are sent in a batch: their answers complete the message that
  /// the proxy waits for. The proxy's buffer outlives this port and other programs' ports.
  package nonisolated var questions: [Int] { configuration.usesProxy ? [1, 1, 16] : [1, 1] }

  package nonisolated var isShared: Bool { configuration.usesProxy }

  /// Asks for the device's capabilities (MBIM_CID_DEVICE_CAPS), which needs no radio.
  package func answersQuestion(within limit: Duration) async -> Bool {
    guard case .open(let opened) = port else { return true }
    do throws(ModemError) {
      _ = try await exchange("device capabilities", to: opened, in: nil, within: limit) {
        mbim_message_device_caps_query_new($0)
      }
      return true
    } catch {
      // A reply that cannot be read is also an answer.
      return error.code != .timeout && error.code != .cancelled
    }
  }

  /// Ends running commands at once. They are not sent again, because the modem may have executed
  /// them.
  package func becameSilent() {
    guard case .open = port, !isSilent else { return }
    isSilent = true
    silence.end()
    commands.abandon("the modem stopped answering")
    outlet.post(.unresponsive)
  }

  /// Turns a failed call into a `ModemError`.
  func failure(_ error: GLibBridgeError, during name: String) -> ModemError {
    isSilent && error.code == .abandoned
      ? .silent(during: name) : ModemError(error, during: name, removed: port.isRemoved)
  }
}

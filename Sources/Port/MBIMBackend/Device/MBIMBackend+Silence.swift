import CMBIM
import ControlChannel
import GLibBridge
import ModemModel

/// A modem that is not heard any more, most often as libmbim waits for the rest of a message whose length is wrong.
extension MBIMBackend: SilenceWatching {
  /// Behind the proxy the last ones come many at a time: their answers fill what the proxy waits for. Its buffer outlives this port,
  /// and the other programs' ports.
  package nonisolated var questions: [Int] { configuration.usesProxy ? [1, 1, 16] : [1, 1] }

  package nonisolated var isShared: Bool { configuration.usesProxy }

  /// Asks for the device's capabilities (MBIM_CID_DEVICE_CAPS), which no radio is needed for.
  package func answersQuestion(within limit: Duration) async -> Bool {
    guard case .open(let opened) = port else { return true }
    do throws(ModemError) {
      _ = try await exchange("device capabilities", to: opened, in: nil, within: limit) {
        mbim_message_device_caps_query_new($0)
      }
      return true
    } catch {
      // What cannot be read is an answer, too.
      return error.code != .timeout && error.code != .cancelled
    }
  }

  /// Ends what is under way at once. It is not sent again: whether the modem did it is not known.
  package func becameSilent() {
    guard case .open = port, !isSilent else { return }
    isSilent = true
    silence.end()
    commands.abandon("the modem stopped answering")
    outlet.post(.unresponsive)
  }

  /// Puts a failed call into the words of `ModemError`.
  func failure(_ error: GLibBridgeError, during name: String) -> ModemError {
    isSilent && error.code == .abandoned
      ? .silent(during: name) : ModemError(error, during: name, removed: port.isRemoved)
  }
}

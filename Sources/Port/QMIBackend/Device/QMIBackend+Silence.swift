import CQMI
import ControlChannel
import GLibBridge
import ModemModel

/// A modem that no longer answers, usually because libqmi waits for the rest of a message with a
/// wrong length.
extension QMIBackend: SilenceWatching {
  /// Behind the proxy, the last ones are sent in a batch: their answers complete the message that
  /// the proxy waits for, if another program keeps its port open and its buffer alive.
  package nonisolated var questions: [Int] { configuration.usesProxy ? [1, 1, 16] : [1, 1] }

  /// Each service of a QMI modem answers independently.
  package nonisolated var isShared: Bool { false }

  /// Asks for the model (DMS Get Model), which needs no radio and no SIM.
  package func answersQuestion(within limit: Duration) async -> Bool {
    guard case .open(let opened) = port, let client = clients[.dms] else { return true }
    do throws(ModemError) {
      _ = try await exchange("model", QMIRequest(0x22), as: client, to: opened, in: nil, within: limit)
      return true
    } catch {
      // A reply that cannot be read is also an answer.
      return error.code != .timeout && error.code != .cancelled
    }
  }

  /// Ends running commands at once. They are not sent again, because the modem may have executed
  /// them. The client ids that the modem holds are in the ledger, and the next port releases them.
  package func becameSilent() {
    guard case .open = port, !isSilent else { return }
    isSilent = true
    silence.end()
    commands.abandon("the modem stopped answering")
    control.abandon("the modem stopped answering")
    outlet.post(.unresponsive)
  }

  /// Turns a failed call into a `ModemError`.
  func failure(_ error: GLibBridgeError, during name: String) -> ModemError {
    isSilent && error.code == .abandoned
      ? .silent(during: name) : ModemError(error, during: name, removed: port.isRemoved)
  }
}

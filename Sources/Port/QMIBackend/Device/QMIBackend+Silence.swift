import CQMI
import ControlChannel
import GLibBridge
import ModemModel

/// A modem that is not heard any more, most often as libqmi waits for the rest of a message whose length is wrong.
extension QMIBackend: SilenceWatching {
  /// Behind the proxy the last ones come many at a time: their answers fill what the proxy waits for, where another program keeps its
  /// port open and its buffer alive.
  package nonisolated var questions: [Int] { configuration.usesProxy ? [1, 1, 16] : [1, 1] }

  /// A QMI modem's services answer each for itself.
  package nonisolated var isShared: Bool { false }

  /// Asks for the model (DMS Get Model), which no radio and no SIM is needed for.
  package func answersQuestion(within limit: Duration) async -> Bool {
    guard case .open(let opened) = port, let client = clients[.dms] else { return true }
    do throws(ModemError) {
      _ = try await exchange("model", QMIRequest(0x22), as: client, to: opened, in: nil, within: limit)
      return true
    } catch {
      // What cannot be read is an answer, too.
      return error.code != .timeout && error.code != .cancelled
    }
  }

  /// Ends what is under way at once. It is not sent again: whether the modem did it is not known. The client ids that the modem holds
  /// are in the ledger, and the next port gives them back.
  package func becameSilent() {
    guard case .open = port, !isSilent else { return }
    isSilent = true
    silence.end()
    commands.abandon("the modem stopped answering")
    control.abandon("the modem stopped answering")
    outlet.post(.unresponsive)
  }

  /// Puts a failed call into the words of `ModemError`.
  func failure(_ error: GLibBridgeError, during name: String) -> ModemError {
    isSilent && error.code == .abandoned
      ? .silent(during: name) : ModemError(error, during: name, removed: port.isRemoved)
  }
}

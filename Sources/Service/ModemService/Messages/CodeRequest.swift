import ModemModel
import ShortMessage

/// The one-time code that a caller waits for.
package struct CodeRequest: Hashable, Sendable {
  package var modem: String?
  /// The complete sender, in upper or lower case; nil for any.
  package let sender: String?
  /// Nil for any message that seems to contain a code.
  package let pattern: CodePattern?
  /// 1 to 600 seconds.
  package let timeout: Duration
  /// 0 to 600 seconds before the call.
  package var lookBack: Duration
  /// Codes that are wrong: messages with one of them are skipped.
  package var refused: Set<String> = []

  /// Checks and reads the options of a call.
  ///
  /// - Parameters:
  ///   - timeoutSeconds: nil for 60.
  ///   - lookBackSeconds: nil for 0, because a message from before the call may belong to an
  ///     earlier attempt.
  /// - Throws: `MessageError` `invalidOption`.
  package init(
    modem: String? = nil, sender: String? = nil, pattern: String? = nil, timeoutSeconds: Int? = nil,
    lookBackSeconds: Int? = nil
  ) throws(MessageError) {
    self.modem = modem
    if let sender {
      guard (1...21).contains(sender.count) else {
        throw Self.invalid("sender", "+ and digits, digits, or a name of at most 11 characters")
      }
    }
    self.sender = sender
    do {
      self.pattern = try pattern.map { text throws(ShortMessageError) in try CodePattern(text) }
    } catch {
      throw MessageError(
        .invalidOption("pattern", expected: "text with one place for the code, such as {digits:6}; \(error.message)"),
        error.message)
    }
    guard (1...600).contains(timeoutSeconds ?? 60) else { throw Self.invalid("timeoutSeconds", "1 to 600") }
    guard (0...600).contains(lookBackSeconds ?? 0) else { throw Self.invalid("lookBackSeconds", "0 to 600") }
    timeout = .seconds(timeoutSeconds ?? 60)
    lookBack = .seconds(lookBackSeconds ?? 0)
  }

  private static func invalid(_ option: String, _ expected: String) -> MessageError {
    MessageError(.invalidOption(option, expected: expected), "\(option) is out of its range; expected \(expected)")
  }

  /// The matching code in a message; nil if the message does not match.
  package func code(in message: AssembledMessage) -> OneTimeCode? {
    guard message.isComplete, sender.map(message.sender.matches) ?? true, let text = message.text?.revealed else {
      return nil
    }
    let code = pattern.map { $0.match(text) } ?? CodeSearch.code(in: text)
    return code.flatMap { refused.contains($0.revealed) ? nil : $0 }
  }
}

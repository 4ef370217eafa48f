/// Changes in an MBIM message from the function (MBIM 1.0, 9.4).
enum MBIMDamage: AnswerDamage {
  /// Of MBIM_COMMAND_DONE: where the service, the command, the length of the information and the
  /// information are.
  private static let (service, command, length, information) = (20, 36, 44, 48)

  static func mismatched(_ answer: [UInt8], _ mismatch: SimulatedFault.Mismatch) -> [UInt8] {
    var message = answer
    switch mismatch {
    case .transaction: message[11] ^= 0x40
    case .command where isCommandDone(message): message[command] ^= 0x07
    case .recipient where isCommandDone(message): message[service + 15] ^= 0xff
    // OPEN_DONE and CLOSE_DONE only name their transaction.
    case .command, .recipient: message[11] ^= 0x40
    }
    return message
  }

  static func cut(_ answer: [UInt8]) -> [UInt8] {
    guard isCommandDone(answer) else { return answer }
    // Whole words, as fields are.
    let kept = (answer.count - information) / 8 * 4
    var message = Array(answer.prefix(information + kept))
    message.replaceSubrange(4..<8, with: UInt32(message.count).littleEndianBytes)
    message.replaceSubrange(length..<information, with: UInt32(kept).littleEndianBytes)
    return message
  }

  /// Whether it is one fragment of MBIM_COMMAND_DONE.
  private static func isCommandDone(_ message: [UInt8]) -> Bool {
    message.count >= information && message[0] == 3 && UInt32(littleEndian: message[4..<8]) == UInt32(message.count)
  }
}

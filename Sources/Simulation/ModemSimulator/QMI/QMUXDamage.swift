/// Changes in a QMUX frame from the modem.
enum QMUXDamage: AnswerDamage {
  static func mismatched(_ answer: [UInt8], _ mismatch: SimulatedFault.Mismatch) -> [UInt8] {
    var frame = answer
    let isControl = frame[4] == QMIService.ctl.rawValue
    switch mismatch {
    case .command: frame[isControl ? 8 : 9] ^= 0x07
    case .recipient where !isControl: frame[5] ^= 0x40
    // The control service has no clients.
    case .recipient, .transaction: frame[7] ^= 0x40
    }
    return frame
  }

  static func cut(_ answer: [UInt8]) -> [UInt8] {
    let header = answer[4] == QMIService.ctl.rawValue ? 12 : 13
    // The result stays: without its second half, the message has no content.
    let kept = max((answer.count - header) / 2, min(7, answer.count - header))
    var frame = Array(answer.prefix(header + kept))
    frame.replaceSubrange(1..<3, with: UInt16(frame.count - 1).littleEndianBytes)
    frame.replaceSubrange(header - 2..<header, with: UInt16(kept).littleEndianBytes)
    return frame
  }
}

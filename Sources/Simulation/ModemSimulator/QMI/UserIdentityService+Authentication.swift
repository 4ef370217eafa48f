/// UIM: challenges, and commands to the card over logical channels.
extension QMIEndpoint {
  /// Nil for another command.
  static func authentication(
    _ request: QMIRequest, engine: inout ModemEngine, details: inout QMITLVs
  ) throws(QMIError) -> QMITLVs? {
    let ways = engine.authentication.ways
    switch request.message {
    case 0x34 where ways.contains(.direct): return try authenticate(request, engine: &engine, details: &details)
    case 0x3b where ways.contains(.channels): return try sendCommand(request, engine: &engine)
    case 0x3f where ways.contains(.channels): return try closeChannel(request, engine: &engine)
    case 0x42 where ways.contains(.channels): return try openChannel(request, engine: &engine, details: &details)
    default: return nil
    }
  }

  /// Authenticate.
  private static func authenticate(
    _ request: QMIRequest, engine: inout ModemEngine, details: inout QMITLVs
  ) throws(QMIError) -> QMITLVs {
    guard var session = request.fields[1], let type = session.u8(), let idLength = session.u8(),
      let application = session.take(Int(idLength)), var challenge = request.fields[2], let context = challenge.u8(),
      let length = challenge.u16(), let bytes = challenge.take(Int(length)).map(Array.init)
    else { throw .missingArgument }
    // The primary session has the USIM; others name their application.
    guard type == 0 || type == 6 && SIMCard.applicationID.starts(with: application) else { throw .invalidSessionType }
    guard engine.card != nil else { throw .deviceNotReady }
    guard context == 3 || context == 0x0b else {
      details.add(words: SIMFile.StatusWords(0x9864))
      throw .authenticationFailed
    }
    guard bytes.count == 34, bytes[0] == 16, bytes[17] == 16 else { throw .malformedMessage }
    guard let answer = engine.challenge(rand: Array(bytes[1...16]), autn: Array(bytes[18...33])) else {
      throw .deviceNotReady
    }
    return try fields(of: answer, details: &details)
  }

  /// - Parameter details: sent together with an error.
  static func fields(of answer: ChallengeAnswer, details: inout QMITLVs) throws(QMIError) -> QMITLVs {
    details.add(words: answer.words)
    switch answer {
    case .refused(.wrongMAC): throw .authenticationFailed
    case .refused(.securityNotSatisfied): throw .accessDenied
    case .refused: throw .internal
    case .response, .synchronisation:
      details.add(0x11, UInt16(answer.data.count).littleEndianBytes + answer.data)
      return details
    }
  }

  /// Open Logical Channel.
  private static func openChannel(
    _ request: QMIRequest, engine: inout ModemEngine, details: inout QMITLVs
  ) throws(QMIError) -> QMITLVs {
    try checkSlot(request)
    guard var field = request.fields[0x10], let length = field.u8(), let application = field.take(Int(length)) else {
      throw .missingArgument
    }
    guard engine.card != nil else { throw .deviceNotReady }
    let (number, words) = engine.openChannel(to: Array(application), group: 0)
    guard number > 0 else {
      details.add(0x11, [words.sw1, words.sw2])
      throw words == .noChannel ? .insufficientResources : .internal
    }
    var fields = QMITLVs()
    fields.add(0x10, [number])
    fields.add(0x11, [words.sw1, words.sw2])
    return fields
  }

  /// Send APDU. The host puts the channel into the class byte; the field says it once more.
  private static func sendCommand(_ request: QMIRequest, engine: inout ModemEngine) throws(QMIError) -> QMITLVs {
    try checkSlot(request)
    guard var field = request.fields[2], let length = field.u16(), let bytes = field.take(Int(length)) else {
      throw .missingArgument
    }
    guard engine.card != nil else { throw .deviceNotReady }
    var channelField = request.fields[0x10]
    let number = channelField?.u8() ?? 0
    guard number == 0 || engine.card?.hasChannel(number) == true else { throw .invalidArgument }
    guard let command = CardCommand(Array(bytes)) else { return apdu([], .wrongLength) }
    guard let channel = command.channel else { return apdu([], .classNotSupported) }
    guard channel == number else { return apdu([], .channelNotSupported) }
    guard let answer = engine.send(command, on: number) else { throw .deviceNotReady }
    return apdu(answer.data, answer.words)
  }

  private static func apdu(_ data: [UInt8], _ words: SIMFile.StatusWords) -> QMITLVs {
    var fields = QMITLVs()
    fields.add(0x10, UInt16(data.count + 2).littleEndianBytes + data + [words.sw1, words.sw2])
    return fields
  }

  /// Logical Channel, which closes one.
  private static func closeChannel(_ request: QMIRequest, engine: inout ModemEngine) throws(QMIError) -> QMITLVs {
    try checkSlot(request)
    guard var field = request.fields[0x11], let number = field.u8() else { throw .missingArgument }
    guard engine.card != nil else { throw .deviceNotReady }
    guard number > 0, engine.closeChannel(number) else { throw .invalidArgument }
    return QMITLVs()
  }

  /// The slot is the logical one, of which there is one.
  private static func checkSlot(_ request: QMIRequest) throws(QMIError) {
    guard var field = request.fields[1], let slot = field.u8() else { throw .missingArgument }
    guard slot == 1 else { throw .invalidArgument }
  }
}

extension QMITLVs {
  fileprivate mutating func add(words: SIMFile.StatusWords) { add(0x10, [words.sw1, words.sw2]) }
}

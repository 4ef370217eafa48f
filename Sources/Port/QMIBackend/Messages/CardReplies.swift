import CQMI
import CardCommands
import ModemModel

/// What a modem passes on from its SIM card. Its messages have the card's status words beside the
/// modem's own result, and some modems send them with an error.
enum CardReply {
  /// What the SIM says to a challenge (UIM Authenticate, 0x0034).
  static func answer(_ reply: QMIReply) throws(ModemError) -> Result<AKAAnswer, ModemError> {
    if let words = try words(reply, 0x10) {
      return AuthenticateAnswer.read(try content(reply, 0x11) ?? [], words, during: reply.name)
    }
    if let refusal = try reply.refusal {
      // The SIM was not asked: the firmware has another idea of this message.
      guard !refusal.isAboutParameters else {
        throw ModemError(.notSupported, "\(reply.name): the modem does not take this (QMI error \(refusal.rawValue))")
      }
      throw error(refusal, during: reply.name)
    }
    throw ModemError(
      .badReply, "\(reply.name): the modem's answer cannot be read", cause: "it has no status words")
  }

  /// The number of a channel that was opened (UIM Open Logical Channel, 0x0042).
  static func channel(_ reply: QMIReply) throws(ModemError) -> CardChannel {
    let words = try words(reply, 0x11)
    if let words, !words.isDone, words.first != 0x61 { throw ModemError(noChannel: words, during: reply.name) }
    if let refusal = try reply.refusal { throw error(refusal, during: reply.name) }
    let number = try reply.require(0x10) { field throws(FieldReader.Short) in try field.u8() }
    guard let channel = CardChannel(number), channel != .basic else {
      throw ModemError(
        .badReply, "\(reply.name): the modem's answer cannot be read", cause: "there is no channel \(number)")
    }
    return channel
  }

  /// A card's answer to a command (UIM Send APDU, 0x003B).
  static func content(_ reply: QMIReply) throws(ModemError) -> (data: [UInt8], words: StatusWords) {
    guard let bytes = try content(reply, 0x10), bytes.count >= 2 else {
      if let refusal = try reply.refusal { throw error(refusal, during: reply.name) }
      throw ModemError(
        .badReply, "\(reply.name): the modem's answer cannot be read", cause: "it has no status words")
    }
    return (Array(bytes.dropLast(2)), StatusWords(bytes[bytes.count - 2], bytes[bytes.count - 1]))
  }

  private static func words(_ reply: QMIReply, _ type: UInt8) throws(ModemError) -> StatusWords? {
    try reply.read(type) { field throws(FieldReader.Short) in StatusWords(try field.u8(), try field.u8()) }
  }

  /// Bytes behind their length.
  private static func content(_ reply: QMIReply, _ type: UInt8) throws(ModemError) -> [UInt8]? {
    try reply.read(type) { field throws(FieldReader.Short) in try field.bytes(Int(try field.u16())) }
  }

  /// What a refusal without a word of the card means.
  private static func error(_ refusal: QmiProtocolError, during name: String) -> ModemError {
    switch refusal {
    // Elsewhere, this is about a bearer's password. Here, the modem does not say what failed.
    case QMI_PROTOCOL_ERROR_AUTHENTICATION_FAILED:
      ModemError(.failed, "\(name): the modem failed without saying why (QMI error \(refusal.rawValue))")
    case QMI_PROTOCOL_ERROR_INSUFFICIENT_RESOURCES, QMI_PROTOCOL_ERROR_NO_MEMORY:
      ModemError(.simNotReady, "\(name): the SIM has no free channel; try again (QMI error \(refusal.rawValue))")
    case QMI_PROTOCOL_ERROR_INCOMPATIBLE_STATE, QMI_PROTOCOL_ERROR_SESSION_INACTIVE:
      ModemError(.simNotReady, "\(name): the SIM is not ready for it; try again (QMI error \(refusal.rawValue))")
    default: ModemError(refusal, during: name)
    }
  }
}

extension QmiProtocolError {
  fileprivate var isAboutParameters: Bool {
    [
      QMI_PROTOCOL_ERROR_MALFORMED_MESSAGE, QMI_PROTOCOL_ERROR_MISSING_ARGUMENT, QMI_PROTOCOL_ERROR_INVALID_ARGUMENT,
      QMI_PROTOCOL_ERROR_ARGUMENT_TOO_LONG, QMI_PROTOCOL_ERROR_INVALID_SESSION_TYPE,
    ].contains(self)
  }
}

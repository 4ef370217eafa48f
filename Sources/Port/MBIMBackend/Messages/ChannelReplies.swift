import CMBIM
import CardCommands
import ModemModel

/// Answers about channels through Microsoft's UICC low level access. Each has a status of the modem
/// and, besides, the card's status words.
enum ChannelReply {
  /// The service's own status codes, for which libmbim 1.28 has no names.
  enum Status {
    static let noChannel = MbimStatusError(0x8743_0001)
    static let notSelected = MbimStatusError(0x8743_0002)
    static let notOpen = MbimStatusError(0x8743_0003)
  }

  /// The number of a channel that was opened (MBIM_CID_MS_UICC_OPEN_CHANNEL).
  static func channel(_ reply: MBIMReply) throws(ModemError) -> UInt32 {
    switch reply.status {
    case Status.noChannel:
      throw ModemError(.simNotReady, "\(reply.name): the SIM has no free channel; try again")
    case Status.notSelected:
      guard let words = words(in: reply) else {
        throw ModemError(.notSupported, "\(reply.name): the SIM does not select its USIM")
      }
      throw ModemError(noChannel: words, during: reply.name)
    default: try reply.check()
    }
    var (status, channel): (UInt32, UInt32) = (0, 0)
    try reply.read {
      mbim_message_ms_uicc_low_level_access_open_channel_response_parse($0, &status, &channel, nil, nil, $1)
    }
    let words = StatusWords(status)
    guard words.isDone || words.first == 0x61 else { throw ModemError(noChannel: words, during: reply.name) }
    guard channel > 0 else {
      throw ModemError(.badReply, "\(reply.name): the modem's answer cannot be read", cause: "it opened channel 0")
    }
    return channel
  }

  /// A card's answer to a command (MBIM_CID_MS_UICC_APDU).
  static func content(_ reply: MBIMReply) throws(ModemError) -> (data: [UInt8], words: StatusWords) {
    if reply.status == Status.notOpen {
      throw ModemError(.simNotReady, "\(reply.name): the SIM was reset meanwhile; try again")
    }
    try reply.check()
    var (status, size): (UInt32, UInt32) = (0, 0)
    var data: UnsafePointer<UInt8>?
    try reply.read { mbim_message_ms_uicc_low_level_access_apdu_response_parse($0, &status, &size, &data, $1) }
    return (Array(UnsafeBufferPointer(start: data, count: Int(size))), StatusWords(status))
  }

  /// The status words of a refusal, whose other fields may be missing.
  private static func words(in reply: MBIMReply) -> StatusWords? {
    reply.information.count >= 4 ? StatusWords(reply.information[0], reply.information[1]) : nil
  }
}

extension StatusWords {
  /// From the field Status, which has them as its first two bytes.
  init(_ status: UInt32) {
    self.init(UInt8(truncatingIfNeeded: status), UInt8(truncatingIfNeeded: status >> 8))
  }
}

/// A logical channel to an application of the card (ETSI TS 102 221, 8.7).
struct LogicalChannel: Hashable, Sendable {
  /// From 1; 0 is the basic channel, which belongs to the modem.
  let number: UInt8
  /// The host's mark, over MBIM.
  let group: UInt32
  /// What GET RESPONSE fetches.
  var pending: [UInt8] = []

  /// How many a card has beside the basic one.
  static let limit: UInt8 = 3
}

extension SIMFile.StatusWords {
  static let channelNotSupported = Self(0x6881)
  static let conditionsNotSatisfied = Self(0x6985)
  /// To MANAGE CHANNEL: none is left (ETSI TS 102 221, 11.1.17).
  static let noChannel = Self(0x6a81)
  static let wrongParameters = Self(0x6a86)
  static let instructionNotSupported = Self(0x6d00)
  static let classNotSupported = Self(0x6e00)

  /// So many bytes are there for GET RESPONSE.
  static func more(_ count: Int) -> Self { Self(sw1: 0x61, sw2: UInt8(truncatingIfNeeded: count)) }
  /// The length to ask for.
  static func length(_ count: Int) -> Self { Self(sw1: 0x6c, sw2: UInt8(truncatingIfNeeded: count)) }
}

extension SIMCard {
  /// The identifier of the ISIM application.
  static let multimediaID: [UInt8] = [0xa0, 0x00, 0x00, 0x00, 0x87, 0x10, 0x04]

  /// Opens a channel and selects an application on it.
  ///
  /// - Parameters:
  ///   - application: the start of its identifier suffices.
  ///   - taken: how many channels others have, the first ones.
  /// - Throws: `noChannel`; `fileNotFound` for an unknown application, without keeping a channel.
  mutating func openChannel(
    to application: [UInt8], group: UInt32, taken: Int
  ) throws(SIMFile.StatusWords) -> UInt8 {
    let first = UInt8(clamping: taken) &+ 1
    guard first <= LogicalChannel.limit,
      let number = (first...LogicalChannel.limit).first(where: { number in !channels.contains { $0.number == number } })
    else { throw .noChannel }
    let known = [Self.applicationID, Self.multimediaID].contains { $0.starts(with: application) }
    guard known, application.count >= 5 else { throw .fileNotFound }
    channels.append(LogicalChannel(number: number, group: group))
    return number
  }

  /// Whether there was such a channel.
  mutating func closeChannel(_ number: UInt8) -> Bool {
    let count = channels.count
    channels.removeAll { $0.number == number }
    return channels.count < count
  }

  mutating func closeChannels(ofGroup group: UInt32) { channels.removeAll { $0.group == group } }

  mutating func closeChannels() { (channels, basicPending) = ([], []) }

  func hasChannel(_ number: UInt8) -> Bool { channels.contains { $0.number == number } }

  /// Takes a command on a channel that is open, or on the basic channel 0.
  ///
  /// - Parameter ask: has the card answer a challenge.
  mutating func perform(
    _ command: CardCommand, on number: UInt8, usesGetResponse: Bool,
    ask: (inout SIMCard, _ rand: [UInt8], _ autn: [UInt8]) -> ChallengeAnswer
  ) -> (data: [UInt8], words: SIMFile.StatusWords) {
    switch command.instruction {
    case CardCommand.authenticate:
      guard let challenge = command.challenge else { return ([], command.flaw) }
      let answer = ask(&self, challenge.rand, challenge.autn)
      guard usesGetResponse, !answer.data.isEmpty else { return (answer.data, answer.words) }
      setPending(answer.data, on: number)
      return ([], .more(answer.data.count))
    case CardCommand.getResponse: return getResponse(command.expected ?? 0, on: number)
    default: return ([], .instructionNotSupported)
    }
  }

  private mutating func getResponse(
    _ expected: Int, on number: UInt8
  ) -> (data: [UInt8], words: SIMFile.StatusWords) {
    let pending = number == 0 ? basicPending : channels.first { $0.number == number }?.pending ?? []
    guard !pending.isEmpty else { return ([], .conditionsNotSatisfied) }
    guard expected <= pending.count else { return ([], .length(pending.count)) }
    let count = expected == 0 ? pending.count : expected
    let rest = Array(pending.dropFirst(count))
    setPending(rest, on: number)
    return (Array(pending.prefix(count)), rest.isEmpty ? .done : .more(rest.count))
  }

  private mutating func setPending(_ data: [UInt8], on number: UInt8) {
    if number == 0 { basicPending = data }
    for index in channels.indices where channels[index].number == number { channels[index].pending = data }
  }
}

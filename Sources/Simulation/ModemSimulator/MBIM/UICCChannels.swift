/// Logical channels and commands to the card, of Microsoft's UICC low level access.
extension MBIMEndpoint {
  private static let (open, close, apdu): (UInt32, UInt32, UInt32) = (2, 3, 4)
  static let channelCommands = [open, close, apdu]
  /// The P2 of SELECT that asks for no answer.
  private static let noSelectResponse: UInt32 = 0x0c

  func channels(_ command: MBIMCommand, engine: inout ModemEngine) -> MBIMReply {
    guard engine.hasUICCChannels, command.isSet else { return .failed(.noDeviceSupport) }
    guard engine.card != nil else { return .failed(engine.mbimSIMStatus) }
    var reader = InformationReader(command.body)
    let reply =
      switch command.cid {
      case Self.open: Self.openChannel(&reader, engine: &engine)
      case Self.close: Self.closeChannel(&reader, engine: &engine)
      default: Self.sendCommand(&reader, engine: &engine)
      }
    return reply ?? .failed(.invalidParameters)
  }

  private static func openChannel(_ reader: inout InformationReader, engine: inout ModemEngine) -> MBIMReply? {
    guard let application = reader.sizedBytes(), let p2 = reader.u32(), let group = reader.u32() else { return nil }
    let (number, words) = engine.openChannel(to: application, group: group)
    // FCP with the application's name (ETSI TS 102 221, 11.1.1.3).
    let name = SIMCard.applicationID
    let response: [UInt8] =
      number == 0 || p2 == noSelectResponse
      ? [] : [0x62, UInt8(name.count + 2), 0x84, UInt8(name.count)] + name
    let body = InformationBuffer.build {
      $0.words(words)
      $0.u32(UInt32(number))
      $0.u32(UInt32(response.count))
      $0.reference(response)
    }
    let status: MBIMStatus = number > 0 ? .success : words == .noChannel ? .noLogicalChannels : .selectFailed
    return MBIMReply(status: status, body: body)
  }

  private static func closeChannel(_ reader: inout InformationReader, engine: inout ModemEngine) -> MBIMReply? {
    guard let channel = reader.u32(), let group = reader.u32() else { return nil }
    if channel == 0 {
      engine.closeChannels(ofGroup: group)
    } else {
      guard let number = UInt8(exactly: channel), engine.closeChannel(number) else {
        return .failed(.invalidLogicalChannel)
      }
    }
    return .success(InformationBuffer.build { $0.words(.done) })
  }

  /// The modem puts the channel into the class byte, whatever the host has there.
  private static func sendCommand(_ reader: inout InformationReader, engine: inout ModemEngine) -> MBIMReply? {
    guard let channel = reader.u32(), let messaging = reader.u32(), messaging <= 1, let classType = reader.u32(),
      classType <= 1, let bytes = reader.sizedBytes(), let command = CardCommand(bytes)
    else { return nil }
    guard let number = UInt8(exactly: channel), engine.card?.hasChannel(number) == true else {
      return .failed(.invalidLogicalChannel)
    }
    guard let answer = engine.send(command, on: number) else { return nil }
    return .success(
      InformationBuffer.build {
        $0.words(answer.words)
        $0.u32(UInt32(answer.data.count))
        $0.reference(answer.data)
      })
  }
}

extension InformationBuffer {
  /// SW1 and SW2 as two bytes, then two zeros.
  fileprivate mutating func words(_ words: SIMFile.StatusWords) { append([words.sw1, words.sw2, 0, 0]) }
}

extension ModemEngine {
  /// Whether Microsoft's service has its commands for channels.
  var hasUICCChannels: Bool { configuration.hasUICCAccess && authentication.ways.contains(.channels) }
}

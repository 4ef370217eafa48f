/// Microsoft's service for reading SIM files, of which this modem has Read Binary and Read Record.
extension MBIMEndpoint {
  static let uiccCommands: [UInt32] = [9, 10]

  func uicc(_ command: MBIMCommand, engine: ModemEngine) -> MBIMReply {
    guard Self.uiccCommands.contains(command.cid), !command.isSet else { return .failed(.noDeviceSupport) }
    guard let card = engine.card else { return .failed(engine.mbimSIMStatus) }
    var reader = InformationReader(command.body)
    guard reader.u32() == 1, reader.bytes() != nil, let path = reader.bytes().flatMap(Self.identifiers),
      let id = path.last, let position = reader.u32()
    else { return .failed(.invalidParameters) }
    do {
      let folders = Array(path.dropLast())
      guard command.cid == 9 else {
        return Self.reply(.done, try card.readRecord(id, in: folders, number: Int(position)))
      }
      guard let length = reader.u32() else { return .failed(.invalidParameters) }
      return Self.reply(.done, try card.readBinary(id, in: folders, offset: Int(position), length: Int(length)))
    } catch {
      return Self.reply(error, [])
    }
  }

  private static func reply(_ words: SIMFile.StatusWords, _ data: [UInt8]) -> MBIMReply {
    .success(
      InformationBuffer.build {
        $0.u32(1)
        $0.u32(UInt32(words.sw1))
        $0.u32(UInt32(words.sw2))
        $0.reference(data)
        $0.u32(UInt32(data.count))
      })
  }

  /// File identifiers, most significant byte first.
  private static func identifiers(_ path: ArraySlice<UInt8>) -> [UInt16]? {
    guard path.count.isMultiple(of: 2) else { return nil }
    return stride(from: path.startIndex, to: path.endIndex, by: 2).map { UInt16(path[$0]) << 8 | UInt16(path[$0 + 1]) }
  }
}

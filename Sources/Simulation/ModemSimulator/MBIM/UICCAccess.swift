/// Microsoft's service for reading SIM files, of which this modem has the list of applications, the
/// status of files, Read Binary and Read Record.
extension MBIMEndpoint {
  static let uiccCommands: [UInt32] = [7, 8, 9, 10]

  func uicc(_ command: MBIMCommand, engine: ModemEngine) -> MBIMReply {
    guard engine.configuration.hasUICCAccess, Self.uiccCommands.contains(command.cid), !command.isSet else {
      return .failed(.noDeviceSupport)
    }
    guard let card = engine.card else { return .failed(engine.mbimSIMStatus) }
    if command.cid == 7 { return .success(Self.applications) }
    var reader = InformationReader(command.body)
    guard reader.u32() == 1, reader.bytes() != nil, let path = reader.bytes().flatMap(Self.identifiers),
      let id = path.last
    else { return .failed(.invalidParameters) }
    if command.cid == 8 { return Self.status(of: id, in: Array(path.dropLast()), on: card) }
    guard let position = reader.u32() else { return .failed(.invalidParameters) }
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

  /// MBIM_UICC_APP_LIST: the ISIM, and the USIM, which is in use.
  private static var applications: [UInt8] {
    let applications: [(type: UInt32, id: [UInt8], name: String)] = [
      (6, [0xa0, 0x00, 0x00, 0x00, 0x87, 0x10, 0x04], "ISIM"), (4, SIMCard.applicationID, "USIM"),
    ]
    let elements = applications.map { application in
      var element = InformationBuffer()
      element.u32(application.type)
      element.reference(application.id)
      element.u32(UInt32(application.id.count))
      let name = Array(application.name.utf8)
      element.reference(name)
      element.u32(UInt32(name.count))
      element.u32(1)
      element.reference([1])
      element.u32(1)
      return element
    }
    return InformationBuffer.build { buffer in
      buffer.u32(1)
      buffer.u32(UInt32(elements.count))
      buffer.u32(1)
      buffer.u32(UInt32(elements.reduce(0) { $0 + $1.bytes.count }))
      for element in elements { buffer.structure(element) }
    }
  }

  /// MBIM_UICC_FILE_STATUS.
  private static func status(of id: UInt16, in folders: [UInt16], on card: SIMCard) -> MBIMReply {
    let (words, structure, count, size): (SIMFile.StatusWords, UInt32, Int, Int)
    do {
      let file = try card.file(id, in: folders)
      switch file.content {
      case .transparent(let bytes): (words, structure, count, size) = (.done, 1, 1, bytes.count)
      case .records(let records): (words, structure, count, size) = (.done, 3, records.count, records[0].count)
      }
    } catch {
      (words, structure, count, size) = (error, 0, 0, 0)
    }
    let fields: [UInt32] = [
      1, UInt32(words.sw1), UInt32(words.sw2), 2, 1, structure, UInt32(count), UInt32(size), 2, 0, 0, 0,
    ]
    return .success(InformationBuffer.build { buffer in for field in fields { buffer.u32(field) } })
  }

  /// File identifiers, most significant byte first.
  private static func identifiers(_ path: ArraySlice<UInt8>) -> [UInt16]? {
    guard path.count.isMultiple(of: 2) else { return nil }
    return stride(from: path.startIndex, to: path.endIndex, by: 2).map { UInt16(path[$0]) << 8 | UInt16(path[$0 + 1]) }
  }
}

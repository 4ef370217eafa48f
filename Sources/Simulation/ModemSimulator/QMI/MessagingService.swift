/// WMS: short messages. All of them are in the SIM's store; the modem's own store exists and is
/// empty.
extension QMIEndpoint {
  func messaging(
    _ request: QMIRequest, _ client: inout Client, engine: inout ModemEngine
  ) throws(QMIError) -> QMITLVs {
    switch request.message {
    case 0x00:  // Reset
      client.wantsMessages = false
      return QMITLVs()
    case 0x01:
      if var field = request.fields[0x10], let wants = field.u8() { client.wantsMessages = wants != 0 }
      return QMITLVs()
    case 0x37:
      guard var field = request.fields[1], let transaction = field.u32(), field.u8() == 1, let isGood = field.u8()
      else { throw .missingArgument }
      if isGood == 1 { engine.acknowledgedMessages.append(transaction) }
      return QMITLVs()
    case 0x22, 0x24, 0x31, 0x36: break
    default: throw .invalidQMICommand
    }
    guard engine.openCard != nil else { throw .uimUninitialized }
    guard var field = request.fields[1], let storage = field.u8() else { throw .missingArgument }
    guard storage <= 1 else { throw .invalidArgument }
    switch request.message {
    case 0x22: return try read(storage, at: field.u32(), engine: &engine)
    case 0x24: return try delete(storage, request, engine: &engine)
    case 0x31: return list(storage, engine.messages)
    default: return size(storage, engine.messages)
    }
  }

  private func list(_ storage: UInt8, _ store: MessageStore) -> QMITLVs {
    let entries = storage == 0 ? store.entries : []
    var fields = QMITLVs()
    fields.add(
      1,
      UInt32(entries.count).littleEndianBytes
        + entries.flatMap { $0.index.littleEndianBytes + [$0.isRead ? 0 : 1] })
    return fields
  }

  private func read(_ storage: UInt8, at index: UInt32?, engine: inout ModemEngine) throws(QMIError) -> QMITLVs {
    guard let index else { throw .missingArgument }
    guard storage == 0, let entry = engine.messages.entries.first(where: { $0.index == index }) else {
      throw .noEntry
    }
    var fields = QMITLVs()
    fields.add(1, [entry.isRead ? 0 : 1, 6] + UInt16(entry.pdu.count).littleEndianBytes + entry.pdu)
    return fields
  }

  private func delete(
    _ storage: UInt8, _ request: QMIRequest, engine: inout ModemEngine
  ) throws(QMIError) -> QMITLVs {
    var index: UInt32?
    if var field = request.fields[0x10] { index = field.u32() }
    let isGone = storage == 0 && engine.messages.remove { index == nil || $0.index == index }
    guard isGone || index == nil else { throw .noEntry }
    return QMITLVs()
  }

  /// Get Store Max Size: places in all and free ones.
  private func size(_ storage: UInt8, _ store: MessageStore) -> QMITLVs {
    var fields = QMITLVs()
    fields.add(1, UInt32(storage == 0 ? store.capacity : 0))
    fields.add(0x10, UInt32(storage == 0 ? store.capacity - store.entries.count : 0))
    return fields
  }

  static func messageIndication(for event: ModemEvent) -> (message: UInt16, fields: QMITLVs)? {
    var fields = QMITLVs()
    switch event {
    case .messageStored(let index): fields.add(0x10, [0] + index.littleEndianBytes)
    case .messagePassedOn(let pdu, let transaction):
      // Without the service centre's address; the host is to acknowledge.
      let message = Array(pdu.dropFirst(1 + Int(pdu.first ?? 0)))
      fields.add(
        0x11, [0] + transaction.littleEndianBytes + [6] + UInt16(message.count).littleEndianBytes + message)
      fields.add(0x12, [1])
      fields.add(0x16, [0])
    case .messageStoreFull:
      fields.add(1, [0, 1])
      return (0x3a, fields)
    default: return nil
    }
    return (0x01, fields)
  }
}

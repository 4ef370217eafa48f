/// UIM: physical slots.
extension QMIEndpoint {
  /// Get Slot Status. A modem with one slot does not support slots, like many.
  static func slotStatus(_ engine: ModemEngine) throws(QMIError) -> QMITLVs {
    guard engine.cards.count > 1 else { throw .notSupported }
    return engine.qmiSlotStatus
  }

  /// Switch Slot.
  static func switchSlot(_ request: QMIRequest, engine: inout ModemEngine) throws(QMIError) -> QMITLVs {
    guard engine.cards.count > 1 else { throw .notSupported }
    guard var logical = request.fields[1], logical.u8() == 1, var physical = request.fields[2],
      let slot = physical.u32()
    else { throw .missingArgument }
    guard (1...UInt32(engine.cards.count)).contains(slot) else { throw .invalidArgument }
    guard Int(slot) - 1 != engine.cards.active else { throw .noEffect }
    guard engine.sessions.isEmpty else { throw .accessDenied }
    engine.useSlot(Int(slot) - 1)
    return QMITLVs()
  }
}

extension ModemEngine {
  /// For each slot: card, whether it is in use, its logical slot, serial number; then protocol,
  /// applications, answer to reset, and whether it is an eSIM.
  var qmiSlotStatus: QMITLVs {
    var status: [UInt8] = [UInt8(cards.count)]
    var information: [UInt8] = [UInt8(cards.count)]
    for index in 0..<cards.count {
      let isActive = index == cards.active
      let card: SIMCard? =
        switch cards[index] {
        case .empty: nil
        case .initialising(let card), .ready(let card): card
        }
      let iccid = card.map { $0.iccidFile } ?? []
      status += UInt32(card == nil ? 1 : 2).littleEndianBytes + UInt32(isActive ? 1 : 0).littleEndianBytes
      status += [isActive ? 1 : 0, UInt8(iccid.count)] + iccid
      information += UInt32(card == nil ? 0 : 2).littleEndianBytes + [card == nil ? 0 : 1, 0, 0]
    }
    var fields = QMITLVs()
    fields.add(0x10, status)
    fields.add(0x11, information)
    return fields
  }
}

import CQMI
import ModemModel

/// The modem's slots (UIM Get Slot Status and Switch Slot). Many modems do not support these
/// commands. In that case, only the cards are known.
extension QMIBackend {
  package func slots() async throws(ModemError) -> SIMSlots {
    if let status = try await slotStatus() {
      return SIMSlots(status.slots, canSwitch: status.slots.count > 1)
    }
    guard let card = try await cardStatus() else {
      throw ModemError(.notSupported, "slots: this modem does not report its slots")
    }
    return SIMSlots(card.slots, canSwitch: false)
  }

  package func switchSlot(to slot: Int) async throws(ModemError) {
    guard let status = try await slotStatus() else {
      throw ModemError(.notSupported, "switch slot: this modem cannot change its slot")
    }
    guard let wanted = status.slots.first(where: { $0.number == slot }) else {
      let count = status.slots.count
      throw ModemError(.noSuchSlot, "switch slot: the modem has \(count) slot\(count == 1 ? "" : "s"), counted from 1")
    }
    guard !wanted.isActive else { return }
    let request = QMIRequest(0x46).with(0x01, byte: status.logicalSlot).with(0x02, word: UInt32(slot))
    let reply = try await send("switch slot", request, to: .uim, within: configuration.limits.pin)
    // Another program has already done it.
    if try reply.refusal == QMI_PROTOCOL_ERROR_NO_EFFECT { return }
    try reply.check()
  }

  /// The physical slot in use, from 1; nil if the modem does not report it.
  func activePhysicalSlot() async throws(ModemError) -> Int? {
    try await slotStatus()?.slots.first(where: \.isActive)?.number
  }

  /// Asks for the physical slots; nil if the modem does not support that, and then it is not asked
  /// again.
  private func slotStatus() async throws(ModemError) -> SlotStatus? {
    guard hasSIMService, hasSlotStatus else { return nil }
    let reply = try await send("slot status", QMIRequest(0x47), to: .uim, within: configuration.limits.query)
    if let refusal = try reply.refusal {
      if refusal.isUnknownToFirmware { hasSlotStatus = false }
      return nil
    }
    return try SlotStatus(reply)
  }
}

/// The physical slots (UIM Get Slot Status).
struct SlotStatus {
  let slots: [SIMSlot]
  /// The active slot's logical slot, from 1.
  let logicalSlot: UInt8

  init(_ reply: QMIReply) throws(ModemError) {
    let entries = try reply.require(0x10) { field throws(FieldReader.Short) in
      try field.array { field throws(FieldReader.Short) in
        let (card, state, logical) = (try field.u32(), try field.u32(), try field.u8())
        let iccid = try field.array { field throws(FieldReader.Short) in try field.u8() }
        return (card: card, isActive: state == 1, logical: logical, iccid: iccid)
      }
    }
    let isESIM = try reply.read(0x11) { field throws(FieldReader.Short) in
      try field.array { field throws(FieldReader.Short) in
        _ = try field.bytes(5)  // Protocol, and how many applications.
        _ = try field.array { field throws(FieldReader.Short) in try field.u8() }  // Answer to reset.
        return try field.u8() != 0
      }
    }
    slots = entries.enumerated().map { index, entry in
      let card: SIMSlot.Card =
        switch entry.card {
        case 1: .absent
        case 2: .present
        default: .unknown
        }
      return SIMSlot(
        number: index + 1, isActive: entry.isActive, card: card, iccid: ICCID(file: entry.iccid),
        isESIM: isESIM.flatMap { $0.indices.contains(index) ? $0[index] : nil })
    }
    logicalSlot = entries.first(where: \.isActive)?.logical ?? 1
  }
}

extension CardStatus {
  /// The cards as slots, for modems that report nothing more.
  fileprivate var slots: [SIMSlot] {
    cards.enumerated().map { index, card in
      let state: SIMSlot.Card =
        switch card.state {
        case 0: .absent
        case 1: .present
        case 2: card.error == 6 ? .absent : .failed
        default: .unknown
        }
      return SIMSlot(number: index + 1, isActive: index + 1 == slot, card: state)
    }
  }
}

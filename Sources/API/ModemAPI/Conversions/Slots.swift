import ModemModel

/// Slots over org.modemd.Port and org.modemd.Modem.
extension PortInterface.Slot {
  public init(_ slot: SIMSlot) {
    self.init(
      slot: slot.number, active: slot.isActive, card: Card(rawValue: slot.card.rawValue) ?? .unknown,
      iccid: slot.iccid?.revealed, esim: slot.isESIM)
  }
}

extension SIMSlot {
  /// - Throws: `ConversionError` for what the model cannot hold.
  public init(_ wire: PortInterface.Slot) throws {
    self.init(
      number: wire.slot, isActive: wire.active, card: try Card(word: wire.card, "slots.card"),
      iccid: wire.iccid.map(ICCID.init), isESIM: wire.esim)
  }
}

extension ModemInterface.Slot {
  /// - Parameter showsIdentity: whether serial numbers are given.
  public init(_ slot: SIMSlot, showsIdentity: Bool) {
    self.init(
      slot: slot.number, active: slot.isActive, card: Card(rawValue: slot.card.rawValue) ?? .unknown,
      iccid: showsIdentity ? slot.iccid?.revealed : nil, esim: slot.isESIM)
  }
}

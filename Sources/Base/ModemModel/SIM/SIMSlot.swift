/// A place for a SIM in the modem, including soldered eSIMs.
public struct SIMSlot: Hashable, Sendable {
  /// Its content, as far as the modem reports it.
  public enum Card: String, Sendable, CaseIterable {
    case unknown, absent, present, failed
  }

  /// From 1.
  public var number: Int
  /// Whether the modem uses this one.
  public var isActive: Bool
  public var card: Card
  /// Of the card in it; many modems only report that of the active one.
  public var iccid: ICCID?
  /// Nil where the modem does not say.
  public var isESIM: Bool?

  public init(number: Int, isActive: Bool, card: Card = .unknown, iccid: ICCID? = nil, isESIM: Bool? = nil) {
    self.number = number
    self.isActive = isActive
    self.card = card
    self.iccid = iccid
    self.isESIM = isESIM
  }
}

/// The slots of a modem.
public struct SIMSlots: Hashable, Sendable {
  /// In the order of their numbers.
  public var slots: [SIMSlot]
  /// Whether the modem can switch to another one.
  public var canSwitch: Bool

  public init(_ slots: [SIMSlot], canSwitch: Bool) {
    self.slots = slots
    self.canSwitch = canSwitch
  }

  /// The number of the slot in use; nil if the modem uses none.
  public var active: Int? { slots.first(where: \.isActive)?.number }
}

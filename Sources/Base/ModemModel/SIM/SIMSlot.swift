/// A place for a SIM in the modem, soldered eSIMs among them.
public struct SIMSlot: Hashable, Sendable {
  /// What is in it, as far as the modem says.
  public enum Card: String, Sendable, CaseIterable {
    case unknown, absent, present, failed
  }

  /// From 1.
  public var number: Int
  /// Whether the modem works with this one.
  public var isActive: Bool
  public var card: Card
  /// Of the card in it; many modems tell that of the active one only.
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
  /// Whether the modem can be told to work with another one.
  public var canSwitch: Bool

  public init(_ slots: [SIMSlot], canSwitch: Bool) {
    self.slots = slots
    self.canSwitch = canSwitch
  }

  /// The number of the slot in use; nil where the modem uses none.
  public var active: Int? { slots.first(where: \.isActive)?.number }
}

/// The modem's slots: one is in use, the others keep their cards.
struct CardSlots: Sendable {
  private var slots: [ModemEngine.Slot]
  /// From 0.
  private(set) var active: Int

  /// - Parameter sims: the card in each slot at power-on; nil for an empty one.
  init(_ sims: [SimulatedSIM?], active: Int) {
    slots = sims.map { $0.map { .ready(SIMCard($0)) } ?? .empty }
    self.active = sims.indices.contains(active) ? active : 0
  }

  var count: Int { slots.count }

  subscript(index: Int) -> ModemEngine.Slot { slots[index] }

  /// The slot in use.
  var current: ModemEngine.Slot {
    get { slots[active] }
    set { slots[active] = newValue }
  }

  /// Selects another slot. The card in the old one loses power, and asks for its PIN again.
  mutating func use(_ index: Int) {
    if case .ready(let card) = current { current = .ready(card.powerCycled) }
    active = index
  }
}

extension SIMCard {
  /// The card after it had no power.
  var powerCycled: SIMCard {
    var card = self
    card.losePower()
    return card
  }
}

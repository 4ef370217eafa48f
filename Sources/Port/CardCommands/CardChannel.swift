/// A logical channel to a card (ETSI TS 102 221, 10.1.1): 0, which is the modem's own, to 19.
package struct CardChannel: Hashable, Sendable {
  package let number: UInt8

  /// The basic channel. Also for commands whose class byte the modem replaces.
  package static let basic = CardChannel(unchecked: 0)

  /// Nil for numbers that no card gives.
  package init?(_ number: UInt8) {
    guard number <= 19 else { return nil }
    self.init(unchecked: number)
  }

  private init(unchecked number: UInt8) { self.number = number }

  /// The class byte of commands on this channel, without secure messaging.
  package var classByte: UInt8 { number < 4 ? number : 0x40 | (number - 4) }
}

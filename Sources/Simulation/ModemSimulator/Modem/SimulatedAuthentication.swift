/// How a modem and its card answer challenges, as data. The default is a modem that knows every way
/// to its card, and a card that works.
package struct SimulatedAuthentication: Hashable, Sendable {
  /// A way from the host to the card.
  package enum Way: String, Sendable, CaseIterable {
    /// MBIM's service AUTH, or UIM Authenticate over QMI.
    case direct
    /// Commands to the card over a logical channel.
    case channels
  }

  /// What the card makes of a challenge.
  package enum Card: String, Sendable, CaseIterable {
    case working
    /// Its key is not the operator's: every challenge seems to come from elsewhere.
    case wrongKey
    /// It has accepted much later challenges, and tells the operator so once.
    case outOfStep
    /// It accepts no SQN, and tells the operator so each time.
    case neverInStep
  }

  package var ways = Set(Way.allCases)
  package var card = Card.working
  /// What the card answers to every challenge, SW1 in the high byte; nil for what follows from the
  /// challenge.
  package var statusWords: UInt16?
  /// The length of RES that the answer claims, 0 to 255; nil for the right one.
  package var claimedLength: Int?
  /// Whether AUTS is missing where the card gives one.
  package var leavesOutAUTS = false
  /// Whether the card also gives Kc (3GPP TS 31.102, 7.1.2.1, service 27).
  package var givesKc = false
  /// How long the card computes.
  package var delay = Duration.zero
  /// How many of the card's three logical channels others have taken.
  package var takenChannels = 0
  /// Whether the card announces its answer by 61xx, for GET RESPONSE to fetch (ISO 7816-3, the
  /// protocol T=0).
  package var usesGetResponse = false

  /// Makes a modem and a card that work.
  package init() {}
}

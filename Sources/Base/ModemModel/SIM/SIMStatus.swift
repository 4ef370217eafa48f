/// The SIM as the modem sees it: its state and its subscription data.
public struct SIMStatus: Hashable, Sendable {
  /// What prevents the use of the SIM.
  public enum State: String, Sendable, CaseIterable {
    case unknown, absent, initialising, pinRequired, pukRequired, notActivated, failed, ready
  }

  public var state: State
  /// PIN1 attempts left in `pinRequired`, PUK1 attempts in `pukRequired`; nil if the modem does not
  /// report them.
  public var retriesLeft: Int?
  /// The physical slot, from 1; nil where the modem does not say.
  public var slot: Int?
  public var iccid: ICCID?
  public var imsi: IMSI?
  /// Every number that the modem reports; empty if it reports none, as with many SIMs.
  public var numbers: [PhoneNumber]
  public var home: Network?

  public init(
    state: State = .unknown, retriesLeft: Int? = nil, slot: Int? = nil, iccid: ICCID? = nil, imsi: IMSI? = nil,
    numbers: [PhoneNumber] = [], home: Network? = nil
  ) {
    self.state = state
    self.retriesLeft = retriesLeft
    self.slot = slot
    self.iccid = iccid
    self.imsi = imsi
    self.numbers = numbers
    self.home = home
  }
}

/// The SIM as the modem sees it: its state, and what it says of the subscription.
public struct SIMStatus: Hashable, Sendable {
  /// What stands between the SIM and its use.
  public enum State: String, Sendable, CaseIterable {
    case unknown, absent, initialising, pinRequired, pukRequired, notActivated, failed, ready
  }

  public var state: State
  /// PIN1 attempts left while `pinRequired`, PUK1 attempts while `pukRequired`; nil where the modem does not say.
  public var retriesLeft: Int?
  /// The physical slot, from 1; nil where the modem does not say.
  public var slot: Int?
  public var iccid: ICCID?
  public var imsi: IMSI?
  /// Every number the modem reports; empty where it reports none, which many SIMs do.
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

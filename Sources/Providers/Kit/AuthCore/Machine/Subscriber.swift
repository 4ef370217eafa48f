import ModemModel

/// A flow's knowledge of the SIM and its network.
public struct Subscriber: Hashable, Sendable {
  /// Id of the modem.
  public var modem: String
  /// The network that issued the SIM.
  public var home: PLMN?
  /// The network that serves it.
  public var serving: PLMN?
  public var isRoaming: Bool
  /// The SIM's first number in E.164; nil for the many SIMs without one.
  public var number: SubscriberNumber?

  public init(
    modem: String, home: PLMN? = nil, serving: PLMN? = nil, isRoaming: Bool = false, number: SubscriberNumber? = nil
  ) {
    self.modem = modem
    self.home = home
    self.serving = serving
    self.isRoaming = isRoaming
    self.number = number
  }
}

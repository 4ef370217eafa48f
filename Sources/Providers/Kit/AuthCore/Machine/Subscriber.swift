import ModemModel

/// A flow's knowledge of the SIM and its network.
package struct Subscriber: Hashable, Sendable {
  /// Id of the modem.
  package var modem: String
  /// The network that issued the SIM.
  package var home: PLMN?
  /// The network that serves it.
  package var serving: PLMN?
  package var isRoaming: Bool
  /// The SIM's first number in E.164; nil for the many SIMs without one.
  package var number: SubscriberNumber?
  /// The SIM's identity, which its operator is told; nil if the modem hides it.
  package var imsi: IMSI?
  /// The SIM's serial number, to which what is kept for it is bound.
  package var iccid: ICCID?
  /// The modem's serial number.
  package var imei: IMEI?

  /// No SIM in this machine: the question is about a number alone.
  package static let unknown = Subscriber(modem: "")

  /// Whether it is the SIM of a modem.
  package var isKnown: Bool { !modem.isEmpty }

  package init(
    modem: String, home: PLMN? = nil, serving: PLMN? = nil, isRoaming: Bool = false, number: SubscriberNumber? = nil
  ) {
    self.modem = modem
    self.home = home
    self.serving = serving
    self.isRoaming = isRoaming
    self.number = number
  }
}

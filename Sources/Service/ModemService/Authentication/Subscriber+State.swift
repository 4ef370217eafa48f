import AuthCore
import ModemModel

extension Subscriber {
  /// The SIM's data from a modem's state.
  init(_ state: ModemState) {
    let number = state.sim.numbers.lazy.filter(\.isNormalised).compactMap { try? SubscriberNumber($0.revealed) }.first
    self.init(
      modem: state.id, home: state.sim.home?.plmn, serving: state.registration.serving?.plmn,
      isRoaming: state.registration.state == .roaming, number: number)
    imsi = state.sim.imsi
    iccid = state.sim.iccid
    imei = state.identity.imei.map { IMEI($0) }
  }
}

import ModemModel

extension ModemSettings {
  /// A SIM as it is shown: the modem's numbers, in E.164 if possible and without duplicates,
  /// followed by those from the configuration.
  func completing(_ status: SIMStatus) -> SIMStatus {
    guard status.state == .ready else { return status }
    let plan = homeCountry.flatMap { NumberingPlan(callingCode: $0) } ?? Self.plan(of: status)
    let all = status.numbers + numbers.map { PhoneNumber($0, source: .configured) }
    var status = status
    status.numbers = []
    for number in all.map({ $0.normalised(in: plan) }) where !number.revealed.isEmpty {
      if !status.numbers.contains(where: { $0.revealed == number.revealed }) { status.numbers.append(number) }
    }
    return status
  }

  private static func plan(of status: SIMStatus) -> NumberingPlan? {
    (status.imsi.map { String($0.revealed.prefix(3)) } ?? status.home?.plmn.mcc).flatMap { NumberingPlan(mcc: $0) }
  }
}

/// How the modem receives the reference signals of one cell of LTE or 5G, as the modem measures it.
///
/// Values are whole numbers: the protocols have steps of 0.1 to 1 dB, and less than 1 dB tells
/// nothing. GSM and UMTS have no such signals.
public struct ReferenceSignal: Hashable, Sendable {
  /// Reference signal received power in dBm, -156 to -31 (3GPP TS 36.133, 9.1.4; TS 38.133,
  /// 10.1.6). -80 is excellent, -110 is poor.
  public let rsrp: Int?
  /// Reference signal received quality in dB, -43 to 20 (3GPP TS 36.133, 9.1.7; TS 38.133,
  /// 10.1.11).
  public let rsrq: Int?
  /// Signal to interference and noise ratio in dB, -23 to 40 (3GPP TS 36.133, 9.1.17; TS 38.133,
  /// 10.1.16).
  public let sinr: Int?

  /// Nothing measured.
  public static let none = ReferenceSignal()

  /// Makes a measurement; a value outside its range counts as not measured, because modems report
  /// such values without a signal.
  public init(rsrp: Double? = nil, rsrq: Double? = nil, sinr: Double? = nil) {
    self.rsrp = Self.whole(rsrp, within: -156 ... -31)
    self.rsrq = Self.whole(rsrq, within: -43...20)
    self.sinr = Self.whole(sinr, within: -23...40)
  }

  private static func whole(_ value: Double?, within range: ClosedRange<Int>) -> Int? {
    // Int(exactly:) refuses what is not a number, and what no Int can hold.
    guard let value, let number = Int(exactly: value.rounded()), range.contains(number) else { return nil }
    return number
  }

  /// Whether this differs so much from `former` that a listener should hear of it: RSRP and SINR by
  /// 3 dB, RSRQ by 2 dB, or a value came or went.
  func differs(from former: ReferenceSignal) -> Bool {
    func moved(_ value: Int?, _ former: Int?, by step: Int) -> Bool {
      guard let value, let former else { return (value == nil) != (former == nil) }
      return abs(value - former) >= step
    }
    return moved(rsrp, former.rsrp, by: 3) || moved(rsrq, former.rsrq, by: 2) || moved(sinr, former.sinr, by: 3)
  }
}

extension Registration {
  /// This registration with the former measurements if they are the only difference and have hardly
  /// moved.
  ///
  /// Each change goes to every listener. A modem at rest measures a decibel more or less every
  /// second.
  public func steadied(after former: Registration) -> Registration {
    guard !referenceSignal.differs(from: former.referenceSignal) else { return self }
    var steadied = self
    steadied.referenceSignal = former.referenceSignal
    return steadied == former ? former : self
  }
}

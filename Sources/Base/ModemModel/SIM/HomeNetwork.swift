/// The network that issued a SIM. The IMSI does not show the length of its MNC, and 310-026 and
/// 310-26 are two networks.
public enum HomeNetwork {
  /// What the network or the modem reports.
  public struct Told: Hashable, Sendable {
    /// In digits if they are certain, else with two digits and with three.
    public let candidates: [PLMN]
    public let name: String?

    /// A network whose MNC has a known length, as in MBIM's ProviderId.
    public init(_ plmn: PLMN, name: String? = nil) {
      candidates = [plmn]
      self.name = name
    }

    /// A network by its numbers, as in QMI; nil if they are invalid.
    ///
    /// - Parameter hasThreeDigits: the PCS digit's value for the MNC; nil if the modem does not
    ///   report it.
    public init?(mcc: UInt16, mnc: UInt16, hasThreeDigits: Bool?, name: String? = nil) {
      guard (1...999).contains(mcc), mnc <= 999 else { return nil }
      let code = padded(mcc, 3)
      let lengths = mnc > 99 || hasThreeDigits == true ? [3] : hasThreeDigits == false ? [2] : [2, 3]
      candidates = lengths.compactMap { PLMN(mcc: code, mnc: padded(mnc, $0)) }
      self.name = name
    }

    /// The single matching network, determined from the IMSI and the country's MNC length; nil if
    /// two remain.
    public func settled(imsi: IMSI? = nil) -> PLMN? {
      guard candidates.count > 1 else { return candidates.first }
      let agreeing = candidates.filter { plmn in imsi?.revealed.hasPrefix(plmn.description) ?? false }
      if agreeing.count == 1 { return agreeing[0] }
      let length = MNCLengths.length(mcc: candidates[0].mcc)
      return candidates.first { $0.mnc.utf8.count == length }
    }

    func names(_ plmn: PLMN) -> Bool {
      candidates.contains {
        $0.mcc == plmn.mcc && (Int($0.mnc) == Int(plmn.mnc) || $0.mnc.hasPrefix(plmn.mnc) || plmn.mnc.hasPrefix($0.mnc))
      }
    }
  }

  /// Finds the home network: from the SIM's own file, then from the report, then from the country's
  /// MNC length.
  ///
  /// - Parameters:
  ///   - mncLength: digits of the MNC from EF_AD; nil if the file does not give it.
  ///   - told: nil without a report.
  /// - Returns: nil if it is not certain.
  public static func find(imsi: IMSI?, mncLength: Int?, told: Told?) -> Network? {
    if let imsi, let mncLength, let plmn = PLMN(imsi: imsi, mncLength: mncLength) {
      return Network(plmn, name: told.flatMap { $0.names(plmn) ? $0.name : nil })
    }
    if let told, let plmn = told.settled(imsi: imsi) { return Network(plmn, name: told.name) }
    guard told == nil, let imsi, let length = MNCLengths.length(mcc: String(imsi.revealed.prefix(3))) else {
      return nil
    }
    return PLMN(imsi: imsi, mncLength: length).map { Network($0) }
  }

  /// Reads EF_AD (3GPP TS 31.102, 4.2.18): byte 4 holds the length of the MNC.
  ///
  /// - Returns: 2 or 3; nil if the file is shorter, as on old SIMs, or holds another value.
  public static func mncLength(administrativeData file: [UInt8]) -> Int? {
    guard file.count >= 4, (2...3).contains(file[3] & 0xf) else { return nil }
    return Int(file[3] & 0xf)
  }
}

extension PLMN {
  /// Takes the network's codes from an IMSI; nil if it is too short or holds characters other than
  /// digits.
  public init?(imsi: IMSI, mncLength: Int) {
    let digits = imsi.revealed
    guard digits.utf8.count >= 3 + mncLength else { return nil }
    self.init(mcc: String(digits.prefix(3)), mnc: String(digits.dropFirst(3).prefix(mncLength)))
  }
}

/// The length of MNCs in each country (ITU-T E.212, annex to the Operational Bulletin).
public enum MNCLengths {
  /// Countries whose assignments have three digits.
  private static let three: Set<String> = Set(
    [
      302, 310, 311, 312, 313, 314, 315, 316, 330, 334, 338, 342, 344, 346, 348, 352, 354, 356, 358, 360, 365, 366, 376,
      708, 722, 732, 750,
    ].map(String.init))
  /// Countries that have both.
  private static let both: Set<String> = ["350", "374", "405", "502", "714", "738"]

  /// Digits of the MNC in a country: 2 or 3; nil if both occur, and for an invalid MCC.
  public static func length(mcc: String) -> Int? {
    guard mcc.utf8.count == 3, !both.contains(mcc) else { return nil }
    return three.contains(mcc) ? 3 : 2
  }
}

private func padded(_ number: UInt16, _ digits: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
}

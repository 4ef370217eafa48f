/// The codes of a mobile network (3GPP TS 23.003, 2.2). Digits are text: 310-026 and 310-26 are two
/// networks.
public struct PLMN: Hashable, Sendable, CustomStringConvertible {
  /// Mobile country code: three digits.
  public let mcc: String
  /// Mobile network code: two or three digits.
  public let mnc: String

  /// Makes a network code; nil unless `mcc` has three decimal digits and `mnc` two or three.
  public init?(mcc: String, mnc: String) {
    let digits = { (text: String) in text.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    guard mcc.utf8.count == 3, (2...3).contains(mnc.utf8.count), digits(mcc), digits(mnc) else { return nil }
    self.mcc = mcc
    self.mnc = mnc
  }

  /// Reads MCC and MNC written together, as MBIM's ProviderId is: five or six digits.
  public init?(_ provider: String) {
    self.init(mcc: String(provider.prefix(3)), mnc: String(provider.dropFirst(3)))
  }

  /// MCC and MNC written together, as in 26201 or 310260.
  public var description: String { mcc + mnc }
}

/// A network's codes, and its name if the modem knows it.
public struct Network: Hashable, Sendable {
  public let plmn: PLMN
  public let name: String?

  public init(_ plmn: PLMN, name: String? = nil) {
    self.plmn = plmn
    self.name = name.flatMap { $0.isEmpty ? nil : $0 }
  }
}

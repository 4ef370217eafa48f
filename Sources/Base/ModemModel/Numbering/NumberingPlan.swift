/// How a country writes numbers internally, as far as needed to convert a SIM's own number to
/// E.164.
public struct NumberingPlan: Hashable, Sendable {
  /// The country's code (ITU-T E.164, 6.2.1): 1 to 3 digits.
  public let callingCode: String
  /// The prefix of a national number, such as 0; nil if there is none.
  public let trunkPrefix: String?
  /// The prefixes of an international number, such as 00.
  public let internationalPrefixes: [String]
  /// How many digits a mobile's national number has; empty if unknown here.
  public let mobileLengths: [Int]
  /// The possible first digits of a mobile's national number; empty if unknown here.
  public let mobileDigits: String

  /// The plan of the country with an MCC (ITU-T E.212); nil for unknown MCCs and for shared ones
  /// such as 901.
  public init?(mcc: String) {
    guard let row = NumberingPlans.byMCC[mcc] else { return nil }
    self = row
  }

  /// The plan of the country with a calling code.
  ///
  /// - Parameter callingCode: 1 to 3 digits without a leading 0; a leading `+` is dropped. Nil for
  ///   anything else.
  public init?(callingCode: String) {
    let code = callingCode.hasPrefix("+") ? String(callingCode.dropFirst()) : callingCode
    guard (1...3).contains(code.utf8.count), E164.hasDigitsOnly(code), !code.hasPrefix("0") else { return nil }
    self = NumberingPlans.byCallingCode[code] ?? NumberingPlan(code, trunk: nil, lengths: [], digits: "")
  }

  init(_ callingCode: String, trunk: String?, lengths: [Int], digits: String) {
    self.callingCode = callingCode
    trunkPrefix = trunk
    internationalPrefixes = NumberingPlans.internationalPrefixes[callingCode] ?? ["00"]
    mobileLengths = lengths
    mobileDigits = digits
  }

  /// The national number after its trunk prefix; nil if the digits do not begin with one.
  func withoutTrunkPrefix(_ digits: String) -> String? {
    guard let trunkPrefix, digits.hasPrefix(trunkPrefix) else { return nil }
    let national = String(digits.dropFirst(trunkPrefix.utf8.count))
    // No national number begins with 0 if 0 is the trunk prefix. For other prefixes, only the
    // length decides.
    return trunkPrefix.hasPrefix("0") || mobileLengths.contains(national.utf8.count) ? national : nil
  }

  /// Whether the digits can be a mobile's national number here.
  func isMobileNumber(_ digits: String) -> Bool {
    guard mobileLengths.contains(digits.utf8.count) else { return false }
    // If the first digits of mobiles are unknown, digits that begin with the calling code may be a
    // truncated number.
    return mobileDigits.isEmpty ? !digits.hasPrefix(callingCode) : digits.first.map(mobileDigits.contains) ?? false
  }

  /// Whether the digits can be a mobile's number here, with its calling code and without `+`.
  func isInternational(_ digits: String) -> Bool {
    guard digits.hasPrefix(callingCode) else { return false }
    let national = digits.dropFirst(callingCode.utf8.count)
    return mobileLengths.contains(national.utf8.count)
      && (mobileDigits.isEmpty || national.first.map(mobileDigits.contains) ?? false)
  }
}

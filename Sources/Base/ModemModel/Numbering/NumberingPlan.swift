/// How the numbers of a country are written inside it: what is needed to lead a SIM's own number to E.164.
public struct NumberingPlan: Hashable, Sendable {
  /// The country's code (ITU-T E.164, 6.2.1): 1 to 3 digits.
  public let callingCode: String
  /// What is dialled before a national number, as 0; nil where there is no such prefix.
  public let trunkPrefix: String?
  /// What is dialled before an international number, as 00.
  public let internationalPrefixes: [String]
  /// How many digits the national number of a mobile has; empty where that is not known here.
  public let mobileLengths: [Int]
  /// What digits the national number of a mobile begins with; empty where that is not known here.
  public let mobileDigits: String

  /// The plan of the country that an MCC belongs to (ITU-T E.212); nil for unknown ones, and for shared codes as 901.
  public init?(mcc: String) {
    guard let row = NumberingPlans.byMCC[mcc] else { return nil }
    self = row
  }

  /// The plan of the country with a calling code.
  ///
  /// - Parameter callingCode: 1 to 3 digits, of which the first is not 0; a leading `+` is taken off. Nil for anything else.
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

  /// The national number behind its trunk prefix; nil where the digits do not begin with one.
  func withoutTrunkPrefix(_ digits: String) -> String? {
    guard let trunkPrefix, digits.hasPrefix(trunkPrefix) else { return nil }
    let national = String(digits.dropFirst(trunkPrefix.utf8.count))
    // No national number begins with 0 where 0 is the trunk prefix; of other prefixes only the length tells.
    return trunkPrefix.hasPrefix("0") || mobileLengths.contains(national.utf8.count) ? national : nil
  }

  /// Whether the digits can be the national number of a mobile here.
  func isMobileNumber(_ digits: String) -> Bool {
    guard mobileLengths.contains(digits.utf8.count) else { return false }
    // Without knowing how mobiles begin, what begins with the calling code may be a number cut short.
    return mobileDigits.isEmpty ? !digits.hasPrefix(callingCode) : digits.first.map(mobileDigits.contains) ?? false
  }

  /// Whether the digits can be the number of a mobile here with its calling code and without `+`.
  func isInternational(_ digits: String) -> Bool {
    guard digits.hasPrefix(callingCode) else { return false }
    let national = digits.dropFirst(callingCode.utf8.count)
    return mobileLengths.contains(national.utf8.count)
      && (mobileDigits.isEmpty || national.first.map(mobileDigits.contains) ?? false)
  }
}

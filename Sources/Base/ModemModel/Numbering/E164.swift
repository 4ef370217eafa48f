/// The form of international telephone numbers (ITU-T E.164, 6.2), and how to convert other forms
/// to it.
enum E164 {
  /// Whether a text is `+` and 7 to 15 digits without a leading 0, because no calling code begins
  /// with 0.
  static func isNumber(_ text: String) -> Bool {
    let digits = text.dropFirst()
    return text.hasPrefix("+") && (7...15).contains(digits.utf8.count) && !digits.hasPrefix("0")
      && hasDigitsOnly(digits)
  }

  static func hasDigitsOnly(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The number in E.164; nil if its form is ambiguous.
  static func number(from text: String, _ type: PhoneNumber.NumberType, _ plan: NumberingPlan?) -> String? {
    // Characters that people and some firmware put between digits (ITU-T E.123, 6).
    let compact = String(text.filter { !" -./()\u{a0}".contains($0) })
    if compact.hasPrefix("+") { return checked(compact) }
    guard hasDigitsOnly(compact), let plan else { return nil }
    if type != .national, let prefix = plan.internationalPrefixes.first(where: { compact.hasPrefix($0) }) {
      return checked("+" + compact.dropFirst(prefix.utf8.count))
    }
    if type == .national { return checked("+\(plan.callingCode)\(plan.withoutTrunkPrefix(compact) ?? compact)") }
    if let national = plan.withoutTrunkPrefix(compact) { return checked("+\(plan.callingCode)\(national)") }
    switch (plan.isMobileNumber(compact), plan.isInternational(compact)) {
    case (true, false): return checked("+\(plan.callingCode)\(compact)")
    case (false, true): return checked("+\(compact)")
    // Both readings are possible, or neither is: a guess would name a stranger's number.
    case (true, true), (false, false): return nil
    }
  }

  private static func checked(_ number: String) -> String? { isNumber(number) ? number : nil }
}

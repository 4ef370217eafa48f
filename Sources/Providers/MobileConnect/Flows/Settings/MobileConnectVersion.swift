/// A version of the Mobile Connect profile, as in a request's `version` and an operator's
/// `mc_version`.
///
/// Its text is sent unchanged; the number at its end determines the rules. The profile's own
/// spellings differ: `mc_v2.0` and `mc_v2_0` are one version, and so are `mc_di_v3.0` and
/// `mc_di_r3.0`.
package struct MobileConnectVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let text: String
  private let major: Int
  private let minor: Int

  package static let v1_1 = MobileConnectVersion(known: "mc_v1.1", 1, 1)
  package static let v1_2 = MobileConnectVersion(known: "mc_v1.2", 1, 2)
  package static let v2_0 = MobileConnectVersion(known: "mc_v2.0", 2, 0)
  package static let v2_3 = MobileConnectVersion(known: "mc_di_r2_v2.3", 2, 3)
  package static let v3_0 = MobileConnectVersion(known: "mc_di_v3.0", 3, 0)
  /// Those with known rules, the oldest first.
  package static let known = [v1_1, v1_2, v2_0, v2_3, v3_0]

  private init(known text: String, _ major: Int, _ minor: Int) {
    self.text = text
    self.major = major
    self.minor = minor
  }

  /// Reads a version of the device-initiated mode; nil for anything else, including a version of
  /// the server-initiated mode (`mc_si_`).
  package init?(_ text: String) {
    guard text.hasPrefix("mc_"), !text.hasPrefix("mc_si_"), text.utf8.count <= 64,
      text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { return nil }
    let digits = text.split(whereSeparator: { !$0.isASCII || !$0.isNumber })
    guard digits.count >= 2, let last = text.last, last.isNumber, let major = Int(digits[digits.count - 2]),
      let minor = Int(digits[digits.count - 1])
    else { return nil }
    self.init(known: text, major, minor)
  }

  /// The newest version that an operator offers and whose rules are known here, in the operator's
  /// own spelling.
  ///
  /// - Parameter offered: `mc_version` of the operator's metadata.
  /// - Returns: nil without a common version.
  package static func newestCommon(of offered: [String]) -> MobileConnectVersion? {
    offered.compactMap { MobileConnectVersion($0) }.filter { version in known.contains { $0.isSame(as: version) } }
      .max()
  }

  /// Whether the same rules apply, in any spelling.
  package func isSame(as other: MobileConnectVersion) -> Bool { !(self < other) && !(other < self) }

  package static func < (a: MobileConnectVersion, b: MobileConnectVersion) -> Bool {
    (a.major, a.minor) < (b.major, b.minor)
  }

  package var description: String { text }
}

import ModemModel

/// A number in a question, in E.164. Providers need different forms of it.
package struct SubscriberNumber: PersonalData {
  /// What is wrong with an invalid number's text. It never holds the text.
  package struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// With its `+`, as CAMARA, Mobile Connect and Firebase need it.
  package let revealed: String
  package static var readableSuffix: Int { 2 }

  /// Reads a number in international form as people write it: digits after `+`, `00` or nothing,
  /// with blanks, dashes, dots, slashes and brackets between them. `(0)` is a trunk prefix that is
  /// not dialled from abroad, and is left out (ITU-T E.123, 7.2).
  ///
  /// - Throws: `Invalid`.
  package init(_ text: String) throws(Invalid) {
    let dialled = text.filter { !$0.isWhitespace }.replacing("(0)", with: "")
    let compact = dialled.filter { !Self.separators.contains($0) }
    // The prefix for calls abroad of most countries (ITU-T E.164, 6.3).
    let number =
      compact.hasPrefix("+") ? compact : "+" + (compact.hasPrefix("00") ? String(compact.dropFirst(2)) : compact)
    // A national number could be taken for a stranger's in another country, and no country's code
    // begins with 0 (ITU-T E.164 D).
    guard !number.hasPrefix("+0"), PhoneNumber(number, source: .configured).isNormalised else {
      throw Invalid(
        description:
          "the number is text of \(text.count) characters; expected the international form, + and 7 to 15 digits")
    }
    revealed = number
  }

  /// Characters between digits, among them the hyphens and dashes of text programs.
  private static let separators: Set<Character> = [
    "-", ".", "/", "(", ")", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2212}",
  ]

  /// Without the `+`, as tru.ID and IPification need it.
  package var digits: String { String(revealed.dropFirst()) }
}

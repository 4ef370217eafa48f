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

  /// Reads a number in international form: digits after an optional `+`, with blanks, dashes, dots
  /// and brackets between them.
  ///
  /// - Throws: `Invalid`.
  package init(_ text: String) throws(Invalid) {
    let compact = text.filter { !" -./()\u{a0}".contains($0) }
    let number = compact.hasPrefix("+") ? compact : "+" + compact
    // A national number could be taken for a stranger's in another country.
    guard !compact.hasPrefix("0"), PhoneNumber(number, source: .configured).isNormalised else {
      throw Invalid(
        description:
          "the number is text of \(text.count) characters; expected the international form, + and 7 to 15 digits")
    }
    revealed = number
  }

  /// Without the `+`, as tru.ID and IPification need it.
  package var digits: String { String(revealed.dropFirst()) }
}

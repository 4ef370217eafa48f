/// Text in the form that the search for codes uses.
enum CodeText {
  /// Decimal digits of every script as ASCII digits.
  static func plainDigits(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          guard !scalar.isASCII, scalar.properties.numericType == .decimal,
            let value = scalar.properties.numericValue, let digit = UnicodeScalar(0x30 + Int(value))
          else { return scalar }
          return digit
        }))
  }

  /// The runs of digits, or of ASCII letters and digits, that are not part of a longer one.
  static func runs(in text: [Character], digitsOnly: Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start: Int?
    for (index, character) in text.enumerated() {
      if character.isASCIIDigit || !digitsOnly && character.isASCIILetter {
        start = start ?? index
      } else if let first = start {
        runs.append(first..<index)
        start = nil
      }
    }
    if let start { runs.append(start..<text.count) }
    return runs
  }
}

extension Character {
  var isASCIIDigit: Bool { ("0"..."9").contains(self) && isASCII }
  var isASCIILetter: Bool { isASCII && isLetter }
}

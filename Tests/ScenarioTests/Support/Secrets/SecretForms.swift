import FoundationEssentials
import TokenSigning

/// The forms in which a secret may stand in a text.
enum SecretForms {
  /// How a form is looked for.
  enum Match: Hashable, Sendable {
    /// Anywhere.
    case part(String)
    /// With no letter or digit beside it: short ones would be found in other words.
    case word(String)
  }

  /// Digits that make a secret however much of it stands before them: a national number has them too.
  static let tail = 7

  /// A number of a person or a card: its last digits are in every written form, with `+`, without, and national. Its hash is one
  /// too, as all numbers are soon tried.
  static func ofNumber(_ number: String) -> [Match] {
    let digits = number.filter(\.isASCIIDigit)
    guard digits.utf8.count >= tail else { return ofText(digits) }
    let hashes = ["+\(digits)", digits].map { Digest.hex(Digest.sha256($0.utf8)) }
    return ([String(digits.suffix(tail))] + base64Forms(of: digits) + hashes).map { .part($0) }
  }

  /// Any other text: as it is, percent-encoded, and in Base64. A text of several lines is found by any long line of it.
  static func ofText(_ text: String) -> [Match] {
    let lines = text.split(whereSeparator: \.isNewline).map { String($0).trimmed }
      .filter { !$0.isEmpty && !$0.hasPrefix("-----") }
    guard lines.count <= 1 else { return lines.filter { $0.utf8.count >= 16 }.flatMap(ofText) }
    guard let line = lines.first, line.utf8.count >= 4 else { return [] }
    // A code or a PIN, which stands in other numbers by chance.
    if line.utf8.count < 8 { return [.word(line)] }
    let encoded = percentEncoded(line)
    return [.part(line)] + (encoded == line ? [] : [.part(encoded)]) + base64Forms(of: line).map { .part($0) }
  }

  /// What every Base64 text that contains this one has in it, whatever stands before and behind: one form for each place that
  /// it may have in a group of three bytes.
  static func base64Forms(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    guard bytes.count >= 8 else { return [] }
    let forms = (0..<3).map { offset in
      let encoded = Data(repeating: 0, count: offset) + Data(bytes)
      // The first characters depend on what stands before, the last ones on what stands behind.
      let head = (offset * 8 + 5) / 6
      let whole = (offset + bytes.count) * 8 / 6
      return String(encoded.base64EncodedString().prefix(whole).dropFirst(head))
    }
    let forURLs = forms.map { form in String(form.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }) }
    return Array(Set(forms + forURLs)).sorted()
  }

  private static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return text.utf8.reduce(into: "") { encoded, byte in
      let character = Character(Unicode.Scalar(byte))
      if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
        encoded.append(character)
      } else {
        encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }
}

extension Character {
  var isASCIIDigit: Bool { isASCII && isNumber }
}

extension String {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

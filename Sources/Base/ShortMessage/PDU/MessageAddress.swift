import ModemModel

/// Who sent a message, or the service centre that passed it on: a number or a name (3GPP TS 23.040,
/// 9.1.2.5). It prints redacted.
package struct MessageAddress: PersonalData {
  /// What the address is.
  package enum Kind: String, Hashable, Sendable {
    /// `+` and digits.
    case international
    /// Digits from the network: national, a short code, or of no stated kind.
    case number
    /// A name of at most 11 characters.
    case alphanumeric
  }

  package let revealed: String
  package let kind: Kind
  package static var readableSuffix: Int { 2 }

  package init(_ text: String, kind: Kind) {
    revealed = text
    self.kind = kind
  }

  /// Reads the semi-octets of an address.
  ///
  /// - Parameters:
  ///   - type: its type octet: type of number in bits 4 to 6.
  ///   - octets: the value.
  ///   - nibbles: how many of its semi-octets count.
  init(type: UInt8, octets: ArraySlice<UInt8>, nibbles: Int) {
    let isName = type & 0x70 == 0x50
    if isName {
      self.init(GSMAlphabet.text(GSMAlphabet.unpacked(octets, count: nibbles * 4 / 7)), kind: .alphanumeric)
      return
    }
    let digits = octets.flatMap { [$0 & 0xf, $0 >> 4] }.prefix(nibbles).prefix { $0 != 0xf }
    let text = digits.map { String(Self.symbols[Int($0)]) }.joined()
    let isInternational = type & 0x70 == 0x10 && !text.isEmpty
    self.init(isInternational ? "+" + text : text, kind: isInternational ? .international : .number)
  }

  private static let symbols: [Character] = Array("0123456789*#abc")

  /// Whether a caller means this sender: the same characters, regardless of case.
  package func matches(_ wanted: String) -> Bool { revealed.lowercased() == wanted.lowercased() }
}

/// The text of a message. It prints redacted.
package struct MessageText: PersonalData {
  package let revealed: String
  package init(_ text: String) { revealed = text }
}

/// A one-time code from a message. It prints redacted.
package struct OneTimeCode: PersonalData {
  package let revealed: String
  package init(_ code: String) { revealed = code }
}

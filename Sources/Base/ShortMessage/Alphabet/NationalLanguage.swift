/// A language with its own shift tables (3GPP TS 23.038, 6.2.1.2.4), by its identifier in a
/// message's header.
///
/// Other identifiers fall back to the default alphabet and its extension, as the specification
/// requires.
package enum NationalLanguage: UInt8, Hashable, Sendable, CaseIterable {
  case turkish = 1
  /// Has a single shift table only.
  case spanish = 2
  case portuguese = 3

  /// Replaces the default alphabet; nil if the language has no locking shift table (A.3).
  var lockingTable: [UInt16]? {
    switch self {
    case .turkish: Self.turkishLocking
    case .spanish: nil
    case .portuguese: Self.portugueseLocking
    }
  }

  /// The characters after an escape (A.2).
  var singleTable: [UInt8: UInt16] {
    switch self {
    case .turkish: Self.turkishSingle
    case .spanish: Self.spanishSingle
    case .portuguese: Self.portugueseSingle
    }
  }

  private static let turkishLocking = GSMAlphabet.units(
    "@£$¥€éùıòÇ\nĞğ\rÅå", "Δ_ΦΓΛΩΠΨΣΘΞ\u{1b}ŞşßÉ", " !\"#¤%&'()*+,-./", "0123456789:;<=>?", "İABCDEFGHIJKLMNO",
    "PQRSTUVWXYZÄÖÑÜ§", "çabcdefghijklmno", "pqrstuvwxyzäöñüà")
  private static let portugueseLocking = GSMAlphabet.units(
    "@£$¥êéúíóç\nÔô\rÁá", "Δ_ªÇÀ∞^\\€Ó|\u{1b}ÂâÊÉ", " !\"#º%&'()*+,-./", "0123456789:;<=>?", "ÍABCDEFGHIJKLMNO",
    "PQRSTUVWXYZÃÕÚÜ§", "~abcdefghijklmno", "pqrstuvwxyzãõ`üà")

  private static let turkishSingle = GSMAlphabet.extensionUnits(
    [0x47: "Ğ", 0x49: "İ", 0x53: "Ş", 0x63: "ç", 0x67: "ğ", 0x69: "ı", 0x73: "ş"])
  private static let spanishSingle = GSMAlphabet.extensionUnits(
    [
      0x09: "ç", 0x41: "Á", 0x49: "Í", 0x4f: "Ó", 0x55: "Ú", 0x61: "á", 0x69: "í", 0x6f: "ó", 0x75: "ú",
    ])
  private static let portugueseSingle = GSMAlphabet.extensionUnits(
    [
      0x05: "ê", 0x09: "ç", 0x0b: "Ô", 0x0c: "ô", 0x0e: "Á", 0x0f: "á", 0x12: "Φ", 0x13: "Γ", 0x15: "Ω", 0x16: "Π",
      0x17: "Ψ", 0x18: "Σ", 0x19: "Θ", 0x1f: "Ê", 0x41: "À", 0x49: "Í", 0x4f: "Ó", 0x55: "Ú", 0x5b: "Ã", 0x5c: "Õ",
      0x61: "Â", 0x69: "í", 0x6f: "ó", 0x75: "ú", 0x7b: "ã", 0x7c: "õ", 0x7f: "â",
    ])
}

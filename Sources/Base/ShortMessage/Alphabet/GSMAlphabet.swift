/// The GSM 7-bit alphabets: septets to text and back (3GPP TS 23.038, 6.2.1).
package enum GSMAlphabet {
  /// Selects a character of the extension or of a language's single shift table.
  static let escape: UInt8 = 0x1b

  /// The tables that a message's header chose; nil means the default ones.
  package struct Tables: Hashable, Sendable {
    package var locking: NationalLanguage?
    package var single: NationalLanguage?

    package init(locking: NationalLanguage? = nil, single: NationalLanguage? = nil) {
      self.locking = locking
      self.single = single
    }
  }

  /// Reads septets, each in one element below 128.
  ///
  /// An escape to an empty place in its table gives the character of the main table. A doubled
  /// escape, and one at the end, give a space.
  package static func text(_ septets: some Sequence<UInt8>, tables: Tables = Tables()) -> String {
    let main = tables.locking?.lockingTable ?? Self.main
    let shifted = tables.single?.singleTable ?? Self.extensions
    var units: [UInt16] = []
    var isEscaped = false
    for septet in septets.lazy.map({ $0 & 0x7f }) {
      switch (isEscaped, septet == escape) {
      case (false, true):
        isEscaped = true
        continue
      case (true, true): units.append(space)
      case (true, false): units.append(shifted[septet] ?? main[Int(septet)])
      case (false, false): units.append(main[Int(septet)])
      }
      isEscaped = false
    }
    if isEscaped { units.append(space) }
    return String(decoding: units, as: UTF16.self)
  }

  /// Writes text in the default alphabet and its extension; nil if neither has one of its
  /// characters.
  package static func septets(_ text: String) -> [UInt8]? {
    var septets: [UInt8] = []
    for unit in text.utf16 {
      if let septet = mainSeptets[unit] {
        septets.append(septet)
      } else if let septet = extensionSeptets[unit] {
        septets += [escape, septet]
      } else {
        return nil
      }
    }
    return septets
  }

  /// Extracts septets from octets, least significant bit first (TS 23.038, 6.1.2.1).
  ///
  /// - Parameters:
  ///   - octets: read only as far as needed; missing septets are left out.
  ///   - offset: where the first septet begins, in bits.
  package static func unpacked(_ octets: some RandomAccessCollection<UInt8>, count: Int, offset: Int = 0) -> [UInt8] {
    let octets = Array(octets)
    return (0..<max(count, 0)).compactMap { index in
      let bit = offset + index * 7
      let (position, shift) = (bit / 8, bit % 8)
      guard position < octets.count, shift <= 1 || position + 1 < octets.count else { return nil }
      let low = UInt16(octets[position])
      let high = shift > 1 ? UInt16(octets[position + 1]) : 0
      return UInt8(truncatingIfNeeded: (low | high << 8) >> UInt16(shift)) & 0x7f
    }
  }

  /// Puts septets into octets.
  ///
  /// - Parameter offset: bits to leave free before the first septet, as behind a header.
  package static func packed(_ septets: [UInt8], offset: Int = 0) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: (offset + septets.count * 7 + 7) / 8)
    for (index, septet) in septets.enumerated() {
      let bit = offset + index * 7
      let bits = UInt16(septet & 0x7f) << UInt16(bit % 8)
      octets[bit / 8] |= UInt8(truncatingIfNeeded: bits)
      if bits > 0xff { octets[bit / 8 + 1] |= UInt8(truncatingIfNeeded: bits >> 8) }
    }
    return octets
  }

  // MARK: Tables

  private static let space: UInt16 = 0x20

  /// Eight rows of sixteen characters. A reader without escapes shows a space for the escape.
  static func units(_ rows: String...) -> [UInt16] {
    let units = rows.flatMap { $0.utf16.map { $0 == UInt16(escape) ? space : $0 } }
    // Impossible: the tables are constants of this program, and a test reads each.
    precondition(rows.count == 8 && units.count == 128, "an alphabet has eight rows of sixteen")
    return units
  }

  /// A single shift table: the common characters and the language's own.
  static func extensionUnits(_ own: [UInt8: String]) -> [UInt8: UInt16] {
    let common: [UInt8: String] = [
      0x0a: "\u{0c}", 0x14: "^", 0x28: "{", 0x29: "}", 0x2f: "\\", 0x3c: "[", 0x3d: "~", 0x3e: "]", 0x40: "|",
      0x65: "€",
    ]
    return common.merging(own) { $1 }.compactMapValues { $0.utf16.first }
  }

  static let main = units(
    "@£$¥èéùìòÇ\nØø\rÅå", "Δ_ΦΓΛΩΠΨΣΘΞ\u{1b}ÆæßÉ", " !\"#¤%&'()*+,-./", "0123456789:;<=>?", "¡ABCDEFGHIJKLMNO",
    "PQRSTUVWXYZÄÖÑÜ§", "¿abcdefghijklmno", "pqrstuvwxyzäöñüà")
  static let extensions = extensionUnits([:])

  private static let mainSeptets: [UInt16: UInt8] = {
    var septets: [UInt16: UInt8] = [:]
    for (septet, unit) in main.enumerated() where septet != escape { septets[unit] = UInt8(septet) }
    return septets
  }()
  private static let extensionSeptets = Dictionary(extensions.map { ($1, $0) }) { first, _ in first }
}

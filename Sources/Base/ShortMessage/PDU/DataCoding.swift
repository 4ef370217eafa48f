/// How a message's user data is coded, and its class (3GPP TS 23.038, clause 4).
package struct DataCoding: Hashable, Sendable {
  package enum Alphabet: Hashable, Sendable {
    case gsm7
    case data
    /// UCS-2, which phones fill with UTF-16.
    case ucs2
  }

  /// The purpose of a message with a class: 0 is shown at once and not stored, 1 is for the
  /// terminal, 2 for the SIM, 3 for other equipment.
  package let messageClass: Int?
  package let alphabet: Alphabet
  /// Compressed text (TS 23.042) is not expanded here.
  package let isCompressed: Bool
  /// Whether the message only sets or clears a waiting indication (voice mail), and need not be
  /// kept.
  package let isDiscardableIndication: Bool

  package init(_ octet: UInt8) {
    var alphabet = Alphabet.gsm7
    var messageClass: Int?
    var isCompressed = false
    switch octet >> 4 {
    case 0...7:
      isCompressed = octet & 0x20 != 0
      if octet & 0x10 != 0 { messageClass = Int(octet & 3) }
      switch octet & 0x0c {
      case 0x04: alphabet = .data
      case 0x08: alphabet = .ucs2
      default: break
      }
    case 0xe: alphabet = .ucs2
    case 0xf:
      messageClass = Int(octet & 3)
      if octet & 0x04 != 0 { alphabet = .data }
    // Waiting indications in the default alphabet, and reserved codings, which count as the
    // default.
    default: break
    }
    self.alphabet = alphabet
    self.messageClass = messageClass
    self.isCompressed = isCompressed
    isDiscardableIndication = octet >> 4 == 0xc
  }
}

/// Which part of which long message this is (3GPP TS 23.040, 9.2.3.24.1 and 9.2.3.24.8).
package struct Concatenation: Hashable, Sendable {
  /// Chosen by the sender for all parts of one message.
  package let reference: UInt16
  /// Whether the reference has 16 bits instead of 8.
  package let isWide: Bool
  /// 1 to 255.
  package let total: Int
  /// From 1 to `total`.
  package let number: Int

  package init(reference: UInt16, isWide: Bool, total: Int, number: Int) {
    self.reference = reference
    self.isWide = isWide
    self.total = total
    self.number = number
  }
}

/// The information elements in front of a message's text (3GPP TS 23.040, 9.2.3.24).
package struct UserDataHeader: Hashable, Sendable {
  package private(set) var concatenation: Concatenation?
  /// The application that the message is for, unless it is for a person.
  package private(set) var destinationPort: UInt16?
  package private(set) var tables = GSMAlphabet.Tables()

  package init() {}

  /// Reads the elements. If the last one does not fit, the whole header is ignored. Unknown, short
  /// or invalid elements are ignored, and the last of two equal elements counts.
  init(_ octets: ArraySlice<UInt8>) {
    var elements: [(id: UInt8, value: [UInt8])] = []
    var rest = octets
    while let id = rest.popFirst() {
      guard let length = rest.popFirst().map(Int.init), length <= rest.count else { return }
      elements.append((id, Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
    for (id, value) in elements { read(id, value) }
  }

  private mutating func read(_ id: UInt8, _ value: [UInt8]) {
    switch (id, value.count) {
    case (0x00, 3...): join(reference: UInt16(value[0]), isWide: false, total: value[1], number: value[2])
    case (0x08, 4...):
      join(reference: UInt16(value[0]) << 8 | UInt16(value[1]), isWide: true, total: value[2], number: value[3])
    case (0x04, 2...): destinationPort = UInt16(value[0])
    case (0x05, 4...): destinationPort = UInt16(value[0]) << 8 | UInt16(value[1])
    case (0x24, 1...): tables.single = NationalLanguage(rawValue: value[0])
    case (0x25, 1...): tables.locking = NationalLanguage(rawValue: value[0])
    default: break
    }
  }

  private mutating func join(reference: UInt16, isWide: Bool, total: UInt8, number: UInt8) {
    guard total > 0, (1...total).contains(number) else { return }
    concatenation = Concatenation(reference: reference, isWide: isWide, total: Int(total), number: Int(number))
  }
}

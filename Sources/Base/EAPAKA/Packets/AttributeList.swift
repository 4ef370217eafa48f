import ModemModel

/// The attributes of one message, or of what is encrypted in one, each of the form that it has to
/// have. None but AT_KDF is there twice.
package struct AttributeList: Hashable, Sendable {
  /// What a message may have.
  package struct Expected: Sendable {
    var required: Set<AttributeType>
    var optional: Set<AttributeType>

    package init(_ required: Set<AttributeType>, optional: Set<AttributeType> = []) {
      self.required = required
      self.optional = optional
    }

    func contains(_ type: AttributeType) -> Bool { required.contains(type) || optional.contains(type) }
  }

  private var contents: [AttributeType: [UInt8]] = [:]
  /// Of AT_KDF, in their order.
  package private(set) var keyDerivations: [UInt16] = []
  /// Where AT_MAC's value begins, counted from the first byte that was read.
  package private(set) var macPlace: Int?

  /// Reads all of the bytes.
  ///
  /// - Throws: for what is unknown or not expected, unless it may be skipped (RFC 4187, 8.1); for a
  ///   wrong form, for what is there twice, and for what is missing.
  package init(reading bytes: ArraySlice<UInt8>, _ expected: Expected) throws(EAPRefusal) {
    var rest = bytes
    while let number = rest.first {
      guard rest.count >= 4 else { throw .attributeLength(number) }
      let count = Int(rest[rest.startIndex + 1]) * 4
      guard count > 0, count <= rest.count else { throw .attributeLength(number) }
      let place = rest.startIndex - bytes.startIndex
      let value = rest.dropFirst(2).prefix(count - 2)
      rest = rest.dropFirst(count)
      guard let type = AttributeType(rawValue: number), expected.contains(type) else {
        if AttributeType.isSkippable(number) { continue }
        throw AttributeType(rawValue: number) == nil ? .unknownAttribute(number) : .misplacedAttribute(number)
      }
      try add(type, value, at: place)
      if type == .padding, !rest.isEmpty { throw .attributeLength(number) }
    }
    for type in expected.required where !has(type) { throw .missingAttribute(type) }
  }

  private mutating func add(_ type: AttributeType, _ value: ArraySlice<UInt8>, at place: Int) throws(EAPRefusal) {
    guard let content = type.form.content(of: value) else { throw .attributeLength(type.rawValue) }
    if type == .keyDerivation {
      keyDerivations.append(UInt16(content[0]) << 8 | UInt16(content[1]))
      return
    }
    guard contents.updateValue(content, forKey: type) == nil else { throw .doubledAttribute(type.rawValue) }
    if type == .mac { macPlace = place + 4 }
  }

  package func has(_ type: AttributeType) -> Bool {
    type == .keyDerivation ? !keyDerivations.isEmpty : contents[type] != nil
  }

  /// What the attribute says, without lengths, reserved bytes and padding; nil if it is missing.
  package subscript(type: AttributeType) -> [UInt8]? { contents[type] }

  /// What a required attribute says.
  func content(_ type: AttributeType) throws(EAPRefusal) -> [UInt8] {
    guard let content = contents[type] else { throw .missingAttribute(type) }
    return content
  }

  /// A number of two bytes; nil if the attribute is missing.
  package func number(_ type: AttributeType) -> UInt16? {
    contents[type].flatMap { $0.count == 2 ? UInt16($0[0]) << 8 | UInt16($0[1]) : nil }
  }
}

extension AttributeType.Form {
  /// The content of an attribute's value, which is what follows its type and length; nil if the
  /// value has another form.
  ///
  /// - Parameter value: at least two bytes, and whole words with the two ahead of it.
  fileprivate func content(of value: ArraySlice<UInt8>) -> [UInt8]? {
    let (head, rest) = (value.prefix(2), Array(value.dropFirst(2)))
    switch self {
    case .empty: return rest.isEmpty ? [] : nil
    case .number: return rest.isEmpty ? Array(head) : nil
    case .block: return rest.count == 16 ? rest : nil
    case .blocks: return !rest.isEmpty && rest.count.isMultiple(of: 16) ? rest : nil
    case .text, .bits:
      let length = head.reduce(0) { $0 << 8 | Int($1) }
      let count = self == .text ? length : (length + 7) / 8
      // No more fills the last word than it takes.
      return (0..<4).contains(rest.count - count) ? Array(rest.prefix(count)) : nil
    case .digest: return [0, 20, 32].contains(rest.count) ? rest : nil
    case .bare: return value.count == 14 ? Array(value) : nil
    case .zeros: return [2, 6, 10].contains(value.count) && value.allSatisfy { $0 == 0 } ? Array(value) : nil
    }
  }

  /// An attribute's value with this content, filled to whole words.
  fileprivate func value(of content: [UInt8]) -> [UInt8] {
    let value: [UInt8] =
      switch self {
      case .empty, .block, .blocks, .digest: [0, 0] + content
      case .number, .bare, .zeros: content
      case .text: UInt16(clamping: content.count).bytes + content
      case .bits: UInt16(clamping: content.count * 8).bytes + content
      }
    return value + [UInt8](repeating: 0, count: (2 - value.count % 4 + 4) % 4)
  }
}

/// Attributes as they are sent, in the order in which they are added.
package struct AttributeText: Hashable, Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// - Throws: `tooLong` for more than the 1020 bytes that an attribute may have.
  package mutating func add(_ type: AttributeType, _ content: [UInt8] = []) throws(EAPRefusal) {
    let value = type.form.value(of: content)
    guard let words = UInt8(exactly: (value.count + 2) / 4) else { throw .tooLong }
    bytes += [type.rawValue, words] + value
  }

  package mutating func add(_ type: AttributeType, _ number: UInt16) throws(EAPRefusal) {
    try add(type, number.bytes)
  }
}

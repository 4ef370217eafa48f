/// Checks the counts in an information buffer before libmbim sees them.
///
/// libmbim 1.28 makes arrays as long as the modem says, and frees one twice when an element is missing: a wrong count
/// from the modem ends the process or takes gigabytes.
struct WireCounts {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the numbers in a Subscriber Ready Status (MBIM 1.0; MBIMEx 3.0) all lie in the buffer and
  /// are UTF-16.
  func areSubscriberReadyCountsSound(extensionsV3: Bool) -> Bool {
    let countOffset = extensionsV3 ? 28 : 24
    guard let count = number(at: countOffset), Int(count) <= bytes.count / 8 else { return false }
    let pairs = (0..<Int(count)).map { countOffset + 4 + 8 * $0 }
    return pairs.allSatisfy { isStringSound(describedAt: $0) }
  }

  /// Whether the arrays of an IP Configuration (MBIM 1.0) all lie in the buffer.
  var areIPConfigurationCountsSound: Bool {
    // Where each array's count is, and how many bytes an element takes; the array's offset follows its count.
    let arrays = [(12, 8), (20, 20), (36, 4), (44, 16)]
    return arrays.allSatisfy { position, size in
      guard let count = number(at: position), let offset = number(at: position + 4) else { return false }
      return count == 0 || Int(offset) + Int(count) * size <= bytes.count
    }
  }

  private func isStringSound(describedAt offset: Int) -> Bool {
    guard let start = number(at: offset).map(Int.init), let size = number(at: offset + 4).map(Int.init),
      size == 0 || start + size <= bytes.count
    else { return false }
    let units = stride(from: start, to: start + size / 2 * 2, by: 2).map {
      UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
    }
    return String(validating: units.prefix { $0 != 0 }, as: UTF16.self) != nil
  }

  private func number(at offset: Int) -> UInt32? {
    guard offset + 4 <= bytes.count else { return nil }
    return (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * $1) }
  }
}

/// An IPv6 address (RFC 4291), without a zone.
public struct IPv6Address: Hashable, Sendable, CustomStringConvertible {
  /// The first eight bytes, most significant first.
  public let high: UInt64
  /// The last eight bytes.
  public let low: UInt64

  /// Makes an address from its two halves, as in 2001:db8:: is high 0x20010db8_00000000, low 0.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes an address from its sixteen bytes in network order; nil for any other count.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads the text forms of RFC 4291, 2.2, including `::` and a dotted IPv4 tail; no zone, no
  /// brackets.
  public init?(_ text: some StringProtocol) {
    guard let groups = Self.groups(of: String(text)) else { return nil }
    high = groups.prefix(4).reduce(0) { $0 << 16 | UInt64($1) }
    low = groups.suffix(4).reduce(0) { $0 << 16 | UInt64($1) }
  }

  /// The sixteen bytes in network order.
  public var bytes: [UInt8] {
    [high, low].flatMap { half in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) } }
  }

  /// The canonical text of RFC 5952: lower case, the longest run of two or more zero groups
  /// shortened.
  public var description: String {
    let groups = self.groups
    guard let run = Self.longestZeroRun(in: groups) else { return Self.text(groups[...]) }
    return Self.text(groups[..<run.lowerBound]) + "::" + Self.text(groups[run.upperBound...])
  }

  /// `::`, which names no host.
  public var isUnspecified: Bool { high == 0 && low == 0 }
  /// `::1` (RFC 4291, 2.5.3).
  public var isLoopback: Bool { high == 0 && low == 1 }
  /// fe80::/10 (RFC 4291, 2.5.6).
  public var isLinkLocal: Bool { high >> 54 == 0x3fa }
  /// ff00::/8 (RFC 4291, 2.7).
  public var isMulticast: Bool { high >> 56 == 0xff }
  /// The IPv4 address inside ::ffff:0:0/96 (RFC 4291, 2.5.5.2); nil for any other address.
  public var mappedIPv4: IPv4Address? {
    high == 0 && low >> 32 == 0xffff ? IPv4Address(number: UInt32(truncatingIfNeeded: low)) : nil
  }

  private var groups: [UInt16] {
    [high, low].flatMap { half in stride(from: 48, through: 0, by: -16).map { UInt16(truncatingIfNeeded: half >> $0) } }
  }

  private static func text(_ groups: ArraySlice<UInt16>) -> String {
    groups.map { String($0, radix: 16) }.joined(separator: ":")
  }

  private static func longestZeroRun(in groups: [UInt16]) -> Range<Int>? {
    var best: Range<Int>?
    var start = 0
    while start < groups.count {
      let end = groups[start...].firstIndex { $0 != 0 } ?? groups.count
      if end - start >= 2, end - start > best?.count ?? 0 { best = start..<end }
      start = max(end, start) + 1
    }
    return best
  }

  private static func groups(of text: String) -> [UInt16]? {
    guard let gap = range(ofGapIn: text) else {
      let groups = parse(Substring(text))
      return groups?.count == 8 ? groups : nil
    }
    let (head, tail) = (text[..<gap.lowerBound], text[gap.upperBound...])
    guard range(ofGapIn: String(tail)) == nil, !head.contains("."),
      let before = head.isEmpty ? [] : parse(head), let after = tail.isEmpty ? [] : parse(tail),
      before.count + after.count <= 7
    else { return nil }
    return before + Array(repeating: 0, count: 8 - before.count - after.count) + after
  }

  private static func range(ofGapIn text: String) -> Range<String.Index>? {
    var index = text.startIndex
    while index < text.endIndex {
      let next = text.index(after: index)
      if next < text.endIndex, text[index] == ":", text[next] == ":" { return index..<text.index(after: next) }
      index = next
    }
    return nil
  }

  private static func parse(_ text: Substring) -> [UInt16]? {
    var groups: [UInt16] = []
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    for (position, part) in parts.enumerated() {
      if position == parts.count - 1, part.contains(".") {
        guard let tail = IPv4Address(part) else { return nil }
        groups += [UInt16(tail.number >> 16), UInt16(truncatingIfNeeded: tail.number)]
      } else {
        guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
          let group = UInt16(part, radix: 16)
        else { return nil }
        groups.append(group)
      }
    }
    return groups
  }
}

/// An IPv4 address (RFC 791).
public struct IPv4Address: Hashable, Sendable, CustomStringConvertible {
  /// The address as a number in host order: 10.0.0.1 is 0x0a000001.
  public let number: UInt32

  /// Makes an address from its number in host order.
  public init(number: UInt32) { self.number = number }

  /// Makes an address from its four bytes in network order; nil for any other count.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 4 else { return nil }
    number = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Reads dotted decimal notation: four parts of 0 to 255, without leading zeros (RFC 6943,
  /// 3.1.1).
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var number: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.utf8.count), part.count == 1 || part.first != "0",
        part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = UInt8(part)
      else { return nil }
      number = number << 8 | UInt32(value)
    }
    self.number = number
  }

  /// The four bytes in network order.
  public var bytes: [UInt8] {
    [
      UInt8(number >> 24), UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 8),
      UInt8(truncatingIfNeeded: number),
    ]
  }

  public var description: String { bytes.map(String.init).joined(separator: ".") }

  /// 0.0.0.0, which names no host.
  public var isUnspecified: Bool { number == 0 }
  /// 127.0.0.0/8 (RFC 1122, 3.2.1.3).
  public var isLoopback: Bool { number >> 24 == 127 }
  /// 169.254.0.0/16 (RFC 3927).
  public var isLinkLocal: Bool { number >> 16 == 0xa9fe }
  /// 224.0.0.0/4 (RFC 5771).
  public var isMulticast: Bool { number >> 28 == 0xe }
}

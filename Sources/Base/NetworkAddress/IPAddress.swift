/// An IPv4 or IPv6 address.
public enum IPAddress: Hashable, Sendable, CustomStringConvertible {
  case v4(IPv4Address)
  case v6(IPv6Address)

  /// Reads dotted decimal or an RFC 4291 text form; nil for anything else, including a host name.
  public init?(_ text: some StringProtocol) {
    if let address = IPv4Address(text) {
      self = .v4(address)
    } else if let address = IPv6Address(text) {
      self = .v6(address)
    } else {
      return nil
    }
  }

  /// Makes an address from 4 or 16 bytes in network order; nil for any other count.
  public init?(bytes: some Collection<UInt8>) {
    if let address = IPv4Address(bytes: bytes) {
      self = .v4(address)
    } else if let address = IPv6Address(bytes: bytes) {
      self = .v6(address)
    } else {
      return nil
    }
  }

  /// The 4 or 16 bytes in network order.
  public var bytes: [UInt8] {
    switch self {
    case .v4(let address): address.bytes
    case .v6(let address): address.bytes
    }
  }

  public var description: String {
    switch self {
    case .v4(let address): address.description
    case .v6(let address): address.description
    }
  }

  public var isUnspecified: Bool {
    switch self {
    case .v4(let address): address.isUnspecified
    case .v6(let address): address.isUnspecified
    }
  }

  public var isLoopback: Bool {
    switch self {
    case .v4(let address): address.isLoopback
    case .v6(let address): address.isLoopback || address.mappedIPv4?.isLoopback == true
    }
  }

  public var isLinkLocal: Bool {
    switch self {
    case .v4(let address): address.isLinkLocal
    case .v6(let address): address.isLinkLocal || address.mappedIPv4?.isLinkLocal == true
    }
  }

  public var isMulticast: Bool {
    switch self {
    case .v4(let address): address.isMulticast
    case .v6(let address): address.isMulticast
    }
  }
}

/// An address with the length of its link's prefix.
public struct IPPrefix: Hashable, Sendable, CustomStringConvertible {
  public let address: IPAddress
  /// Bits: 0 to 32 for IPv4, 0 to 128 for IPv6.
  public let length: Int

  /// Makes a prefix; nil when `length` does not fit the address family.
  public init?(_ address: IPAddress, length: Int) {
    let bits = address.bytes.count * 8
    guard (0...bits).contains(length) else { return nil }
    self.address = address
    self.length = length
  }

  /// The prefix of one address alone.
  public init(of address: IPAddress) {
    self.address = address
    length = address.bytes.count * 8
  }

  public var description: String { "\(address)/\(length)" }
}

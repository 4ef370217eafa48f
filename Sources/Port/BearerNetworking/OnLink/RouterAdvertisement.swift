import NetworkAddress

/// The data that a router advertises to the hosts of its link (RFC 4861, 4.2; RFC 8106, 5.1).
struct RouterAdvertisement: Hashable, Sendable {
  struct Prefix: Hashable, Sendable {
    var address: IPv6Address
    var length: Int
    /// Whether hosts may form addresses from it (RFC 4862).
    var isAutonomous: Bool
    /// Seconds; 0xffffffff is for ever.
    var validLifetime: UInt32
    var preferredLifetime: UInt32
  }

  var router: IPv6Address
  /// Seconds; 0 for a router that is not a default router.
  var lifetime: UInt16
  var prefixes: [Prefix] = []
  /// Bytes.
  var mtu: UInt32?
  var dns: [IPv6Address] = []

  /// Reads an IPv6 packet; nil if it is not a valid advertisement (RFC 4861, 6.1.2).
  init?(_ packet: [UInt8]) {
    guard packet.count >= 56, packet[0] >> 4 == 6, packet[6] == 58, packet[7] == 255,
      let source = IPv6Address(bytes: packet[8..<24]), source.isLinkLocal
    else { return nil }
    var reader = NetworkReader(packet[4..<6])
    guard let length: UInt16 = reader.number(), length >= 16, packet.count >= 40 + Int(length) else { return nil }
    let message = packet[40..<40 + Int(length)]
    let pseudoHeader = Array(packet[8..<40]) + UInt32(length).networkBytes + [0, 0, 0, 58]
    guard InternetChecksum.of(pseudoHeader, message) == 0 else { return nil }
    reader = NetworkReader(message)
    guard reader.number(UInt8.self) == 134, reader.number(UInt8.self) == 0, reader.take(4) != nil,
      let lifetime: UInt16 = reader.number(), reader.take(8) != nil
    else { return nil }
    router = source
    self.lifetime = lifetime
    while !reader.rest.isEmpty {
      guard let type: UInt8 = reader.number(), let count: UInt8 = reader.number(), count > 0,
        let value = reader.take(Int(count) * 8 - 2)
      else { return nil }
      read(option: type, value)
    }
  }

  private mutating func read(option type: UInt8, _ value: [UInt8]) {
    var reader = NetworkReader(value)
    switch type {
    case 3:
      guard let length: UInt8 = reader.number(), let flags: UInt8 = reader.number(),
        let valid: UInt32 = reader.number(), let preferred: UInt32 = reader.number(), reader.take(4) != nil,
        let address = reader.take(16).flatMap({ IPv6Address(bytes: $0) })
      else { return }
      prefixes.append(
        Prefix(
          address: address, length: Int(length), isAutonomous: flags & 0x40 != 0, validLifetime: valid,
          preferredLifetime: preferred))
    case 5:
      guard reader.take(2) != nil, let bytes: UInt32 = reader.number() else { return }
      mtu = bytes
    case 25:
      guard reader.take(2) != nil, let lifetime: UInt32 = reader.number(), lifetime > 0 else { return }
      while let server = reader.take(16).flatMap({ IPv6Address(bytes: $0) }) { dns.append(server) }
    default: break
    }
  }
}

/// A request for an advertisement (RFC 4861, 4.1).
enum RouterSolicitation {
  static let allRouters = IPv6Address(high: 0xff02_0000_0000_0000, low: 2)

  /// - Parameter source: the link-local address; `::` if there is none.
  static func packet(from source: IPv6Address) -> [UInt8] {
    var message: [UInt8] = [133, 0, 0, 0, 0, 0, 0, 0]
    let addresses = source.bytes + allRouters.bytes
    let sum = InternetChecksum.of(addresses + UInt32(message.count).networkBytes + [0, 0, 0, 58], message)
    message.replaceSubrange(2..<4, with: sum.networkBytes)
    return [0x60, 0, 0, 0] + UInt16(message.count).networkBytes + [58, 255] + addresses + message
  }
}

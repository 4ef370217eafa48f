import NetworkAddress

/// The network's end of the modem's link, if the modem leaves addresses to it: a DHCP server, and a
/// router that advertises its prefix. A value without I/O: packets go in and come out.
package struct SimulatedLink: Hashable, Sendable {
  /// The addresses to give out.
  package var bearer: SimulatedBearer
  /// Seconds of a lease; at least 60.
  package var leaseSeconds: UInt32

  package init(_ bearer: SimulatedBearer, leaseSeconds: UInt32 = 3600) {
    self.bearer = bearer
    self.leaseSeconds = leaseSeconds
  }

  /// The router's own address on the link.
  package static let router = IPv6Address(high: 0xfe80_0000_0000_0000, low: 1)

  /// Answers a packet of the host.
  ///
  /// - Parameter packet: a bare IP packet.
  /// - Returns: nil if the link itself does not answer it.
  package func answer(to packet: [UInt8]) -> [UInt8]? {
    guard let first = packet.first else { return nil }
    if first >> 4 == 4 {
      guard bearer.ipv4Source == .link, let question = DHCPQuestion(packet) else { return nil }
      return answer(question)
    }
    guard bearer.ipv6Source == .link, packet.count >= 48, packet[6] == 58, packet[40] == 133, packet[7] == 255,
      NetworkBytes.checksum(Array(packet[8..<40]) + [0, 0, packet[4], packet[5], 0, 0, 0, 58] + packet[40...]) == 0
    else { return nil }
    return advertisement()
  }

  /// The router's advertisement to everyone (RFC 4861, 4.2): prefix, MTU, name servers.
  package func advertisement() -> [UInt8]? {
    guard case .v6(let address)? = bearer.ipv6?.prefix.address else { return nil }
    var message: [UInt8] =
      [134, 0, 0, 0, 64, 0] + NetworkBytes.of(UInt16(clamping: leaseSeconds)) + [UInt8](repeating: 0, count: 8)
    message += [3, 4, 64, 0x40] + NetworkBytes.of(leaseSeconds) + NetworkBytes.of(leaseSeconds) + [0, 0, 0, 0]
    message += IPv6Address(high: address.high, low: 0).bytes
    if let mtu = bearer.mtu { message += [5, 1, 0, 0] + NetworkBytes.of(UInt32(mtu)) }
    let servers = bearer.dnsIPv6.flatMap(\.bytes)
    if !servers.isEmpty {
      message += [25, UInt8(1 + servers.count / 8), 0, 0] + NetworkBytes.of(leaseSeconds) + servers
    }
    let everyone = IPv6Address(high: 0xff02_0000_0000_0000, low: 1)
    let addresses = Self.router.bytes + everyone.bytes
    let length = UInt16(message.count)
    let sum = NetworkBytes.checksum(addresses + [0, 0] + NetworkBytes.of(length) + [0, 0, 0, 58] + message)
    message.replaceSubrange(2..<4, with: NetworkBytes.of(sum))
    return [0x60, 0, 0, 0] + NetworkBytes.of(length) + [58, 255] + addresses + message
  }

  /// Offer, acknowledgement or refusal (RFC 2131, 4.3).
  private func answer(_ question: DHCPQuestion) -> [UInt8]? {
    guard case .v4(let address)? = bearer.ipv4?.prefix.address else { return nil }
    let length = bearer.ipv4?.prefix.length ?? 32
    let mask = length == 0 ? 0 : UInt32.max << UInt32(32 - length)
    var server = IPv4Address(number: address.number & mask | 1)
    if case .v4(let gateway)? = bearer.ipv4?.gateway { server = gateway }
    var options: [UInt8]
    var your = address
    switch question.kind {
    case 1: options = [53, 1, 2]
    case 3 where question.wanted == address: options = [53, 1, 5]
    case 3:
      options = [53, 1, 6]
      your = IPv4Address(number: 0)
    default: return nil
    }
    options += [54, 4] + server.bytes
    if your == address {
      options += [51, 4] + NetworkBytes.of(leaseSeconds) + [1, 4] + NetworkBytes.of(mask)
      if case .v4(let gateway)? = bearer.ipv4?.gateway { options += [3, 4] + gateway.bytes }
      let servers = bearer.dnsIPv4.flatMap(\.bytes)
      if !servers.isEmpty { options += [6, UInt8(servers.count)] + servers }
      if let mtu = bearer.mtu { options += [26, 2] + NetworkBytes.of(UInt16(clamping: mtu)) }
    }
    var message: [UInt8] = [2, 1, 6, 0] + question.transaction + [0, 0, 0x80, 0, 0, 0, 0, 0] + your.bytes
    message += [UInt8](repeating: 0, count: 8) + question.hardware + [UInt8](repeating: 0, count: 10 + 192)
    message += [99, 130, 83, 99] + options + [255]
    let target = IPv4Address(number: .max)
    let datagram = [0, 67, 0, 68] + NetworkBytes.of(UInt16(message.count + 8)) + [0, 0] + message
    var header: [UInt8] = [0x45, 0] + NetworkBytes.of(UInt16(datagram.count + 20)) + [0, 0, 0, 0, 64, 17, 0, 0]
    header += server.bytes + target.bytes
    header.replaceSubrange(10..<12, with: NetworkBytes.of(NetworkBytes.checksum(header)))
    return header + datagram
  }
}

/// What a DHCP client asks.
private struct DHCPQuestion {
  let kind: UInt8
  let transaction: [UInt8]
  let hardware: [UInt8]
  /// The address that the client requests or has.
  var wanted: IPv4Address?

  /// Reads a packet from port 68 to port 67 whose checksums are right; nil for anything else.
  init?(_ packet: [UInt8]) {
    let head = Int(packet[0] & 0xf) * 4
    guard packet.count >= head + 8 + 240, packet[9] == 17, NetworkBytes.checksum(Array(packet[..<head])) == 0,
      Array(packet[head..<head + 4]) == [0, 68, 0, 67]
    else { return nil }
    let datagram = Array(packet[head...])
    let pseudoHeader = Array(packet[12..<20]) + [0, 17] + datagram[4..<6]
    guard NetworkBytes.checksum(pseudoHeader + datagram) == 0 else { return nil }
    let message = Array(datagram[8...])
    guard message[0] == 1, message[1] == 1, message[2] == 6, Array(message[236..<240]) == [99, 130, 83, 99] else {
      return nil
    }
    var options: [UInt8: [UInt8]] = [:]
    var rest = message[240...]
    while let code = rest.first, code != 255 {
      rest = rest.dropFirst()
      if code == 0 { continue }
      guard let length = rest.first, rest.count > Int(length) else { return nil }
      options[code] = Array(rest.dropFirst().prefix(Int(length)))
      rest = rest.dropFirst(1 + Int(length))
    }
    guard let kind = options[53]?.first else { return nil }
    self.kind = kind
    transaction = Array(message[4..<8])
    hardware = Array(message[28..<34])
    let own = IPv4Address(bytes: message[12..<16]).flatMap { $0.isUnspecified ? nil : $0 }
    wanted = options[50].flatMap { IPv4Address(bytes: $0) } ?? own
  }
}

/// Numbers and checksums in the Internet's format.
private enum NetworkBytes {
  static func of<N: FixedWidthInteger>(_ number: N) -> [UInt8] { Array(number.littleEndianBytes.reversed()) }

  /// RFC 1071.
  static func checksum(_ bytes: [UInt8]) -> UInt16 {
    var sum: UInt64 = 0
    for (position, byte) in bytes.enumerated() { sum += UInt64(byte) << (position.isMultiple(of: 2) ? 8 : 0) }
    while sum >> 16 != 0 { sum = sum & 0xffff + sum >> 16 }
    return ~UInt16(sum)
  }
}

extension SimulatedBearer {
  /// What the modem reports to the host: nothing for a family that comes over the link, or its
  /// link-local address.
  var told: SimulatedBearer {
    var told = self
    if ipv4Source == .link {
      told.ipv4 = nil
      told.dns.removeAll { $0.bytes.count == 4 }
    }
    if ipv6Source == .link, case .v6(let address)? = ipv6?.prefix.address {
      let linkLocal = IPAddress.v6(IPv6Address(high: 0xfe80_0000_0000_0000, low: address.low))
      told.ipv6 = IPPrefix(linkLocal, length: 64).map { .init(prefix: $0) }
      told.dns.removeAll { $0.bytes.count == 16 }
    }
    return told
  }
}

import NetworkAddress

/// A message of DHCP (RFC 2131, 2; RFC 2132), as far as a client needs it.
struct DHCPMessage: Hashable, Sendable {
  enum Kind: UInt8, Sendable {
    case discover = 1
    case offer, request, decline, acknowledgement, refusal, release, inform
  }

  var kind: Kind
  var transaction: UInt32
  /// Six bytes.
  var hardwareAddress: [UInt8]
  /// The client's own address, while it has one (ciaddr).
  var clientAddress: IPv4Address?
  /// The address for the client (yiaddr).
  var yourAddress: IPv4Address?
  var requestedAddress: IPv4Address?
  var server: IPv4Address?
  var mask: IPv4Address?
  var routers: [IPv4Address] = []
  var dns: [IPv4Address] = []
  /// Bytes.
  var mtu: UInt16?
  /// Seconds.
  var leaseTime: UInt32?
  var renewalTime: UInt32?
  var rebindingTime: UInt32?

  init(_ kind: Kind, transaction: UInt32, hardwareAddress: [UInt8]) {
    self.kind = kind
    self.transaction = transaction
    self.hardwareAddress = hardwareAddress
  }

  private static let cookie: [UInt8] = [99, 130, 83, 99]
  /// Op and hardware fields up to the options, without the cookie.
  private static let fixedLength = 236

  /// A client's message.
  var encoded: [UInt8] {
    // BOOTREQUEST, Ethernet, six bytes, no hops. The answer must be broadcast, because there is no
    // address yet to send it to.
    var bytes: [UInt8] = [1, 1, 6, 0] + transaction.networkBytes + [0, 0, clientAddress == nil ? 0x80 : 0, 0]
    bytes += (clientAddress?.bytes ?? [0, 0, 0, 0]) + [UInt8](repeating: 0, count: 12)
    bytes += hardwareAddress + [UInt8](repeating: 0, count: Self.fixedLength - bytes.count - hardwareAddress.count)
    bytes += Self.cookie + [53, 1, kind.rawValue]
    bytes += [61, UInt8(hardwareAddress.count + 1), 1] + hardwareAddress
    if let requestedAddress { bytes += [50, 4] + requestedAddress.bytes }
    if let server { bytes += [54, 4] + server.bytes }
    // Mask, routers, DNS, MTU, lease, T1, T2.
    bytes += [55, 7, 1, 3, 6, 26, 51, 58, 59, 255]
    // Some servers drop messages below BOOTP's 300 bytes.
    return bytes + [UInt8](repeating: 0, count: max(300 - bytes.count, 0))
  }

  /// Reads a server's message; nil for anything else.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.fixedLength + 4, bytes[0] == 2,
      Array(bytes[Self.fixedLength..<Self.fixedLength + 4]) == Self.cookie
    else { return nil }
    var reader = NetworkReader(bytes[4..<8])
    let transaction: UInt32? = reader.number()
    var options = Self.options(bytes[(Self.fixedLength + 4)...])
    // Options may continue in the fields for a file name and a server name (RFC 2132, 9.3).
    let overload = options[52]?.first ?? 0
    if overload & 1 != 0 { options.merge(Self.options(bytes[108..<236])) { first, _ in first } }
    if overload & 2 != 0 { options.merge(Self.options(bytes[44..<108])) { first, _ in first } }
    guard let transaction, let kind = options[53]?.first.flatMap(Kind.init) else { return nil }
    self.init(kind, transaction: transaction, hardwareAddress: Array(bytes[28..<34]))
    yourAddress = Self.host(bytes[16..<20])
    server = options[54].flatMap(Self.host)
    mask = options[1].flatMap { IPv4Address(bytes: $0) }
    routers = Self.hosts(options[3])
    dns = Self.hosts(options[6])
    mtu = Self.number(options[26])
    leaseTime = Self.number(options[51])
    renewalTime = Self.number(options[58])
    rebindingTime = Self.number(options[59])
  }

  /// Options by their code. Repeated options are joined (RFC 3396); a malformed one ends the list.
  private static func options(_ bytes: ArraySlice<UInt8>) -> [UInt8: [UInt8]] {
    var found: [UInt8: [UInt8]] = [:]
    var reader = NetworkReader(bytes)
    while let code: UInt8 = reader.number(), code != 255 {
      if code == 0 { continue }
      guard let length: UInt8 = reader.number(), let value = reader.take(Int(length)) else { break }
      found[code, default: []] += value
    }
    return found
  }

  private static func host(_ bytes: some Collection<UInt8>) -> IPv4Address? {
    IPv4Address(bytes: bytes).flatMap { $0.isUnspecified || $0.isLoopback || $0.isMulticast ? nil : $0 }
  }

  private static func hosts(_ bytes: [UInt8]?) -> [IPv4Address] {
    guard let bytes else { return [] }
    return stride(from: 0, to: bytes.count - 3, by: 4).compactMap { host(bytes[$0..<$0 + 4]) }
  }

  private static func number<N: FixedWidthInteger>(_ bytes: [UInt8]?) -> N? {
    guard let bytes, bytes.count == MemoryLayout<N>.size else { return nil }
    var reader = NetworkReader(bytes)
    return reader.number()
  }
}

/// UDP and IPv4 around a DHCP message. It is sent before the host has an address, without the
/// host's own IP stack.
enum DHCPPacket {
  /// Client port 68, server port 67.
  static func wrap(_ payload: [UInt8], from source: IPv4Address, to destination: IPv4Address) -> [UInt8] {
    let length = UInt16(payload.count + 8)
    var header: [UInt8] = [0x45, 0x10] + (length + 20).networkBytes + [0, 0, 0x40, 0, 64, 17, 0, 0]
    header += source.bytes + destination.bytes
    header.replaceSubrange(10..<12, with: InternetChecksum.of(header).networkBytes)
    var datagram: [UInt8] = [0, 68, 0, 67] + length.networkBytes + [0, 0] + payload
    let pseudoHeader = source.bytes + destination.bytes + [0, 17] + length.networkBytes
    let sum = InternetChecksum.of(pseudoHeader, datagram)
    // 0 would mean that there is no checksum.
    datagram.replaceSubrange(6..<8, with: (sum == 0 ? 0xffff : sum).networkBytes)
    return header + datagram
  }

  /// The message in a packet from a server's port to a client's; nil for anything else. The UDP
  /// checksum is not checked, because packets from a virtual machine's own host may not have one
  /// yet.
  static func unwrap(_ packet: [UInt8]) -> [UInt8]? {
    guard let first = packet.first, first >> 4 == 4, case let head = Int(first & 0xf) * 4, head >= 20,
      packet.count >= head + 8, packet[9] == 17, packet[6] & 0x3f == 0, packet[7] == 0,
      InternetChecksum.of(packet[..<head]) == 0
    else { return nil }
    var reader = NetworkReader(packet[2..<4])
    guard let total: UInt16 = reader.number(), total >= head + 8, total <= packet.count else { return nil }
    reader = NetworkReader(packet[head..<Int(total)])
    guard let source: UInt16 = reader.number(), let destination: UInt16 = reader.number(), source == 67,
      destination == 68, let length: UInt16 = reader.number(), length >= 8, reader.take(2) != nil
    else { return nil }
    return reader.take(Int(length) - 8)
  }
}

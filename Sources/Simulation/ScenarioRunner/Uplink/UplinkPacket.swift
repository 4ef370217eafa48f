import DNSWire
import NetworkAddress

/// A packet that reached the other uplink, as far as it says whether something leaked.
package struct UplinkPacket: Hashable, Sendable, CustomStringConvertible {
  package let source: IPAddress
  package let destination: IPAddress
  /// IANA's number of the protocol in it: 6 is TCP, 17 is UDP.
  package let protocolNumber: UInt8
  /// Of TCP and UDP, where the packet is long enough.
  package let destinationPort: UInt16?
  /// Whether it is a TCP reset: the kernel's own answer to what belongs to no connection (RFC 9293, 3.10.7).
  package let isReset: Bool
  /// The name that a query of DNS over UDP asks for, in lower case and without a dot at the end.
  let queriedName: String?

  /// Reads a bare IP packet; nil for what is no IP, and for the housekeeping of IPv6 on a link: neighbour and router
  /// discovery (RFC 4861, types 133 to 137) and multicast listener reports (RFC 3810), which leave no link.
  package init?(_ bytes: [UInt8]) {
    guard let packet = IPPacket(bytes) else { return nil }
    let isIPv4 = bytes[0] >> 4 == 4
    var number = isIPv4 ? bytes[9] : bytes[6]
    var offset = isIPv4 ? Int(bytes[0] & 0xf) * 4 : 40
    // Hop-by-hop options, which listener reports carry.
    if !isIPv4, number == 0, bytes.count >= offset + 8 {
      number = bytes[offset]
      offset += 8 + Int(bytes[offset + 1]) * 8
    }
    if !isIPv4, number == 58, bytes.count > offset,
      [130, 131, 132, 133, 134, 135, 136, 137, 143].contains(bytes[offset])
    {
      return nil
    }
    source = packet.source
    destination = packet.destination
    protocolNumber = number
    let hasPorts = (number == 6 || number == 17) && bytes.count >= offset + 4
    destinationPort = hasPorts ? UInt16(bytes[offset + 2]) << 8 | UInt16(bytes[offset + 3]) : nil
    isReset = number == 6 && bytes.count > offset + 13 && bytes[offset + 13] & 0x04 != 0
    queriedName =
      number == 17 && destinationPort == 53
      ? Self.queriedName(Array(bytes.dropFirst(offset + 8))) : nil
  }

  private static func queriedName(_ message: [UInt8]) -> String? {
    guard let query = try? DNSMessage(decoding: message), query.questions.count == 1 else { return nil }
    let name = query.questions[0].name.description.lowercased()
    return name.hasSuffix(".") ? String(name.dropLast()) : name
  }

  package var description: String {
    let word = [1: "ICMP", 6: "TCP", 17: "UDP", 58: "ICMPv6"][protocolNumber] ?? "protocol \(protocolNumber)"
    return "\(word)\(isReset ? " RST" : "") \(source) to \(destination)" + (destinationPort.map { " port \($0)" } ?? "")
  }
}

import NetworkAddress
import Testing

@testable import ScenarioRunner

/// Packets by hand: only what is read of them is right.
enum Packets {
  /// IPv4 without options (RFC 791, 3.1).
  static func v4(_ source: String, _ destination: String, protocol number: UInt8 = 17, payload: [UInt8] = []) -> [UInt8]
  {
    [0x45, 0, 0, 0, 0, 0, 0, 0, 64, number, 0, 0] + IPAddress(source)!.bytes + IPAddress(destination)!.bytes + payload
  }

  /// IPv6 (RFC 8200, 3).
  static func v6(_ source: String, _ destination: String, next number: UInt8 = 17, payload: [UInt8] = []) -> [UInt8] {
    [0x60, 0, 0, 0, 0, 0, number, 255] + IPAddress(source)!.bytes + IPAddress(destination)!.bytes + payload
  }
}

@Suite struct PacketTests {
  @Test func `the gate passes only the addresses of the session`() {
    let gate = BearerGate()
    let out = Packets.v4("10.64.0.2", "198.51.100.1")
    #expect(!gate.admits(out, .up))
    gate.open(for: [IPAddress("10.64.0.2")!, IPAddress("2001:db8:64::2")!])
    #expect(gate.admits(out, .up))
    #expect(gate.admits(Packets.v4("198.51.100.1", "10.64.0.2"), .down))
    #expect(gate.admits(Packets.v6("2001:db8:64::2", "2001:db8::1"), .up))
    #expect(!gate.admits(Packets.v4("192.0.2.2", "198.51.100.1"), .up))
    #expect(!gate.admits(Packets.v4("198.51.100.1", "10.64.0.3"), .down))
    #expect(!gate.admits(Array(out.prefix(19)), .up))
    #expect(!gate.admits([], .up))
    gate.close()
    #expect(!gate.stillAdmits(out, .up))
    #expect(gate.count == BearerGate.Count(passed: 3, dropped: 5))
  }

  @Test func `packets arrive in order, each after the delay`() {
    var delay = PacketDelay(delay: 100)
    #expect(delay.nextDue == nil)
    for number in UInt8(0)..<200 { delay.add([number], .up, at: UInt64(number)) }
    #expect(delay.nextDue == 100)
    #expect(delay.take(at: 99) == nil)
    #expect(delay.take(at: 100)?.bytes == [0])
    #expect(delay.take(at: 100) == nil)
    var order: [UInt8] = []
    while let packet = delay.take(at: 1000) { order.append(packet.bytes.first!) }
    #expect(order == Array(1..<200))
    delay.add([7], .down, at: 1000)
    #expect(delay.nextDue == 1100)
  }

  @Test(arguments: [
    (Packets.v4("192.0.2.2", "198.51.100.53", payload: [0, 9, 0, 53]), "UDP 192.0.2.2 to 198.51.100.53 port 53"),
    (
      Packets.v4("192.0.2.2", "198.51.100.1", protocol: 6, payload: [0, 9, 1, 187]),
      "TCP 192.0.2.2 to 198.51.100.1 port 443"
    ),
    (Packets.v4("192.0.2.2", "198.51.100.1", protocol: 6), "TCP 192.0.2.2 to 198.51.100.1"),
    (
      Packets.v4(
        "192.0.2.2", "198.51.100.1", protocol: 6, payload: [0, 9, 1, 187, 0, 0, 0, 0, 0, 0, 0, 0, 0x50, 0x14]),
      "TCP RST 192.0.2.2 to 198.51.100.1 port 443"
    ),
    (Packets.v4("192.0.2.2", "198.51.100.1", protocol: 1), "ICMP 192.0.2.2 to 198.51.100.1"),
    (Packets.v6("2001:db8::2", "2001:db8::1", next: 58, payload: [128, 0]), "ICMPv6 2001:db8::2 to 2001:db8::1"),
    (Packets.v6("fe80::1", "2001:db8::1", payload: [0, 1, 0, 53]), "UDP fe80::1 to 2001:db8::1 port 53"),
  ])
  func `a packet on the other uplink is told`(bytes: [UInt8], words: String) {
    #expect(UplinkPacket(bytes)?.description == words)
  }

  @Test(arguments: [
    Packets.v6("fe80::1", "ff02::2", next: 58, payload: [133, 0]),
    Packets.v6("fe80::1", "ff02::1:ff00:1", next: 58, payload: [135, 0]),
    Packets.v6("::", "ff02::16", next: 0, payload: [58, 0, 5, 2, 0, 0, 1, 0, 143, 0]),
    [0x45, 0, 0], [], [0x10],
  ])
  func `housekeeping of the link does not count`(bytes: [UInt8]) {
    #expect(UplinkPacket(bytes) == nil)
  }
}

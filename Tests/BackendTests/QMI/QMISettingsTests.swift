import ModemModel
import NetworkAddress
import Testing

@testable import QMIBackend

@Suite struct `WDS Current Settings` {
  private func settings(_ fields: [UInt8: [UInt8]]...) throws -> BearerSettings {
    BearerSettings(
      try fields.map { fields in
        try CurrentSettings(QMIReply(name: "test", fields: fields), family: fields[0x25] == nil ? .ipv4 : .ipv6)
      })
  }

  @Test(
    arguments: [
      ([0x1e: [0x18, 0xb2, 0xcb, 0x0a]], "10.203.178.24/32", nil),
      ([0x1e: [0x18, 0xb2, 0xcb, 0x0a], 0x20: [0x19, 0xb2, 0xcb, 0x0a]], "10.203.178.24/32", nil),
      (
        [0x1e: [0x18, 0xb2, 0xcb, 0x0a], 0x20: [0x19, 0xb2, 0xcb, 0x0a], 0x21: [0xf0, 0xff, 0xff, 0xff]],
        "10.203.178.24/28", "10.203.178.25"
      ),
      (
        [0x1e: [0x18, 0xb2, 0xcb, 0x0a], 0x20: [1, 1, 1, 1], 0x21: [0xf0, 0xff, 0xff, 0xff]], "10.203.178.24/28", nil
      ),
      ([0x1e: [0x18, 0xb2, 0xcb, 0x0a], 0x21: [0xf0, 0xff, 0, 0xff]], "10.203.178.24/32", nil),
      ([0x1e: [0x18, 0xb2, 0xcb, 0x0a], 0x21: [0, 0, 0, 0]], "10.203.178.24/32", nil),
      ([0x1e: [0x18, 0xb2, 0xcb, 0x0a], 0x21: [0xff, 0xff, 0xff, 0xff]], "10.203.178.24/32", nil),
      ([0x1e: [0, 0, 0, 0]], nil, nil), ([0x1e: [1, 0, 0, 127]], nil, nil), ([:], nil, nil),
    ] as [([UInt8: [UInt8]], String?, String?)])
  func `give an IPv4 address with its bytes reversed`(fields: [UInt8: [UInt8]], prefix: String?, gateway: String?)
    throws
  {
    let settings = try settings(fields)
    #expect(settings.ipv4?.prefix.description == prefix)
    #expect(settings.ipv4?.gateway?.description == gateway)
  }

  private static let address: [UInt8] = [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [7]
  private static let linkLocal: [UInt8] = [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1]

  @Test(
    arguments: [
      ([0x25: address + [64]], "2001:db8::7/64", nil), ([0x25: address + [128]], "2001:db8::7/64", nil),
      ([0x25: address + [0]], "2001:db8::7/64", nil), ([0x25: address + [56]], "2001:db8::7/56", nil),
      ([0x25: address + [64], 0x26: linkLocal + [128]], "2001:db8::7/64", "fe80::1"),
      ([0x25: address + [64], 0x26: address + [64]], "2001:db8::7/64", nil),
      ([0x25: linkLocal + [64]], nil, nil), ([0x25: [UInt8](repeating: 0, count: 17)], nil, nil),
    ] as [([UInt8: [UInt8]], String?, String?)])
  func `give an IPv6 address in network order`(fields: [UInt8: [UInt8]], prefix: String?, gateway: String?) throws {
    let settings = try settings(fields)
    #expect(settings.ipv6?.prefix.description == prefix)
    #expect(settings.ipv6?.gateway?.description == gateway)
  }

  @Test func `list DNS servers with IPv4 first, each once, without zeros`() throws {
    let settings = try settings(
      [0x27: Self.address, 0x28: [UInt8](repeating: 0, count: 16)], [0x15: [8, 8, 8, 8], 0x16: [0, 0, 0, 0]],
      [0x15: [8, 8, 8, 8], 0x16: [4, 4, 8, 8]])
    #expect(settings.dns.map(\.description) == ["8.8.8.8", "8.8.4.4", "2001:db8::7"])
  }

  @Test(
    arguments: [
      ([1430, 1500], 1430), ([0, 1500], 1500), ([0, 0], nil), ([70000, 1400], 1400), ([100, 0], nil),
    ] as [([UInt32], Int?)])
  func `give the smaller MTU that can be one`(mtus: [UInt32], mtu: Int?) throws {
    let settings = try settings(
      [0x1e: [7, 0, 64, 10], 0x29: mtus[0].littleEndianBytes],
      [0x25: Self.address + [64], 0x29: mtus[1].littleEndianBytes])
    #expect(settings.mtu == mtu)
  }

  @Test(arguments: [0x15, 0x16, 0x1e, 0x20, 0x21, 0x25, 0x26, 0x27, 0x28, 0x29] as [UInt8])
  func `with a field cut short cannot be read`(type: UInt8) {
    var fields: [UInt8: [UInt8]] = [0x1e: [7, 0, 64, 10], 0x21: [0, 255, 255, 255]]
    fields[type] = [1, 2, 3]
    #expect(throws: ModemError.self) { try settings(fields) }
  }
}

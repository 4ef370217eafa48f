import ModemModel
import NetworkAddress
import Testing

@testable import MBIMBackend

@Suite struct `Settings of an MBIM IP configuration` {
  private func family(
    _ addresses: [(String, Int)] = [], gateway: String? = nil, dns: [String] = [], mtu: Int = 0
  ) -> IPConfiguration.Family {
    IPConfiguration.Family(
      addresses: addresses.map { (IPAddress($0.0)!, $0.1) }, gateway: gateway.flatMap { IPAddress($0) },
      dns: dns.map { IPAddress($0)! }, mtu: mtu)
  }

  @Test(
    arguments: [
      ("10.0.0.2", 30, "10.0.0.2/30"), ("10.0.0.2", 32, "10.0.0.2/32"), ("10.0.0.2", 0, "10.0.0.2/32"),
      ("10.0.0.2", 33, "10.0.0.2/32"), ("10.0.0.2", Int(UInt32.max), "10.0.0.2/32"), ("0.0.0.0", 24, nil),
      ("127.0.0.1", 8, nil), ("224.0.0.1", 24, nil), ("169.254.1.1", 16, nil), ("192.0.0.2", 27, "192.0.0.2/27"),
    ] as [(String, Int, String?)])
  func `take an IPv4 address that is one`(address: String, length: Int, expected: String?) {
    let settings = BearerSettings(IPConfiguration(ipv4: family([(address, length)])))
    #expect(settings.ipv4?.prefix.description == expected)
    #expect(settings.hasAddress == (expected != nil))
  }

  @Test(
    arguments: [
      ("2001:db8::2", 64, "2001:db8::2/64"), ("2001:db8::2", 128, "2001:db8::2/64"),
      ("2001:db8::2", 120, "2001:db8::2/64"),
      ("2001:db8::2", 0, "2001:db8::2/64"), ("2001:db8::2", 56, "2001:db8::2/56"), ("fe80::1", 64, nil),
      ("::", 64, nil),
      ("::1", 128, nil), ("ff02::1", 64, nil),
    ] as [(String, Int, String?)])
  func `take an IPv6 address that reaches beyond the link`(address: String, length: Int, expected: String?) {
    let settings = BearerSettings(IPConfiguration(ipv6: family([(address, length)])))
    #expect(settings.ipv6?.prefix.description == expected)
  }

  @Test func `take the first usable address`() {
    let settings = BearerSettings(
      IPConfiguration(ipv6: family([("fe80::1", 64), ("2001:db8::2", 64), ("2001:db8::3", 64)])))
    #expect(settings.ipv6?.prefix.description == "2001:db8::2/64")
  }

  @Test(
    arguments: [
      ("10.0.0.2", 30, "10.0.0.1", "10.0.0.1"), ("10.0.0.2", 30, "10.0.0.2", nil), ("10.0.0.2", 30, "10.0.1.1", nil),
      ("10.0.0.2", 30, "0.0.0.0", nil), ("10.0.0.2", 32, "10.0.0.1", nil), ("10.0.0.2", 9, "10.127.0.1", "10.127.0.1"),
      ("10.0.0.2", 9, "10.128.0.1", nil), ("10.0.0.2", 24, nil, nil),
    ] as [(String, Int, String?, String?)])
  func `take an IPv4 gateway that is on the link`(address: String, length: Int, gateway: String?, expected: String?) {
    let settings = BearerSettings(IPConfiguration(ipv4: family([(address, length)], gateway: gateway)))
    #expect(settings.ipv4?.gateway?.description == expected)
  }

  @Test(
    arguments: [
      ("fe80::1", "fe80::1"), ("2001:db8::1", "2001:db8::1"), ("2001:db8:0:1::1", nil), ("::", nil),
      ("2001:db8::2", nil),
      ("a40:7:a40:1::", nil),
    ] as [(String, String?)])
  func `take an IPv6 gateway that is on the link`(gateway: String, expected: String?) {
    let settings = BearerSettings(IPConfiguration(ipv6: family([("2001:db8::2", 64)], gateway: gateway)))
    #expect(settings.ipv6?.gateway?.description == expected)
  }

  @Test func `list servers of IPv4 first, without placeholders and repetitions`() {
    let settings = BearerSettings(
      IPConfiguration(
        ipv4: family(dns: ["10.0.0.53", "0.0.0.0", "10.0.0.53", "8.8.8.8"]), ipv6: family(dns: ["::", "2001:db8::53"])))
    #expect(settings.dns.map(\.description) == ["10.0.0.53", "8.8.8.8", "2001:db8::53"])
  }

  @Test(
    arguments: [
      (0, 0, nil), (1430, 0, 1430), (0, 1500, 1500), (1430, 1500, 1430), (1500, 1358, 1358), (68, 1000, nil),
      (70000, 1280, 1280),
    ] as [(Int, Int, Int?)])
  func `have the smaller MTU of those that make sense`(ipv4: Int, ipv6: Int, expected: Int?) {
    let settings = BearerSettings(
      IPConfiguration(ipv4: family([("10.0.0.2", 30)], mtu: ipv4), ipv6: family([("2001:db8::2", 64)], mtu: ipv6)))
    #expect(settings.mtu == expected)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `An MBIM IP configuration` {
  private func settings(_ reply: [UInt8]) async throws -> BearerSettings {
    try await withMBIM {
      $0.cid == CID.ipConfiguration ? [.reply(reply)] : []
    } _: { backend, _ in
      try await backend.queriedSettings()
    }
  }

  @Test func `counts only where the modem calls it available`() async throws {
    let family = Information.Family(
      available: 0, addresses: [(24, [10, 0, 0, 2])], gateway: [10, 0, 0, 1], dns: [[10, 0, 0, 53]], mtu: 1400)
    for bits in 0..<UInt32(16) {
      var family = family
      family.available = bits
      let settings = try await settings(Information.ipConfiguration(ipv4: family))
      #expect((settings.ipv4 != nil) == (bits & 1 != 0))
      #expect((settings.ipv4?.gateway != nil) == (bits & 3 == 3))
      #expect(settings.dns.isEmpty == (bits & 4 == 0))
      #expect(settings.mtu == (bits & 9 == 9 ? 1400 : nil))
    }
  }

  @Test(arguments: [12, 20, 36, 44], [3, 0xffff, 0x7fff_ffff, UInt32.max])
  func `with wrong counts does no harm`(position: Int, count: UInt32) async {
    var reply = Information.ipConfiguration(ipv4: .init(available: 15), ipv6: .init(available: 15))
    reply.replaceSubrange(position..<position + 8, with: [count, 60].bytes)
    #expect(await modemError { try await settings(reply) }?.code == .badReply)
  }
}

import ModemModel
import NetworkAddress
import Testing

@testable import MBIMBackend

/// What modems said, from public test data and logs, as the information buffers of their messages.
@Suite(.timeLimit(.minutes(1))) struct `An MBIM message that a modem sent` {
  /// An IP Configuration and what is to be made of it.
  struct Sample: Sendable, CustomTestStringConvertible {
    let source: String
    let hex: String
    var ipv4: String?
    var gateway4: String?
    var ipv6: String?
    var gateway6: String?
    var dns: [String] = []
    var mtu: Int?
    var testDescription: String { source }
  }

  static let samples = [
    Sample(
      source: "libmbim's test data, IPv4",
      hex: """
        00000000 0f000000 00000000 01000000 3c000000 00000000 00000000 44000000 00000000 02000000 48000000 00000000
        00000000 dc050000 00000000 1c000000 d44922f8 d44922f1 d4a6d250 d4492043
        """, ipv4: "212.73.34.248/28", gateway4: "212.73.34.241", dns: ["212.166.210.80", "212.73.32.67"], mtu: 1500),
    Sample(
      source: "libmbim's test data, IPv4 and IPv6",
      hex: """
        00000000 0f000000 0f000000 01000000 3c000000 01000000 50000000 44000000 64000000 02000000 48000000 02000000
        74000000 dc050000 dc050000 1d000000 1cf6c9db 1cf6c9dc 0ab10022 0ab100d2 40000000 2607fb90643b281f1dffbf3dc5c848ad
        2607fb90643b281ffdf780f4e399984a fd00976a000000000000000000000009 fd00976a000000000000000000000010
        """, ipv4: "28.246.201.219/29", gateway4: "28.246.201.220", ipv6: "2607:fb90:643b:281f:1dff:bf3d:c5c8:48ad/64",
      gateway6: "2607:fb90:643b:281f:fdf7:80f4:e399:984a",
      dns: ["10.177.0.34", "10.177.0.210", "fd00:976a::9", "fd00:976a::10"], mtu: 1500),
    // Its IPv6 gateway begins inside the IPv4 gateway, and its only IPv6 address is of the link.
    Sample(
      source: "oFono's test data, IPv4 and a link-local address",
      hex: """
        00000000 07000000 03000000 01000000 40000000 01000000 4c000000 48000000 60000000 01000000 3c000000 00000000
        00000000 00000000 00000000 ac1a2601 18000000 0a22d842 0a22d801 78000000 fe800000000000000000000eb28bdc01
        0a22d842fe8000000000000000000001
        """, ipv4: "10.34.216.66/24", gateway4: "10.34.216.1", dns: ["172.26.38.1"]),
    Sample(
      source: "TCL IK512",
      hex: """
        00000000 0f000000 00000000 01000000 3c000000 00000000 00000000 44000000 00000000 02000000 48000000 00000000
        00000000 dc050000 00000000 1d000000 6462f064 6462f065 3d1f0101 3d1fe901
        """, ipv4: "100.98.240.100/29", gateway4: "100.98.240.101", dns: ["61.31.1.1", "61.31.233.1"], mtu: 1500),
  ]

  @Test(arguments: samples) func `gives a bearer its settings`(sample: Sample) async throws {
    let reply = bytes(sample.hex)
    let settings = try await withMBIM {
      $0.cid == CID.ipConfiguration ? [.reply(reply)] : []
    } _: { backend, _ in
      try await backend.queriedSettings()
    }
    #expect(settings.ipv4?.prefix.description == sample.ipv4)
    #expect(settings.ipv4?.gateway?.description == sample.gateway4)
    #expect(settings.ipv6?.prefix.description == sample.ipv6)
    #expect(settings.ipv6?.gateway?.description == sample.gateway6)
    #expect(settings.dns.map(\.description) == sample.dns)
    #expect(settings.mtu == sample.mtu)
  }

  /// libmbim's test data.
  @Test func `tells the registration`() async throws {
    let state = bytes(
      """
      00000000 03000000 01000000 1c000000 01000000 30000000 0a000000 00000000 00000000 00000000 00000000 02000000
      32003600 30003000 36000000
      """)
    let registration = try await withMBIM { request in
      request.cid == CID.registerState ? [.reply(state)] : [.reply(status: 9)]
    } _: { backend, _ in
      try await backend.registration()
    }
    #expect(registration == Registration(state: .home, serving: Network(PLMN("26006")!), technology: .umts))
  }

  /// oFono's test data.
  @Test func `ends the wait for the packet service`() async throws {
    let attached = bytes("00000000 02000000 20000000 80f0fa02 00000000 00e1f505 00000000")
    try await withMBIM { request in
      !request.isSet
        ? [.reply(Information.packetService(4))]
        : [.reply(Information.packetService(1)), .indicate(cid: CID.packetService, attached)]
    } _: { backend, _ in
      try await backend.attach()
    }
  }

  private func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

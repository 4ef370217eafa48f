import ModemModel
import ModemSimulator
import NetworkAddress
import Testing

@testable import BearerNetworking

@Suite struct `DHCP messages` {
  static let hardware: [UInt8] = [2, 0x4d, 0, 0, 0, 7]

  @Test func `of a client are as RFC 2131 has them`() {
    var message = DHCPMessage(.request, transaction: 0x0102_0304, hardwareAddress: Self.hardware)
    message.requestedAddress = IPv4Address("10.0.0.5")
    message.server = IPv4Address("10.0.0.1")
    let bytes = message.encoded
    #expect(bytes.count == 300)
    #expect(Array(bytes[..<12]) == [1, 1, 6, 0, 1, 2, 3, 4, 0, 0, 0x80, 0])
    #expect(Array(bytes[28..<34]) == Self.hardware)
    #expect(Array(bytes[236..<243]) == [99, 130, 83, 99, 53, 1, 3])
    #expect(Array(bytes[243..<252]) == [61, 7, 1] + Self.hardware)
    #expect(Array(bytes[252..<264]) == [50, 4, 10, 0, 0, 5, 54, 4, 10, 0, 0, 1])
    // A client's message is none of a server's.
    #expect(DHCPMessage(bytes) == nil)
  }

  /// A server's message with these options.
  static func reply(_ options: [UInt8], file: [UInt8] = [], your: [UInt8] = [10, 0, 0, 5]) -> [UInt8] {
    var bytes: [UInt8] = [2, 1, 6, 0, 1, 2, 3, 4] + [UInt8](repeating: 0, count: 8) + your
    bytes += [UInt8](repeating: 0, count: 8) + hardware + [UInt8](repeating: 0, count: 202)
    bytes.replaceSubrange(108..<108 + file.count, with: file)
    return bytes + [99, 130, 83, 99] + options
  }

  @Test func `of a server are read with their options, also where these go on elsewhere`() throws {
    let message = try #require(
      DHCPMessage(
        Self.reply(
          [
            53, 1, 5, 0, 54, 4, 10, 0, 0, 1, 51, 4, 0, 0, 14, 16, 52, 1, 1, 6, 4, 10, 0, 0, 53, 6, 4, 10, 0, 0, 54, 255,
            9,
          ],
          file: [1, 4, 255, 255, 255, 0, 3, 4, 10, 0, 0, 1, 26, 2, 5, 120, 255])))
    #expect(message.kind == .acknowledgement)
    #expect(message.transaction == 0x0102_0304)
    #expect(message.yourAddress?.description == "10.0.0.5")
    #expect(message.leaseTime == 3600)
    #expect(message.dns.map(\.description) == ["10.0.0.53", "10.0.0.54"])
    #expect(message.mask?.description == "255.255.255.0")
    #expect(message.routers.map(\.description) == ["10.0.0.1"])
    #expect(message.mtu == 1400)
  }

  @Test func `that are cut or changed anywhere are read or refused, without a trap`() {
    let bytes = Self.reply([53, 1, 2, 54, 4, 10, 0, 0, 1, 1, 4, 255, 255, 255, 0, 52, 1, 3, 255])
    for length in 0..<bytes.count { _ = DHCPMessage(Array(bytes.prefix(length))) }
    let packet = DHCPPacket.wrap(bytes, from: IPv4Address(number: 1), to: IPv4Address(number: 2))
    for position in packet.indices {
      var changed = packet
      changed[position] ^= 0xff
      _ = DHCPPacket.unwrap(changed).flatMap { DHCPMessage($0) }
    }
    for length in 0..<packet.count { #expect(DHCPPacket.unwrap(Array(packet.prefix(length))) == nil) }
  }

  @Test(
    arguments: [
      ([255, 255, 255, 0], [10, 0, 0, 1], "10.0.0.5/24", "10.0.0.1"),
      ([255, 255, 255, 252], [10, 0, 0, 6], "10.0.0.5/30", "10.0.0.6"),
      ([255, 255, 255, 255], [10, 0, 0, 1], "10.0.0.5/32", nil),
      ([255, 0, 255, 0], [10, 0, 0, 1], "10.0.0.5/32", nil),
      ([255, 255, 255, 0], [10, 0, 9, 1], "10.0.0.5/24", nil),
      ([255, 255, 255, 0], [10, 0, 0, 5], "10.0.0.5/24", nil),
    ] as [([UInt8], [UInt8], String, String?)])
  func `give an address, and a gateway where that is plausible`(
    mask: [UInt8], router: [UInt8], prefix: String, gateway: String?
  ) throws {
    let message = try #require(
      DHCPMessage(Self.reply([53, 1, 5, 54, 4, 10, 0, 0, 1, 1, 4] + mask + [3, 4] + router + [255])))
    let lease = try #require(DHCPClient.Lease(message))
    #expect(lease.assignment.prefix.description == prefix)
    #expect(lease.assignment.gateway?.description == gateway)
  }

  @Test(arguments: [[0, 0, 0, 0], [127, 0, 0, 1], [224, 0, 0, 5]] as [[UInt8]])
  func `that lend no host's address lend nothing`(your: [UInt8]) throws {
    let message = try #require(DHCPMessage(Self.reply([53, 1, 2, 54, 4, 10, 0, 0, 1, 255], your: your)))
    #expect(DHCPClient.Lease(message) == nil)
  }
}

@Suite struct `A DHCP client` {
  private static let server = IPv4Address("10.64.0.1")!

  private func client() -> DHCPClient { DHCPClient(hardwareAddress: `DHCP messages`.hardware, random: { 42 }) }

  private func message(_ kind: DHCPMessage.Kind, lease: UInt32? = 3600, address: String = "10.64.0.2") -> DHCPMessage {
    var message = DHCPMessage(kind, transaction: 42, hardwareAddress: `DHCP messages`.hardware)
    message.yourAddress = IPv4Address(address)
    message.server = Self.server
    message.leaseTime = lease
    return message
  }

  /// Kind and target of what is sent, waits in seconds, and changes.
  private func words(_ actions: [DHCPClient.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .send(let message, _, let target): "\(message.kind) to \(target)"
      case .wait(let time): "wait \(time.components.seconds)"
      case .changed: "changed"
      }
    }
  }

  @Test func `gets a lease, renews it, asks everyone, and loses it at its end`() {
    var client = client()
    #expect(words(client.begin()) == ["discover to 255.255.255.255", "wait 1"])
    #expect(words(client.received(message(.offer))) == ["request to 255.255.255.255", "wait 1"])
    #expect(words(client.received(message(.acknowledgement))) == ["changed", "wait 1800"])
    #expect(client.lease?.address.description == "10.64.0.2")
    // T1: the server itself, at half of what is left until T2 (3150 s), and so on.
    #expect(words(client.waited()) == ["request to 10.64.0.1", "wait 675"])
    #expect(words(client.waited()) == ["request to 10.64.0.1", "wait 337"])
    #expect(words(client.received(message(.acknowledgement))) == ["wait 1800"])
    var steps: [String] = []
    for _ in 0..<30 where client.lease != nil { steps += words(client.waited()) }
    #expect(steps.contains("request to 255.255.255.255"))
    #expect(steps.suffix(3) == ["discover to 255.255.255.255", "wait 1", "changed"])
    let waits = steps.compactMap { $0.hasPrefix("wait ") ? Int($0.dropFirst(5)) : nil }.dropLast()
    // Whole seconds of halves.
    #expect((1790...1800).contains(waits.reduce(0, +)))
  }

  @Test func `asks again and again with growing patience, and gives up a server that does not confirm`() {
    var client = client()
    _ = client.begin()
    let waits = (0..<7).flatMap { _ in words(client.waited()) }.filter { $0.hasPrefix("wait") }
    #expect(waits == [2, 4, 8, 16, 32, 64, 64].map { "wait \($0)" })
    _ = client.received(message(.offer))
    let steps = (0..<4).flatMap { _ in words(client.waited()) }
    #expect(steps.filter { $0.hasPrefix("request") }.count == 3)
    #expect(steps.suffix(2) == ["discover to 255.255.255.255", "wait 1"])
  }

  @Test func `begins anew when it is refused`() {
    var client = client()
    _ = client.begin()
    _ = client.received(message(.offer))
    #expect(words(client.received(message(.refusal))) == ["discover to 255.255.255.255", "wait 1"])
    _ = client.received(message(.offer))
    _ = client.received(message(.acknowledgement))
    _ = client.waited()
    #expect(words(client.received(message(.refusal))) == ["discover to 255.255.255.255", "wait 1", "changed"])
    #expect(client.lease == nil)
  }

  @Test func `tells when a renewed lease is another one`() {
    var client = client()
    _ = client.begin()
    _ = client.received(message(.offer))
    _ = client.received(message(.acknowledgement))
    _ = client.waited()
    #expect(words(client.received(message(.acknowledgement, address: "10.64.0.9"))).first == "changed")
    #expect(client.lease?.address.description == "10.64.0.9")
  }

  @Test func `keeps an endless lease without asking, and takes nothing that is another's`() {
    var client = client()
    _ = client.begin()
    var foreign = message(.offer)
    foreign.transaction = 41
    #expect(client.received(foreign) == [])
    foreign = message(.offer)
    foreign.hardwareAddress = [1, 2, 3, 4, 5, 6]
    #expect(client.received(foreign) == [])
    #expect(client.received(message(.acknowledgement)) == [])
    _ = client.received(message(.offer, lease: .max))
    #expect(words(client.received(message(.acknowledgement, lease: .max))) == ["changed"])
  }

  @Test(arguments: [0, 1, 59, 60, 119, 4_294_967_294] as [UInt32])
  func `is not kept busy by odd times`(lease: UInt32) {
    var client = client()
    _ = client.begin()
    _ = client.received(message(.offer, lease: lease))
    var odd = message(.acknowledgement, lease: lease)
    odd.renewalTime = 0
    odd.rebindingTime = 1
    _ = client.received(odd)
    var waits: [Int64] = []
    for _ in 0..<20 {
      for case .wait(let time) in client.waited() { waits.append(time.components.seconds) }
      if client.lease == nil { break }
    }
    #expect(waits.allSatisfy { $0 >= 1 })
  }
}

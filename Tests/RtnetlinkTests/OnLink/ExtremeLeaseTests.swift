import ModemModel
import NetworkAddress
import Testing

@testable import BearerNetworking

/// Times and lengths of any size from a DHCP server or a router, for the whole life of what they
/// gave.
@Suite struct ExtremeLeaseTests {
  static let seconds: [UInt32] = [0, 1, 29, 30, 59, 60, 61, 604_800, 0x7fff_ffff, 0x8000_0000, .max - 1, .max]

  @Test(arguments: seconds, seconds) func leasesOfAnyLength(_ lease: UInt32, _ renewal: UInt32) {
    for rebinding in Self.seconds {
      var client = DHCPClient(hardwareAddress: `DHCP messages`.hardware, random: { 7 })
      _ = client.begin()
      var message = DHCPMessage(.offer, transaction: 7, hardwareAddress: `DHCP messages`.hardware)
      message.yourAddress = IPv4Address("10.0.0.5")
      message.server = IPv4Address("10.0.0.1")
      message.mask = IPv4Address(number: .max)
      message.mtu = .max
      (message.leaseTime, message.renewalTime, message.rebindingTime) = (lease, renewal, rebinding)
      _ = client.received(message)
      message.kind = .acknowledgement
      _ = client.received(message)
      #expect(client.lease != nil)
      for _ in 0..<100 {
        for case .wait(let time) in client.waited() { #expect(time >= .zero && time <= .longest) }
      }
    }
  }

  @Test(arguments: seconds, [0, 1, 1800, UInt16.max]) func prefixesOfAnyLifetime(_ lifetime: UInt32, _ router: UInt16) {
    for length in [0, 1, 63, 64, 65, 128, 255] {
      var advertisement = RouterAdvertisement(`Router advertisements`.packet)!
      advertisement.lifetime = router
      advertisement.mtu = lifetime
      advertisement.prefixes = [
        .init(
          address: IPv6Address(high: 0x2001_0db8_0000_0000, low: 0), length: length, isAutonomous: true,
          validLifetime: lifetime, preferredLifetime: .max)
      ]
      var machine = Autoconfiguration(interfaceID: 1)
      _ = machine.begin()
      for case .wait(let time) in machine.received(advertisement) { #expect(time >= .zero && time <= .longest) }
      for _ in 0..<100 {
        for case .wait(let time) in machine.waited() { #expect(time > .zero && time <= .longest) }
      }
    }
  }
}

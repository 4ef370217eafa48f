import ModemModel
import ModemSimulator
import NetworkAddress
import Testing

@testable import BearerNetworking

@Suite struct `Router advertisements` {
  static let bearer: SimulatedBearer = {
    var bearer = SimulatedBearer()
    bearer.ipv6Source = .link
    return bearer
  }()
  static let packet = SimulatedLink(bearer).advertisement()!

  @Test func `are read with prefix, MTU and name servers`() throws {
    let read = try #require(RouterAdvertisement(Self.packet))
    #expect(read.router.description == "fe80::1")
    #expect(read.lifetime == 3600)
    #expect(read.mtu == 1500)
    #expect(read.prefixes.map(\.address.description) == ["2001:db8:64::"])
    #expect(read.prefixes.first?.isAutonomous == true)
    #expect(read.dns.map(\.description) == ["2001:db8:64::1"])
  }

  @Test func `that are cut, changed, or come from beyond the link are not read`() {
    for length in 0..<Self.packet.count { #expect(RouterAdvertisement(Array(Self.packet.prefix(length))) == nil) }
    // Version, length, next header, hop limit, addresses and message: all but traffic class and
    // flow label.
    for position in Self.packet.indices where !(1...3).contains(position) {
      var changed = Self.packet
      changed[position] ^= 0x55
      #expect(RouterAdvertisement(changed) == nil, "byte \(position)")
    }
  }

  @Test func `are asked for with a question that a router takes`() throws {
    for source in ["fe80::abcd", "::"] {
      let question = RouterSolicitation.packet(from: try #require(IPv6Address(source)))
      #expect(SimulatedLink(Self.bearer).answer(to: question) == Self.packet)
    }
  }
}

@Suite struct `An address made from advertisements` {
  private static let router = IPv6Address("fe80::1")!

  private func advertisement(
    _ prefix: String = "2001:db8:1::", length: Int = 64, valid: UInt32 = 3600, preferred: UInt32 = 3600,
    lifetime: UInt16 = 1800, isAutonomous: Bool = true, router: IPv6Address = Self.router
  ) -> RouterAdvertisement {
    var made = RouterAdvertisement(`Router advertisements`.packet)!
    made.router = router
    made.lifetime = lifetime
    made.prefixes = [
      .init(
        address: IPv6Address(prefix)!, length: length, isAutonomous: isAutonomous, validLifetime: valid,
        preferredLifetime: preferred)
    ]
    return made
  }

  @Test func `has the network's interface identifier and the router as its gateway`() {
    var configuration = Autoconfiguration(interfaceID: 0xabcd)
    #expect(configuration.begin() == [.solicit, .wait(.seconds(1))])
    #expect(configuration.received(advertisement()) == [.changed, .wait(.seconds(1350))])
    #expect(configuration.assignment?.prefix.description == "2001:db8:1::abcd/64")
    #expect(configuration.assignment?.gateway?.description == "fe80::1")
    #expect(configuration.dns.map(\.description) == ["2001:db8:64::1"])
    #expect(configuration.mtu == 1500)
    // The same again is no news; another prefix is.
    #expect(configuration.received(advertisement()) == [.wait(.seconds(1350))])
    #expect(configuration.received(advertisement("2001:db8:2::")).first == .changed)
    #expect(configuration.assignment?.prefix.description == "2001:db8:2::abcd/64")
  }

  @Test func `is asked for anew in good time, and ends in silence`() {
    var configuration = Autoconfiguration(interfaceID: 1)
    _ = configuration.begin()
    _ = configuration.received(advertisement())
    var waited = Duration.seconds(1350)
    for _ in 0..<3 {
      let actions = configuration.waited()
      #expect(actions.first == .solicit)
      if case .wait(let time)? = actions.last { waited += time }
    }
    #expect((1800...1802).contains(waited.components.seconds))
    #expect(configuration.assignment != nil)
    #expect(configuration.waited() == [.changed, .solicit, .wait(.seconds(1))])
    #expect(configuration.assignment == nil)
  }

  @Test func `is looked for ever more seldom`() {
    var configuration = Autoconfiguration(interfaceID: 1)
    _ = configuration.begin()
    var waits: [Int64] = []
    for _ in 0..<12 { for case .wait(let time) in configuration.waited() { waits.append(time.components.seconds) } }
    #expect(waits.prefix(4) == [4, 8, 16, 32])
    #expect(waits.max() == 900)
  }

  @Test func `is not made of what does not fit`() {
    for odd in [
      advertisement(length: 63), advertisement(valid: 0), advertisement(lifetime: 0), advertisement("fe80::"),
      advertisement(isAutonomous: false),
    ] {
      var configuration = Autoconfiguration(interfaceID: 1)
      _ = configuration.begin()
      #expect(configuration.received(odd) == [])
      #expect(configuration.assignment == nil)
    }
  }

  @Test func `ends when its router says so, and not when another one does`() {
    var configuration = Autoconfiguration(interfaceID: 1)
    _ = configuration.begin()
    _ = configuration.received(advertisement())
    #expect(configuration.received(advertisement(lifetime: 0, router: IPv6Address("fe80::2")!)) == [])
    #expect(configuration.received(advertisement(lifetime: 0)).first == .changed)
    #expect(configuration.assignment == nil)
  }
}

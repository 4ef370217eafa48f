import BearerNetworking
import CLinux
import Glibc
import ModemModel
import NetworkAddress
import Rtnetlink
import Testing

/// Everything that the kernel can list, in an order of its own, to see what a bearer changed.
struct KernelDump: Hashable, Sendable {
  var links: [Link]
  var addresses: Set<InterfaceAddress>
  var routes: Set<Route>
  var rules: [RoutingRule]

  init(_ kernel: NetlinkSession) throws {
    links = try kernel.links()
    addresses = Set(try kernel.addresses())
    // IPv6's own local routes come and go a moment after their addresses, which are compared.
    routes = Set(try kernel.routes().filter { $0.table != 255 || $0.family == .ipv4 })
    rules = try kernel.rules()
  }
}

extension KernelDump {
  /// What one has and the other has not, in words.
  func differences(from other: KernelDump) -> [String] {
    let words = { (a: KernelDump, b: KernelDump) in
      a.links.filter { !b.links.contains($0) }.map { "\($0)" } + a.addresses.subtracting(b.addresses).map { "\($0)" }
        + a.routes.subtracting(b.routes).map { "\($0)" } + Set(a.rules).subtracting(b.rules).map { "\($0)" }
    }
    return words(self, other).map { "new: \($0)" } + words(other, self).map { "gone: \($0)" }
  }
}

/// A namespace with a modem's device `wwan0`, and another uplink `lan0` that has the default
/// routes.
struct Host: Sendable {
  let namespace: NetworkNamespace
  let modem: Tunnel
  let uplink: Tunnel

  init() throws {
    let namespace = try NetworkNamespace()
    self.namespace = namespace
    (modem, uplink) = try namespace.run { (try Tunnel("wwan0"), try Tunnel("lan0")) }
    try kernel { kernel in
      let lan = try #require(try kernel.link(named: "lan0"))
      // Link-local addresses come up in their own time and would disturb the comparison.
      try kernel.set(LinkChange(addressGeneration: 1), of: lan)
      try kernel.set(LinkChange(isUp: true), of: lan)
      for (text, length) in [("192.0.2.1", 24), ("2001:db8:1::1", 64)] {
        let address = try #require(IPAddress(text))
        try kernel.set(
          InterfaceAddress(
            interfaceIndex: lan.index, prefix: try #require(IPPrefix(address, length: length)),
            skipsDuplicateDetection: true), on: "lan0")
        try kernel.replace(
          Route(
            AddressFamily(address), table: 254, kind: .unicast(interfaceIndex: lan.index, gateway: nil),
            metric: 100, origin: 4))
      }
    }
  }

  func kernel<Value: Sendable>(_ work: @escaping @Sendable (NetlinkSession) throws -> Value) throws -> Value {
    try namespace.run { try work(NetlinkSession(KernelNetlinkSocket())) }
  }

  func dump() throws -> KernelDump { try kernel { try KernelDump($0) } }

  func expectUnchanged(since before: KernelDump, location: SourceLocation = #_sourceLocation) throws {
    let differences = try dump().differences(from: before)
    #expect(differences == [], "\(differences.joined(separator: "; "))", sourceLocation: location)
  }

  func network() -> BearerNetwork {
    let namespace = namespace
    // The files of the test's own thread are not those of the namespace.
    return BearerNetwork(files: LinkFiles(sysfs: "/nowhere", procfs: "/nowhere")) { groups in
      try namespace.run { try KernelNetlinkSocket(groups: groups) }
    }
  }

  func connect(_ address: String, from source: String? = nil, over interface: String? = nil) throws -> Int32 {
    let address = try #require(IPAddress(address)).bytes
    let source = try source.map { try #require(IPAddress($0)).bytes }
    return try namespace.run { startConnection(to: address, from: source, over: interface) }
  }
}

enum Settings {
  static func assignment(_ text: String, _ length: Int, gateway: String? = nil) -> BearerSettings.Assignment {
    .init(prefix: IPPrefix(IPAddress(text)!, length: length)!, gateway: gateway.map { IPAddress($0)! })
  }
  static let ipv4 = BearerSettings(ipv4: assignment("10.64.0.2", 30), mtu: 1430)
  static let ipv6 = BearerSettings(ipv6: assignment("2001:db8:64::2", 64, gateway: "fe80::1"), mtu: 1000)
  static let both = BearerSettings(
    ipv4: assignment("10.64.0.2", 32, gateway: "10.64.0.1"), ipv6: assignment("2001:db8:64::2", 64), mtu: 1430)
  static let moved = BearerSettings(ipv4: assignment("10.64.0.6", 30), mtu: 1400)
}

@Suite(
  .enabled(if: NetworkNamespace.isAllowed, Comment(rawValue: NetworkNamespace.reason)), .timeLimit(.minutes(1)))
struct BearerNetworkTests {
  @Test(arguments: [Settings.ipv4, Settings.ipv6, Settings.both])
  func aBearerIsInstalledAndRemovedWithoutATrace(_ settings: BearerSettings) async throws {
    let host = try Host()
    let before = try host.dump()
    let network = host.network()
    let bearer = try await network.install(settings, on: "wwan0")
    #expect(bearer.table == 7_700_000 + bearer.interfaceIndex)
    try await network.verify(bearer)
    let during = try host.dump()
    #expect(during.links.first { $0.name == "wwan0" }?.isUp == true)
    #expect(during.links.first { $0.name == "wwan0" }?.mtu == (settings.mtu == 1000 ? 1280 : 1430))
    // Nothing that was there before has changed, and the main table has nothing new.
    #expect(before.addresses.isSubset(of: during.addresses))
    #expect(before.routes.isSubset(of: during.routes))
    #expect(before.routes.filter { $0.table == 254 } == during.routes.filter { $0.table == 254 })
    #expect(Set(before.rules).isSubset(of: during.rules))
    #expect(before.links.filter { $0.name != "wwan0" } == during.links.filter { $0.name != "wwan0" })

    try await network.remove(bearer)
    try host.expectUnchanged(since: before)
    try await network.remove(bearer)
  }

  @Test func installingTwiceChangesNothing() async throws {
    let host = try Host()
    let network = host.network()
    let first = try await network.install(Settings.both, on: "wwan0")
    let once = try host.dump()
    #expect(try await network.install(Settings.both, on: "wwan0") == first)
    try host.expectUnchanged(since: once)
  }

  @Test func newSettingsReplaceTheOldOnes() async throws {
    let host = try Host()
    let before = try host.dump()
    let network = host.network()
    _ = try await network.install(Settings.both, on: "wwan0")
    let bearer = try await network.install(Settings.moved, on: "wwan0")
    try await network.verify(bearer)
    let dump = try host.dump()
    #expect(!dump.addresses.contains { "\($0.prefix)".hasPrefix("2001:db8:64::") })
    #expect(!dump.rules.contains { $0.source.map { "\($0)" } == "10.64.0.2/32" })
    try await network.remove(bearer)
    try host.expectUnchanged(since: before)
  }

  @Test func whatAKilledProcessLeftIsCleanedUp() async throws {
    let host = try Host()
    let before = try host.dump()
    _ = try await host.network().install(Settings.both, on: "wwan0")
    let later = host.network()
    try await later.cleanUp(interface: "wwan0")
    try host.expectUnchanged(since: before)
    try await later.cleanUp(interface: "wwan0")
  }

  @Test func rulesOfAVanishedDeviceAreCleanedUp() async throws {
    let host = try Host()
    _ = try await host.network().install(Settings.both, on: "wwan0")
    try host.kernel { kernel in
      let link = try #require(try kernel.link(named: "wwan0"))
      try kernel.delete(link)
    }
    #expect(try host.dump().rules.contains { $0.origin == 77 })
    try await host.network().cleanUp(interface: "wwan1")
    let dump = try host.dump()
    #expect(!dump.rules.contains { $0.origin == 77 })
    #expect(!dump.routes.contains { $0.origin == 77 })
  }

  @Test func aDeviceThatVanishesWhileItIsTakenDownLeavesNothing() async throws {
    let host = try Host()
    let bearer = try await host.network().install(Settings.both, on: "wwan0")
    let namespace = host.namespace
    let network = BearerNetwork(files: LinkFiles(sysfs: "/nowhere", procfs: "/nowhere")) { groups in
      // RTM_NEWLINK puts the link down, after it has been looked up.
      InterruptedSocket(try namespace.run { try KernelNetlinkSocket(groups: groups) }, before: 16) {
        try host.kernel { kernel in
          let link = try #require(try kernel.link(named: "wwan0"))
          try kernel.delete(link)
        }
      }
    }
    try await network.remove(bearer)
    let dump = try host.dump()
    #expect(!dump.rules.contains { $0.origin == 77 })
    #expect(!dump.routes.contains { $0.origin == 77 })
  }

  @Test func twoBearersDoNotTouchEachOther() async throws {
    let host = try Host()
    let second = try host.namespace.run { try Tunnel("wwan1") }
    let before = try host.dump()
    let (one, two) = (host.network(), host.network())
    let first = try await one.install(Settings.ipv4, on: "wwan0")
    let other = try await two.install(Settings.moved, on: "wwan1")
    #expect(first.table != other.table)
    try await one.cleanUp(interface: "wwan0")
    try await two.verify(other)
    try await two.remove(other)
    try host.expectUnchanged(since: before)
    _ = second
  }

  @Test func trafficOfTheBearerLeavesThroughItAloneAndOtherTrafficDoesNot() async throws {
    let host = try Host()
    _ = try await host.network().install(Settings.both, on: "wwan0")
    for (target, source) in [("198.51.100.7", "10.64.0.2"), ("2001:db8:ffff::7", "2001:db8:64::2")] {
      #expect(try host.connect(target, over: "wwan0") == 0)
      #expect(host.modem.sentTCP() == 1)
      #expect(try host.connect(target, from: source) == 0)
      #expect(host.modem.sentTCP() == 1)
      #expect(host.uplink.sentTCP() == 0)
      #expect(try host.connect(target) == 0)
      #expect(host.uplink.sentTCP() == 1)
      #expect(host.modem.sentTCP() == 0)
    }
  }

  /// What may be taken away from a table: the default routes alone, or all.
  @Test(arguments: [false, true])
  func anEmptiedTableIsNoticedAndLetsNothingOut(_ all: Bool) async throws {
    let host = try Host()
    let network = host.network()
    let bearer = try await network.install(Settings.both, on: "wwan0")
    try host.kernel { kernel in
      for route in try kernel.routes(inTable: UInt32(bearer.table)) where all || route.kind != .unreachable {
        try kernel.delete(route)
      }
    }
    let error = await #expect(throws: ModemError.self) { try await network.verify(bearer) }
    #expect(error?.code == .networking)
    #expect(error?.message.contains("route") == true)
    // The route says EHOSTUNREACH, the rule behind it ENETUNREACH.
    let refusals = [EHOSTUNREACH, ENETUNREACH]
    #expect(refusals.contains(try host.connect("198.51.100.7", from: "10.64.0.2")))
    #expect(refusals.contains(try host.connect("2001:db8:ffff::7", from: "2001:db8:64::2")))
    #expect(refusals.contains(try host.connect("2001:db8:ffff::7", over: "wwan0")))
    // Bound to the device, IPv4 takes every target as on the link when no route is found: still the
    // device's own link.
    #expect(try host.connect("198.51.100.7", over: "wwan0") == 0)
    #expect(host.uplink.sentTCP() == 0)
  }

  @Test func theFamilyWithoutAnAddressIsClosed() async throws {
    let host = try Host()
    _ = try await host.network().install(Settings.ipv4, on: "wwan0")
    #expect(try host.connect("2001:db8:ffff::7", over: "wwan0") != 0)
    #expect(host.uplink.sentTCP() == 0)
  }

  enum Loss: String, CaseIterable {
    case device, down, address, route, rule
  }

  @Test(arguments: Loss.allCases)
  func aLossIsToldOnce(_ loss: Loss) async throws {
    let host = try Host()
    let network = host.network()
    let bearer = try await network.install(Settings.both, on: "wwan0")
    var losses = network.losses(of: bearer).makeAsyncIterator()
    try host.kernel { kernel in
      let link = try #require(try kernel.link(named: "wwan0"))
      switch loss {
      case .device: try kernel.delete(link)
      case .down: try kernel.set(LinkChange(isUp: false), of: link)
      case .address:
        for address in try kernel.addresses(ofInterface: link.index) where address.origin == 77 {
          try kernel.delete(address, on: "wwan0")
        }
      case .route:
        for route in try kernel.routes(inTable: UInt32(bearer.table)) { try kernel.delete(route) }
      case .rule:
        for rule in try kernel.rules(.ipv4) where rule.origin == 77 { try kernel.delete(rule) }
      }
    }
    // The first word may come from the middle of the change; the kernel's end of it is what verify
    // says.
    #expect(try await !#require(losses.next()).isEmpty)
    let error = await #expect(throws: ModemError.self) { try await network.verify(bearer) }
    let words = try #require(error).message
    let expected: [Loss: String] = [
      .device: "the interface wwan0 is gone", .down: "the interface wwan0 is down", .address: "address 10.64.0.2/32",
      .route: "route", .rule: "rule",
    ]
    #expect(words.contains(try #require(expected[loss])))
    try await network.remove(bearer)
    // Removed by us: the stream ends, and says nothing more.
    try host.kernel { kernel in
      if let lan = try kernel.link(named: "lan0") { try kernel.set(LinkChange(mtu: 1400), of: lan) }
      if let link = try kernel.link(named: "wwan0") { try kernel.set(LinkChange(mtu: 1300), of: link) }
    }
    if loss != .device { #expect(await losses.next() == nil) }
  }

  @Test func aLinkWhoseMTUIsTooSmallForIPv6IsWidened() async throws {
    let host = try Host()
    try host.kernel { kernel in
      let link = try #require(try kernel.link(named: "wwan0"))
      try kernel.set(LinkChange(mtu: 1000), of: link)
    }
    let before = try host.dump()
    var settings = Settings.both
    settings.mtu = nil
    let network = host.network()
    let bearer = try await network.install(settings, on: "wwan0")
    #expect(try host.kernel { try $0.link(named: "wwan0")?.mtu } == 1280)
    try await network.remove(bearer)
    try host.expectUnchanged(since: before)
  }

  @Test(arguments: ["lan0", "lo"]) func theHostsOwnInterfacesAreRefused(_ name: String) async throws {
    let host = try Host()
    let before = try host.dump()
    let error = await #expect(throws: ModemError.self) {
      try await host.network().install(Settings.ipv4, on: name)
    }
    #expect(error?.message.contains("name the modem's own") == true)
    try host.expectUnchanged(since: before)
  }

  @Test func aFailedInstallationLeavesNothing() async throws {
    let host = try Host()
    let before = try host.dump()
    // The kernel puts no multicast address on a device, and by then the IPv4 address is there.
    var settings = Settings.both
    settings.ipv6 = Settings.assignment("ff02::5", 64)
    await #expect(throws: ModemError.self) { try await host.network().install(settings, on: "wwan0") }
    try host.expectUnchanged(since: before)
  }

  @Test func aMissingInterfaceIsNamed() async throws {
    let error = await #expect(throws: ModemError.self) {
      try await Host().network().install(Settings.ipv4, on: "wwan7")
    }
    #expect(error?.message == "there is no network interface wwan7; see `ip link`")
  }

  @Test func withoutTheCapabilityTheErrorNamesIt() async throws {
    let host = try Host()
    let session = try host.namespace.run {
      var header = __user_cap_header_struct(version: 0x2008_0522, pid: 0)
      var none = [__user_cap_data_struct(), __user_cap_data_struct()]
      guard capset(&header, &none) == 0 else { throw NetworkNamespace.Failure(errno) }
      let kernel = try NetlinkSession(KernelNetlinkSocket())
      let link = try #require(try kernel.link(named: "wwan0"))
      do {
        try kernel.set(LinkChange(isUp: true), of: link)
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(
      session.hasPrefix(
        "cannot set interface wwan0 to up: Operation not permitted (errno 1); the process needs CAP_NET_ADMIN"))
  }
}

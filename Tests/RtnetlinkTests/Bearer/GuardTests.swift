import BearerNetworking
import Glibc
import ModemModel
import NetworkAddress
import Rtnetlink
import Testing

/// What guards a bearer where the kernel has no VRF, in a namespace of the test's own; `make
/// kernel` is for the VRF.
@Suite(
  .enabled(if: NetworkNamespace.isAllowed, Comment(rawValue: NetworkNamespace.reason)), .timeLimit(.minutes(1)))
struct GuardTests {
  /// Guarded for modemd as another user than this process's.
  private func network(
    _ host: Host, _ choice: ModemSettings.Guard = .nftables, user: UInt32 = 990, files: LinkFiles? = nil
  ) -> BearerNetwork {
    let namespace = host.namespace
    return BearerNetwork(
      files: files ?? LinkFiles(sysfs: "/nowhere", procfs: "/nowhere"),
      guarding: BearerGuarding(choice, user: user) { isWatching in
        try namespace.run { try KernelNetlinkSocket.filter(isWatching: isWatching) }
      }
    ) { groups in
      try namespace.run { try KernelNetlinkSocket(groups: groups) }
    }
  }

  private func tables(_ host: Host) throws -> [String] {
    try host.namespace.run { try NetlinkSession(KernelNetlinkSocket.filter()).filterTables() }
  }

  @Test func aFilterIsInstalledOnceAndRemovedWithoutATrace() async throws {
    let host = try Host()
    let before = try host.dump()
    let network = network(host)
    let bearer = try await network.install(Settings.both, on: "wwan0")
    #expect(bearer.guardian == .nftables)
    #expect(try tables(host) == ["modemd_wwan0"])
    try await network.verify(bearer)
    let once = try host.dump()
    #expect(try await network.install(Settings.both, on: "wwan0") == bearer)
    try host.expectUnchanged(since: once)
    try await network.remove(bearer)
    #expect(try tables(host) == [])
    try host.expectUnchanged(since: before)
    try await network.remove(bearer)
  }

  @Test func aKilledProcessesFiltersGo() async throws {
    let host = try Host()
    let second = try host.namespace.run { try Tunnel("wwan1") }
    let before = try host.dump()
    _ = try await network(host).install(Settings.both, on: "wwan0")
    let other = network(host)
    let theirs = try await other.install(Settings.moved, on: "wwan1")
    let both = try tables(host).sorted()
    #expect(both == ["modemd_wwan0", "modemd_wwan1"])
    try await network(host).cleanUp(interface: "wwan0")
    #expect(try tables(host) == ["modemd_wwan1"])
    try await other.verify(theirs)
    // A vanished interface's go with the next one's.
    try host.kernel { kernel in
      let link = try #require(try kernel.link(named: "wwan1"))
      try kernel.delete(link)
    }
    try await network(host).cleanUp(interface: "wwan0")
    #expect(try tables(host) == [])
    #expect(try host.dump().rules == before.rules)
    _ = second
  }

  @Test func onlyTheServicesSocketsLeave() async throws {
    for (user, sent) in [(getuid(), 1), (getuid() + 990, 0)] as [(UInt32, Int)] {
      let host = try Host()
      _ = try await network(host, user: user).install(Settings.both, on: "wwan0")
      for (target, source) in [("198.51.100.7", "10.64.0.2"), ("2001:db8:ffff::7", "2001:db8:64::2")] {
        _ = try host.connect(target, over: "wwan0")
        #expect(host.modem.sentTCP() == sent)
        _ = try host.connect(target, from: source)
        #expect(host.modem.sentTCP() == sent)
        #expect(host.uplink.sentTCP() == 0)
        #expect(try host.connect(target) == 0)
        #expect(host.uplink.sentTCP() == 1)
      }
    }
  }

  @Test func aFilterThatIsFlushedIsALoss() async throws {
    let host = try Host()
    let network = network(host)
    let bearer = try await network.install(Settings.both, on: "wwan0")
    var losses = network.losses(of: bearer).makeAsyncIterator()
    try host.namespace.run {
      try NetlinkSession(KernelNetlinkSocket.filter()).deleteFilterTable("modemd_wwan0")
    }
    let loss = await losses.next()
    #expect(loss?.contains("modemd_wwan0") == true)
    let error = await #expect(throws: ModemError.self) { try await network.verify(bearer) }
    #expect(error?.message.contains("packet filter") == true)
  }

  @Test func aGuardThatIsOffSaysSo() async throws {
    let host = try Host()
    let bearer = try await network(host, .off).install(Settings.both, on: "wwan0")
    #expect(bearer.guardian == .none("it is switched off by `bearer.guard`"))
    #expect(try tables(host) == [])
    #expect(try host.connect("198.51.100.7", over: "wwan0") == 0)
    #expect(host.modem.sentTCP() == 1)
  }

  @Test func theBestGuardOfTheKernelIsTaken() async throws {
    let host = try Host()
    let before = try host.dump()
    let network = network(host, .auto)
    let bearer = try await network.install(Settings.both, on: "wwan0")
    let hasVRF = try host.kernel { try $0.knowsLinks(ofKind: "vrf") }
    #expect(bearer.guardian == (hasVRF ? .vrf(nil) : .nftables))
    try await network.verify(bearer)
    try await network.remove(bearer)
    #expect(try tables(host) == [])
    // The kernel's own rules for VRFs stay.
    let after = try host.dump().rules.filter { !$0.asksVRF }
    #expect(after == before.rules)
  }

  @Test func withoutTheGuardThatIsAskedForThereIsNoBearer() async throws {
    let host = try Host()
    guard try !host.kernel({ try $0.knowsLinks(ofKind: "vrf") }) else { return }
    let before = try host.dump()
    let error = await #expect(throws: ModemError.self) {
      try await network(host, .vrf).install(Settings.both, on: "wwan0")
    }
    #expect(error?.cause?.contains("VRF device") == true)
    try host.expectUnchanged(since: before)
  }

  @Test(arguments: [
    ("192.0.2.1", "is already an address of lan0"), ("192.0.2.77", "is in 192.0.2.1/24"),
    ("203.0.113.9", "is a gateway"),
    ("203.0.113.53", "is a name server"), ("2001:db8:1::1", "is already an address of lan0"),
    ("2001:db8:1::9", "is in 2001:db8:1::1/64"),
    ("127.0.0.1", "cannot be a host's"), ("0.0.0.0", "cannot be a host's"), ("0.1.2.3", "cannot be a host's"),
    ("224.0.0.1", "cannot be a host's"),
    ("255.255.255.255", "cannot be a host's"), ("::1", "cannot be a host's"),
    ("::ffff:192.0.2.1", "cannot be a host's"), ("ff02::1", "cannot be a host's"),
    ("fe80::1", "cannot be a host's"),
  ])
  func anAddressThatIsSomebodyElsesIsRefused(_ address: String, _ reason: String) async throws {
    let host = try Host()
    try host.kernel { kernel in
      let lan = try #require(try kernel.link(named: "lan0"))
      try kernel.replace(
        Route(
          .ipv4, destination: IPPrefix(try #require(IPAddress("198.18.0.0")), length: 15), table: 254,
          kind: .unicast(interfaceIndex: lan.index, gateway: IPAddress("203.0.113.9")), metric: 5, origin: 4))
    }
    let before = try host.dump()
    let files = LinkFiles(
      sysfs: "/nowhere", procfs: "/nowhere",
      read: { $0 == "/etc/resolv.conf" ? "search example\nnameserver 203.0.113.53\n" : nil })
    let parsed = try #require(IPAddress(address))
    let assignment = BearerSettings.Assignment(prefix: try #require(IPPrefix(parsed, length: 0)))
    let settings = AddressFamily(parsed) == .ipv4 ? BearerSettings(ipv4: assignment) : BearerSettings(ipv6: assignment)
    let error = await #expect(throws: ModemError.self) {
      try await network(host, files: files).install(settings, on: "wwan0")
    }
    #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
    try host.expectUnchanged(since: before)
    #expect(try tables(host) == [])
  }

  @Test func theLastAddressOfAPrefixIsNoBroadcastAndALinkLocalAddressIsLeftOut() async throws {
    let host = try Host()
    var settings = Settings.both
    settings.ipv4 = Settings.assignment("198.51.100.5", 30)
    settings.ipv6 = Settings.assignment("fe80::5", 64)
    let bearer = try await network(host).install(settings, on: "wwan0")
    #expect(bearer.settings.ipv6 == nil)
    #expect(try host.connect("198.51.100.7") == 0)
    #expect(host.uplink.sentTCP() == 1)
  }

  /// A VPN's route that covers the gateway, and a gateway that is the machine's own address.
  @Test func aGatewayThatTheKernelRefusesIsLeftOut() async throws {
    let host = try Host()
    try host.kernel { kernel in
      let lan = try #require(try kernel.link(named: "lan0"))
      try kernel.replace(
        Route(
          .ipv6, destination: IPPrefix(try #require(IPAddress("2000::")), length: 3), table: 254,
          kind: .unicast(interfaceIndex: lan.index, gateway: nil), metric: 5, origin: 4))
    }
    var settings = Settings.both
    settings.ipv4?.gateway = IPAddress("192.0.2.1")
    settings.ipv6?.gateway = IPAddress("2001:db8:64::1")
    let network = network(host, user: getuid())
    let bearer = try await network.install(settings, on: "wwan0")
    try await network.verify(bearer)
    for target in ["198.51.100.7", "2001:db8:ffff::7"] {
      #expect(try host.connect(target, over: "wwan0") == 0)
      #expect(host.modem.sentTCP() == 1)
      #expect(try host.connect(target) == 0)
      #expect(host.uplink.sentTCP() == 1)
    }
  }
}

import Glibc
import ModemModel
import NetworkAddress
import Rtnetlink
import Synchronization
import Testing

@testable import BearerNetworking

/// What carries a bearer when the modem is shared, in a namespace of the test's own.
@Suite(
  .timeLimit(.minutes(1)), .enabled(if: NetworkNamespace.isAllowed, Comment(rawValue: NetworkNamespace.reason)))
struct PortNetworkTests {
  private static let settings = BearerSettings(
    ipv4: .init(prefix: IPPrefix(IPAddress("10.64.0.2")!, length: 24)!, gateway: IPAddress("10.64.0.1")),
    dns: [IPAddress("198.51.100.53")!], mtu: 1420)

  private func network(in host: Host, files: LinkFiles = LinkFiles(sysfs: "/nowhere")) -> BearerNetwork {
    let namespace = host.namespace
    return BearerNetwork(files: files) { groups in try namespace.run { try KernelNetlinkSocket(groups: groups) } }
  }

  /// Has another program set `wwan0` up.
  private func setUp(_ host: Host, address: String = "10.64.0.2", isUp: Bool = true) throws {
    try host.kernel { kernel in
      let link = try #require(try kernel.link(named: "wwan0"))
      try kernel.set(LinkChange(isUp: isUp, addressGeneration: 1), of: link)
      let parsed = try #require(IPAddress(address))
      let prefix = try #require(IPPrefix(parsed, length: 24))
      try kernel.set(InterfaceAddress(interfaceIndex: link.index, prefix: prefix), on: "wwan0")
    }
  }

  @Test func `an adopted bearer gets a table and rules; link and addresses stay as they are`() async throws {
    let host = try Host()
    try setUp(host)
    let before = try host.dump()
    let network = PortNetwork(network(in: host))
    await network.use(.adopted { "wwan0" })
    try await network.setRawIP(interface: "wwan0")
    let bearer = try await network.install(Self.settings, on: "wwan9")
    #expect(bearer.interface == "wwan0")
    let during = try host.dump()
    #expect(during.links == before.links && during.addresses == before.addresses)
    #expect(during.routes.subtracting(before.routes).allSatisfy { $0.table == UInt32(bearer.table) })
    #expect(during.rules.count > before.rules.count)
    try await network.verify(bearer)
    try await network.remove(bearer)
    #expect(try host.dump().differences(from: before) == [])
  }

  @Test func `an address that its owner takes away is a loss`() async throws {
    let host = try Host()
    try setUp(host)
    let network = PortNetwork(network(in: host))
    await network.use(.adopted { "wwan0" })
    let bearer = try await network.install(Self.settings, on: "wwan0")
    var losses = network.losses(of: bearer).makeAsyncIterator()
    try host.kernel { kernel in
      let link = try #require(try kernel.link(named: "wwan0"))
      for address in try kernel.addresses(ofInterface: link.index) { try kernel.delete(address, on: "wwan0") }
    }
    // The first word may come from the middle of the change: the address' routes go with it.
    #expect(try await !#require(losses.next()).isEmpty)
    let error = await #expect(throws: ModemError.self) { try await network.verify(bearer) }
    #expect(error?.message.contains("the address 10.64.0.2/24 of wwan0 is gone") == true, "\(error?.message ?? "")")
    try await network.remove(bearer)
  }

  @Test func `a bearer that nobody has set up is not adopted, and nothing is left`() async throws {
    let host = try Host()
    let network = PortNetwork(network(in: host))
    await network.use(.adopted { "wwan0" })
    let before = try host.dump()
    let down = await #expect(throws: ModemError.self) { _ = try await network.install(Self.settings, on: "wwan0") }
    #expect(down?.code == .networking && down?.message.contains("wwan0 is down") == true)
    #expect(try host.dump().differences(from: before) == [])
    try setUp(host, address: "10.64.0.9")
    let other = try host.dump()
    let missing = await #expect(throws: ModemError.self) { _ = try await network.install(Self.settings, on: "wwan0") }
    #expect(missing?.message.contains("an address that is not set on wwan0") == true)
    #expect(try host.dump().differences(from: other) == [])
  }

  @Test func `a session's link is made for the bearer and goes with it, or the kernel's lack of it is told`()
    async throws
  {
    let host = try Host()
    let plain = network(in: host)
    let network = PortNetwork(plain, kinds: { _ in .vlan })
    await network.use(.session(77, .vlan))
    let before = try host.dump()
    guard await network.carriesSessions("wwan0") else {
      let error = await #expect(throws: ModemError.self) { _ = try await network.install(Self.settings, on: "wwan0") }
      #expect(error?.message.contains("no links of kind vlan") == true)
      #expect(try host.dump().differences(from: before) == [])
      return
    }
    let bearer = try await network.install(Self.settings, on: "wwan0")
    #expect(bearer.interface == "wwan0.77")
    let link = try host.kernel { try $0.link(named: "wwan0.77") }
    #expect(link?.alias?.hasPrefix("modemd session 77 of wwan0") == true && link?.isUp == true)
    let again = try await network.install(Self.settings, on: "wwan0.77")
    #expect(again == bearer)
    try await network.remove(bearer)
    #expect(try host.kernel { try $0.link(named: "wwan0.77") } == nil)
    // What a killed run leaves is found and taken away, and its session known to be one's own.
    _ = try await network.install(Self.settings, on: "wwan0")
    let next = PortNetwork(self.network(in: host), kinds: { _ in .vlan })
    try await next.cleanUp(interface: "wwan0")
    #expect(await next.leftSessions == [77])
    #expect(try host.kernel { try $0.link(named: "wwan0.77") } == nil)
  }

  // MARK: A data port that multiplexes

  /// What was written to files of the driver's.
  private final class Writes: Sendable {
    let texts = Mutex<[String]>([])
  }

  /// A sysfs in which qmi_wwan has `wwan0`, and makes links in the host's namespace when it is
  /// asked.
  private func driver(
    in host: Host, passesThrough: Bool = false, written: Writes? = nil
  ) throws -> (tree: SysfsTree, files: LinkFiles) {
    let tree = try SysfsTree()
    if passesThrough { tree.file("class/net/wwan0/qmi/pass_through", "Y\n") }
    tree.link("devices/usb/driver", to: "bus/usb/drivers/qmi_wwan")
    tree.link("class/net/wwan0/device", to: "devices/usb")
    tree.file("class/net/wwan0/qmi/raw_ip", "Y\n")
    let files = LinkFiles(
      sysfs: tree.root, procfs: "/nowhere",
      write: { text, path in
        let id = String(text.prefix { $0.isNumber })
        do {
          switch path {
          case "\(tree.root)/class/net/wwan0/qmi/add_mux":
            try host.kernel { try $0.makeVirtualEthernet("qmimux0", peer: "modem0") }
            tree.folder("class/net/wwan0/upper_qmimux0")
            tree.file("class/net/qmimux0/qmap/mux_id", "\(id)\n")
            return 0
          case "\(tree.root)/class/net/wwan0/qmi/del_mux":
            try host.kernel { kernel in if let link = try kernel.link(named: "qmimux0") { try kernel.delete(link) } }
            tree.removeFolder("class/net/wwan0/upper_qmimux0")
            return 0
          case "\(tree.root)/class/net/wwan0/qmi/raw_ip", "\(tree.root)/class/net/wwan0/qmi/pass_through":
            let isUp = try host.kernel { try $0.link(named: "wwan0")?.isUp }
            written?.texts.withLock {
              $0.append("\(path.split(separator: "/").last ?? "") \(text.prefix(1)), up: \(isUp == true)")
            }
            return 0
          default: return ENOENT
          }
        } catch {
          return EINVAL
        }
      })
    return (tree, files)
  }

  private static let agreed = Multiplexing(id: 1, largestAggregate: 16384)

  @Test func `a bearer of multiplexed packets has a link, and the interface takes the modem's longest transfer`()
    async throws
  {
    let host = try Host()
    let written = Writes()
    let driver = try driver(in: host, written: written)
    let before = try host.dump()
    let network = PortNetwork(network(in: host, files: driver.files), kinds: { _ in .qmimux })
    #expect(try await network.freeID(over: "wwan0") == 1)
    try await network.setLinkFormat(.multiplexed(Self.agreed), interface: "wwan0")
    let bearer = try await network.install(Self.settings, on: "wwan0")
    #expect(bearer.interface == "qmimux0")
    let parent = try #require(try host.kernel { try $0.link(named: "wwan0") })
    #expect(parent.mtu == 16384 && parent.isUp)
    // The driver was told while it took packets for Ethernet frames.
    #expect(written.texts.withLock(\.self) == ["raw_ip N, up: false", "raw_ip Y, up: false"])
    #expect(try host.kernel { try $0.link(named: "qmimux0") }?.mtu == 1420)
    #expect(try await network.freeID(over: "wwan0") == 2)
    try await network.verify(bearer)
    try await network.remove(bearer)
    #expect(try host.dump().differences(from: before) == [])
    // Bare packets again: the bearer is the interface.
    try await network.setLinkFormat(.rawIP, interface: "wwan0")
    let plain = try await network.install(Self.settings, on: "wwan0")
    #expect(plain.interface == "wwan0")
    try await network.remove(plain)
    #expect(try host.dump().differences(from: before) == [])
  }

  @Test func `what a killed run leaves of a multiplexed bearer goes, and the interface is as it was`() async throws {
    let host = try Host()
    let driver = try driver(in: host)
    let before = try host.dump()
    let killed = PortNetwork(network(in: host, files: driver.files), kinds: { _ in .qmimux })
    try await killed.setLinkFormat(.multiplexed(Self.agreed), interface: "wwan0")
    _ = try await killed.install(Self.settings, on: "wwan0")
    let next = PortNetwork(network(in: host, files: driver.files), kinds: { _ in .qmimux })
    try await next.cleanUp(interface: "wwan0")
    #expect(try host.dump().differences(from: before) == [])
    #expect(await next.leftSessions == [1])
  }

  @Test(arguments: [false, true])
  func `an MTU that the driver refuses leaves it with bare packets, as it was`(
    passesThrough: Bool
  ) async throws {
    let host = try Host()
    let written = Writes()
    let driver = try driver(in: host, passesThrough: passesThrough, written: written)
    let before = try host.dump()
    let network = PortNetwork(network(in: host, files: driver.files), kinds: { _ in .qmimux })
    // More than any driver takes.
    try await network.setLinkFormat(.multiplexed(Multiplexing(id: 1, largestAggregate: 99_999)), interface: "wwan0")
    let error = await #expect(throws: ModemError.self) { _ = try await network.install(Self.settings, on: "wwan0") }
    #expect(error?.cause?.contains("MTU 99999") == true, "\(error.map { "\($0)" } ?? "")")
    let bare = ["raw_ip N, up: false", "raw_ip Y, up: false"]
    #expect(
      written.texts.withLock(\.self)
        == (passesThrough ? ["pass_through N, up: false"] + bare + ["pass_through Y, up: false"] : bare))
    try await network.cleanUp(interface: "wwan0")
    #expect(try host.dump().differences(from: before) == [])
  }

  @Test func `rmnet takes no more from an interface than 16 KiB`() async throws {
    let host = try Host()
    let driver = try driver(in: host, passesThrough: true)
    let plain = network(in: host, files: driver.files)
    let agreed = Multiplexing(id: 1, largestAggregate: 32768)
    for (kind, expected) in [(SessionLink.rmnet, 16384), (.qmimux, 32768)] {
      try host.kernel { kernel in
        let link = try #require(try kernel.link(named: "wwan0"))
        try kernel.set(LinkChange(mtu: 1500), of: link)
      }
      // Without rmnet in the kernel the link itself is not made.
      _ = try? await plain.makeLink(of: 1, kind, over: "wwan0", multiplexing: agreed)
      #expect(try host.kernel { try $0.link(named: "wwan0")?.mtu } == expected)
    }
  }

  @Test func `an MTU that the link has no room for is cut to its room`() async throws {
    let host = try Host()
    let driver = try driver(in: host)
    let network = PortNetwork(network(in: host, files: driver.files), kinds: { _ in .qmimux })
    try await network.setLinkFormat(.multiplexed(Self.agreed), interface: "wwan0")
    var settings = Self.settings
    settings.mtu = 9000
    let bearer = try await network.install(settings, on: "wwan0")
    #expect(bearer.settings.mtu == 1500)
    #expect(try host.kernel { try $0.link(named: "qmimux0") }?.mtu == 1500)
    try await network.remove(bearer)
  }

  @Test func `a driver that takes nothing apart is told of before anything is changed`() async throws {
    let host = try Host()
    let before = try host.dump()
    let network = PortNetwork(network(in: host))
    let error = await #expect(throws: ModemError.self) {
      try await network.setLinkFormat(.multiplexed(Self.agreed), interface: "wwan0")
    }
    #expect(error?.message.contains("the driver of wwan0 does not split them") == true, "\(error?.message ?? "")")
    #expect(try host.dump().differences(from: before) == [])
  }

  @Test(arguments: [SessionLink.wwan(device: "wwan9"), .rmnet])
  func `a link that the kernel cannot make says what to do, and leaves nothing`(kind: SessionLink) async throws {
    let host = try Host()
    let before = try host.dump()
    let plain = network(in: host)
    let network = PortNetwork(plain, kinds: { _ in kind })
    guard await plain.canMake(kind) == false else { return }
    await network.use(.session(0, kind))
    let error = await #expect(throws: ModemError.self) { _ = try await network.install(Self.settings, on: "wwan0") }
    let advice = kind == .rmnet ? "write N to qmi/pass_through" : "load the data driver of the modem"
    #expect(error?.message.contains(advice) == true, "\(error?.message ?? "")")
    #expect(try host.dump().differences(from: before) == [])
  }
}

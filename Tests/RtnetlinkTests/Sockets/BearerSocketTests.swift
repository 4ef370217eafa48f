import BearerNetworking
import CLinux
import Glibc
import ModemModel
import NetworkAddress
import Rtnetlink
import Testing

/// Sockets over a bearer, in namespaces of the test's own: counted, ended with it, or one by one.
@Suite(
  .serialized, .enabled(if: NetworkNamespace.isAllowed, Comment(rawValue: NetworkNamespace.reason)),
  .timeLimit(.minutes(2)))
struct BearerSocketTests {
  static let families = ["ipv4", "ipv6"]
  private static let aborted = -Int(ECONNABORTED)

  private func install(
    _ pair: BearerPair, _ network: BearerNetwork, _ settings: BearerSettings = Settings.both
  ) async throws -> InstalledBearer {
    var settings = settings
    // The device's other end is a neighbour, not a point.
    settings.ipv4?.gateway = nil
    return try await network.install(settings, on: "wwan0")
  }

  @Test(arguments: families)
  func socketsEndWithTheirBearerAndOthersDoNot(family: String) async throws {
    let pair = try BearerPair()
    let network = pair.bearers()
    let bearer = try await install(pair, network)
    let (near, far) = try pair.connect(family, index: bearer.interfaceIndex)
    let datagram = try pair.datagram(family, index: bearer.interfaceIndex)
    let loopback = try pair.host.run {
      let any = IPAddress("127.0.0.1")!
      let listener = try TestSocket(owning: try TestSocket.listen(on: any, port: 9090))
      let client = try TestSocket(any, SOCK_STREAM.rawValue)
      #expect(client.connect(any, port: 9090) == 0)
      return (listener, client, try TestSocket(owning: accept(listener.descriptor, nil, nil)))
    }
    // What is under way is lost with the rest.
    #expect(near.send(100_000) > 0)
    try await network.remove(bearer)
    #expect(near.receive() == Self.aborted)
    // What came before the reset is still read there.
    var last = 1
    while last > 0 { last = far.receive(65536) }
    #expect(last == -Int(ECONNRESET))
    #expect(loopback.1.send(3) == 3 && loopback.2.receive() == 3)
    // Freed from its interface, it would use the machine's own network.
    #expect(datagram.boundIndex == bearer.interfaceIndex)
  }

  @Test func renumberingEndsTheSocketsOfAddressesThatGo() async throws {
    let pair = try BearerPair()
    let network = pair.bearers()
    let bearer = try await install(pair, network)
    let old = try pair.connect("ipv4", index: bearer.interfaceIndex)
    let kept = try pair.connect("ipv6", index: bearer.interfaceIndex)
    var moved = Settings.both
    moved.ipv4 = Settings.moved.ipv4
    let again = try await install(pair, network, moved)
    #expect(old.near.receive() == Self.aborted)
    #expect(kept.near.send(5) == 5 && kept.far.receive() == 5)
    let new = try pair.connect("ipv4", index: again.interfaceIndex)
    #expect(try await install(pair, network, moved) == again)
    #expect(new.near.send(5) == 5 && new.far.receive() == 5)
  }

  @Test func aDamageEndsSocketsBeforeItIsReported() async throws {
    let pair = try BearerPair()
    let network = pair.bearers()
    let bearer = try await install(pair, network)
    let (near, _) = try pair.connect("ipv4", index: bearer.interfaceIndex)
    var losses = network.losses(of: bearer).makeAsyncIterator()
    try pair.host.run {
      let kernel = try NetlinkSession(KernelNetlinkSocket())
      let route = try #require(
        try kernel.routes(inTable: UInt32(bearer.table)).first { $0.family == .ipv6 && $0.kind != .unreachable })
      try kernel.delete(route)
    }
    #expect(await losses.next()?.contains("route") == true)
    #expect(near.receive() == Self.aborted)
  }

  @Test func whatAKilledProcessLeftEndsAtTheNextStart() async throws {
    let pair = try BearerPair()
    let bearer = try await install(pair, pair.bearers())
    let (near, _) = try pair.connect("ipv6", index: bearer.interfaceIndex)
    try await pair.bearers().cleanUp(interface: "wwan0")
    #expect(near.receive() == Self.aborted)
  }

  @Test func anInterfaceThatIsGoneTakesItsSocketsWithIt() async throws {
    let pair = try BearerPair()
    let network = pair.bearers()
    let bearer = try await install(pair, network)
    let (near, _) = try pair.connect("ipv4", index: bearer.interfaceIndex)
    try pair.host.run {
      let kernel = try NetlinkSession(KernelNetlinkSocket())
      try kernel.delete(try #require(try kernel.link(named: "wwan0")))
    }
    try await network.remove(bearer)
    #expect(near.receive() == Self.aborted)
  }

  @Test func anotherProgramsLinkKeepsOtherUsersSockets() async throws {
    let pair = try BearerPair()
    // Nothing was installed: the link is not modemd's, and modemd has another user.
    let index = try pair.host.run {
      let kernel = try NetlinkSession(KernelNetlinkSocket())
      let link = try #require(try kernel.link(named: "wwan0"))
      try kernel.set(LinkChange(isUp: true), of: link)
      let prefix = try #require(IPPrefix(IPAddress("10.64.0.2")!, length: 24))
      try kernel.set(InterfaceAddress(interfaceIndex: link.index, prefix: prefix), on: "wwan0")
      return link.index
    }
    let (near, far) = try pair.connect("ipv4", index: index)
    try await pair.bearers(user: getuid() + 990).cleanUp(interface: "wwan0")
    #expect(near.send(5) == 5 && far.receive() == 5)
    try await pair.bearers(user: getuid()).cleanUp(interface: "wwan0")
    #expect(near.receive() == Self.aborted)
  }

  @Test(arguments: families)
  func bytesAreTheProgramsOwn(family: String) async throws {
    let pair = try BearerPair()
    let network = pair.bearers()
    let bearer = try await install(pair, network)
    var ends = try await network.endedSockets(over: bearer).makeAsyncIterator()
    let cookie: UInt64
    do {
      let (near, far) = try pair.connect(family, index: bearer.interfaceIndex)
      let datagram = try pair.datagram(family, index: bearer.interfaceIndex, isConnected: false)
      cookie = near.cookie
      #expect(near.send(1000) == 1000 && far.receiveAll(1000))
      #expect(far.send(70_000) == 70_000 && near.receiveAll(70_000))
      let list = try await network.sockets(over: bearer, limit: 10)
      #expect(list.unlisted == 0 && Set(list.sockets.map(\.cookie)) == [cookie, datagram.cookie])
      let shown = try #require(list.sockets.first { $0.cookie == cookie })
      #expect(!shown.isDatagram && shown.sent == 1000 && shown.received == 70_000)
      #expect(shown.ends?.address == IPAddress(BearerPair.far[family]!) && shown.ends?.port == Int(BearerPair.port))
      #expect(shown.ends?.source == (family == "ipv4" ? Settings.both.ipv4 : Settings.both.ipv6)?.prefix.address)
      let other = try #require(list.sockets.first { $0.cookie == datagram.cookie })
      #expect(other.isDatagram && other.sent == nil && other.received == nil && other.ends?.address == nil)
      // Between two lists, and at once closed.
      #expect(near.send(500) == 500 && far.receiveAll(500))
    }
    // Its own end counts as a byte at most.
    while let end = await ends.next() {
      guard end.cookie == cookie else { continue }
      #expect((1500...1501).contains(end.sent ?? 0) && (70_000...70_001).contains(end.received ?? 0))
      break
    }
  }

  @Test func oneSocketEndsByItsCookie() async throws {
    let pair = try BearerPair()
    let network = pair.bearers()
    let bearer = try await install(pair, network)
    let one = try pair.connect("ipv4", index: bearer.interfaceIndex)
    let other = try pair.connect("ipv4", index: bearer.interfaceIndex)
    let datagram = try pair.datagram("ipv6", index: bearer.interfaceIndex)
    // The same way, and not bound to it.
    let unbound = try pair.host.run {
      let any = IPAddress("127.0.0.1")!
      let socket = try TestSocket(any, SOCK_STREAM.rawValue)
      #expect(socket.bindAny() == 0 && Glibc.listen(socket.descriptor, 1) == 0)
      return socket
    }
    #expect(try await network.endSocket(unbound.cookie, over: bearer) == .unknown)
    #expect(try await network.endSocket(0, over: bearer) == .unknown)
    guard case .refused(let text) = try await network.endSocket(datagram.cookie, over: bearer) else {
      Issue.record("a datagram socket was ended")
      return
    }
    #expect(text.contains("datagram") && datagram.boundIndex == bearer.interfaceIndex)
    #expect(try await network.endSocket(one.near.cookie, over: bearer) == .ended)
    #expect(one.near.receive() == Self.aborted)
    #expect(try await network.endSocket(one.near.cookie, over: bearer) == .unknown)
    #expect(other.near.send(5) == 5 && other.far.receive() == 5)
  }

  @Test func otherUsersSocketsAreNotListed() async throws {
    let pair = try BearerPair()
    let network = pair.bearers(user: getuid())
    let bearer = try await install(pair, network)
    let (near, _) = try pair.connect("ipv4", index: bearer.interfaceIndex)
    let strangers = pair.bearers(user: getuid() + 990)
    let theirs = InstalledBearer(
      settings: bearer.settings, interface: bearer.interface, interfaceIndex: bearer.interfaceIndex, table: bearer.table
    )
    #expect(try await network.sockets(over: bearer, limit: 10).sockets.map(\.cookie) == [near.cookie])
    #expect(try await strangers.sockets(over: theirs, limit: 10).sockets == [])
  }

  @Test func thousandsOfSocketsAreBoundedInAListAndAllEnd() async throws {
    let pair = try BearerPair()
    let network = pair.bearers()
    let bearer = try await install(pair, network)
    let address = try #require(IPAddress("10.64.0.1"))
    // They stay in the listener's queue.
    let count = 3000
    let many = try pair.host.run {
      try (0..<count).map { _ in
        let socket = try TestSocket(address, SOCK_STREAM.rawValue, boundTo: bearer.interfaceIndex)
        #expect(socket.connect(address, port: BearerPair.port) == 0)
        return socket
      }
    }
    let list = try await network.sockets(over: bearer, limit: 1000)
    #expect(list.sockets.count == 1000 && list.unlisted == count - 1000)
    let began = ContinuousClock.now
    try await network.remove(bearer)
    print("\(count) sockets ended in \(ContinuousClock.now - began)")
    #expect(many.allSatisfy { $0.receive() == Self.aborted })
  }

  @Test func aPortWithoutTheRightSaysSoOnce() async throws {
    let pair = try BearerPair()
    let told = Told()
    let host = pair.host
    let network = pair.bearers(
      opening: { index in
        UnprivilegedSocket(try host.run { try KernelNetlinkSocket.sockets(watchingEndsOn: index) })
      }, told: told)
    let bearer = try await install(pair, network)
    let (near, far) = try pair.connect("ipv4", index: bearer.interfaceIndex)
    guard case .refused(let text) = try await network.endSocket(near.cookie, over: bearer) else {
      Issue.record("a socket was ended without the right")
      return
    }
    #expect(text.contains("CAP_NET_ADMIN"))
    #expect(near.send(5) == 5 && far.receive() == 5)
    try await network.remove(bearer)
    #expect(told.sentences.count == 1 && told.sentences.first?.contains("CAP_NET_ADMIN") == true, "\(told.sentences)")
  }
}

/// Sends from a thread without rights, which is whom the kernel judges.
private final class UnprivilegedSocket: NetlinkSocket {
  private let kernel: KernelNetlinkSocket

  init(_ kernel: KernelNetlinkSocket) { self.kernel = kernel }

  var port: UInt32 { kernel.port }

  func send(_ datagram: [UInt8]) throws {
    try NetworkNamespace.onThread { [kernel] in
      // _LINUX_CAPABILITY_VERSION_3.
      var header = __user_cap_header_struct(version: 0x2008_0522, pid: 0)
      var none = [__user_cap_data_struct(), __user_cap_data_struct()]
      guard capset(&header, &none) == 0 else { throw NetworkNamespace.Failure(errno) }
      try kernel.send(datagram)
    }
  }

  func receive(within milliseconds: Int32?) throws -> [UInt8] { try kernel.receive(within: milliseconds) }
  func close() { kernel.close() }
}

import BearerStreams
import BoundHTTP
import Glibc
import ModemModel
import ModemService
import NetworkAddress
import RedirectChain
import Testing
import TrafficLedger

@Suite(
  "Sockets that programs get",
  .enabled(if: TestNamespace.isAvailable, "needs root, ip and veth devices in a network namespace"), .serialized,
  .timeLimit(.minutes(2)))
struct HandedSocketTests {
  private static func option(_ descriptor: CInt, _ level: Int32, _ name: Int32) -> Int32 {
    var (value, size): (Int32, socklen_t) = (-1, socklen_t(MemoryLayout<Int32>.size))
    return getsockopt(descriptor, level, name, &value, &size) == 0 ? value : -1
  }

  /// SO_BINDTOIFINDEX.
  private static let boundIndex: Int32 = 62

  private static func state(_ world: SocketWorld, _ cookies: [UInt64], ended: [UInt64] = []) {
    let make = { (cookie: UInt64) in
      BearerSockets.Socket(cookie: cookie, isDatagram: false, sent: 10, received: 20)
    }
    world.port.report(BearerSockets(open: cookies.map(make), ended: ended.map(make)))
  }

  @Test("A stream is connected, bound, blocking, close-on-exec and unread", arguments: ["four.example", "six.example"])
  func stream(host: String) async throws {
    let world = try await SocketWorld.make()
    let opened = try await world.socket(to: host)
    let descriptor = opened.descriptor.number
    #expect(Self.option(descriptor, SOL_SOCKET, Self.boundIndex) == Int32(world.network.index))
    #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0 && fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    #expect(Self.option(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY) == 0)
    let isIPv4 = host == "four.example"
    #expect(opened.descriptor.source.description == (isIPv4 ? SocketWorld.v4 : SocketWorld.v6))
    #expect(opened.descriptor.address?.description == (isIPv4 ? "198.51.100.1" : "2001:db8:1::1"))
    #expect(opened.descriptor.cookie != 0 && opened.modem == "modem-0011aabb" && opened.interface == "wwan0")
    let program = ProgramEnd(owning: try opened.descriptor.duplicate())
    try await program.write("echo\nhello")
    program.finishWriting()
    #expect(String(decoding: try await program.read(), as: UTF8.self) == "hello")
    await world.stop()
  }

  @Test("A server that says all at once and ends loses nothing to the one who connected")
  func spokenAtOnce() async throws {
    let world = try await SocketWorld.make()
    for _ in 0..<50 {
      let opened = try await world.socket(to: "four.example")
      let program = ProgramEnd(owning: try opened.descriptor.duplicate())
      try await program.write("send 70000\n")
      #expect(try await program.read().count == 70_000)
      opened.handedOver(false)
    }
    #expect(world.streams.count(of: SocketWorld.user) == 0)
    await world.stop()
  }

  @Test("Datagrams: connected to a host, or bound to the bearer's address of a family")
  func datagrams() async throws {
    let world = try await SocketWorld.make()
    let connected = try await world.socket(to: "a.example", isDatagram: true)
    #expect(connected.descriptor.address?.description == "2001:db8:1::1")
    #expect(Self.option(connected.descriptor.number, SOL_SOCKET, SO_TYPE) == Int32(SOCK_DGRAM.rawValue))
    let families: [(ChainHop.Family?, String)] = [
      (nil, SocketWorld.v4), (.ipv4, SocketWorld.v4), (.ipv6, SocketWorld.v6),
    ]
    for (family, source) in families {
      for isDatagram in [true, false] {
        let bound = try await world.streams.openSocket(
          SocketRequest(to: nil, isDatagram: isDatagram, family: family), for: SocketWorld.user)
        #expect(bound.descriptor.address == nil && bound.descriptor.source.description == source)
        #expect(Self.option(bound.descriptor.number, SOL_SOCKET, Self.boundIndex) == Int32(world.network.index))
      }
    }
    await world.stop()
  }

  @Test("A family that the bearer does not have gives no socket")
  func noFamily() async throws {
    let world = try await SocketWorld.make(sources: [SocketWorld.v4])
    for host in ["six.example", "2001:db8:1::1"] {
      await #expect(throws: StreamError.self) { _ = try await world.socket(to: host) }
    }
    await #expect(throws: StreamError.self) {
      _ = try await world.streams.openSocket(
        SocketRequest(to: nil, isDatagram: true, family: .ipv6), for: SocketWorld.user)
    }
    #expect(world.streams.count(of: SocketWorld.user) == 0)
    await world.stop()
  }

  @Test("A socket counts as a use of its bearer until the port reports its end")
  func use() async throws {
    let world = try await SocketWorld.make()
    let opened = try await world.socket(to: "four.example")
    opened.handedOver(true)
    let cookie = opened.descriptor.cookie
    try await eventually { world.port.watches > 0 }
    Self.state(world, [cookie])
    await #expect(throws: ServiceError.self) { _ = try await world.bearers.disconnect(nil) }
    Self.state(world, [], ended: [cookie])
    try await eventually { world.streams.count(of: SocketWorld.user) == 0 }
    _ = try await world.bearers.disconnect(nil)
    await world.stop()
  }

  @Test("A stream that its program connects itself is no use of the bearer before it is seen")
  func quiet() async throws {
    let world = try await SocketWorld.make()
    let opened = try await world.socket(to: nil)
    opened.handedOver(true)
    let cookie = opened.descriptor.cookie
    try await eventually { world.port.watches > 0 }
    // It is in no report, and is not forgotten.
    for _ in 0..<6 { Self.state(world, []) }
    #expect(world.streams.count(of: SocketWorld.user) == 1 && world.bearers.connections(over: world.port) == 0)
    Self.state(world, [cookie])
    try await eventually { world.bearers.connections(over: world.port) == 1 }
    await #expect(throws: ServiceError.self) { _ = try await world.bearers.disconnect(nil) }
    Self.state(world, [])
    try await eventually { world.streams.count(of: SocketWorld.user) == 0 }
    await world.stop()
  }

  @Test("What is ended before the kernel lists it is destroyed when it does")
  func condemned() async throws {
    let world = try await SocketWorld.make()
    let opened = try await world.socket(to: nil)
    opened.handedOver(true)
    let cookie = opened.descriptor.cookie
    try await eventually { world.port.watches > 0 }
    #expect(world.ledger.endSocket(opened.id, for: SocketWorld.user.userID))
    #expect(world.port.ended.isEmpty)
    Self.state(world, [cookie])
    try await eventually { world.port.ended.contains(cookie) }
    await world.stop()
  }

  @Test("With the bearer, or its addresses, its sockets are over")
  func lost() async throws {
    let world = try await SocketWorld.make()
    let opened = try await world.socket(to: "four.example")
    opened.handedOver(true)
    world.port.renumber(to: SocketWorld.settings(["10.64.0.9", SocketWorld.v6]))
    try await eventually { world.streams.count(of: SocketWorld.user) == 0 }
    await world.stop()
  }

  @Test("A socket that could not be handed over leaves nothing")
  func unsent() async throws {
    let world = try await SocketWorld.make()
    try await world.socket(to: "four.example").handedOver(false)
    #expect(world.streams.count(of: SocketWorld.user) == 0 && world.ledger.sockets(of: nil).isEmpty)
    try await eventually { world.server.count == 0 }
    await world.stop()
  }

  @Test("Each user has a bound, beyond which he is told which")
  func bound() async throws {
    let world = try await SocketWorld.make(limits: ConnectionLimits(perUser: 2, total: 32))
    let two = [try await world.socket(to: "four.example"), try await world.socket(to: nil)]
    let error = await #expect(throws: StreamError.self) { _ = try await world.socket(to: "four.example") }
    guard case .budgetSpent("connections", nil, _)? = error else {
      Issue.record("\(String(describing: error))")
      return await world.stop()
    }
    // Another user is not concerned.
    let other = try await world.streams.openSocket(
      SocketRequest(to: .init(host: "four.example", port: 7)), for: Caller(userID: 1001))
    for socket in two + [other] { socket.handedOver(false) }
    try await world.socket(to: "four.example").handedOver(false)
    await world.stop()
  }
}

/// Waits until a condition holds, for at most half a minute.
func eventually(_ condition: @Sendable () async -> Bool) async throws {
  for _ in 0..<3000 {
    if await condition() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  Issue.record("it did not come about within half a minute")
}

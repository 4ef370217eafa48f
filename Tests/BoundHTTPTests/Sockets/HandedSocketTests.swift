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

  /// The kernel's answer to a datagram that a program sends: 0, or an errno. What came back for an
  /// earlier one is told first, and is not meant.
  private static func send(_ descriptor: CInt, to address: String? = nil) -> CInt {
    _ = option(descriptor, SOL_SOCKET, SO_ERROR)
    var to = sockaddr_in()
    to.sin_family = sa_family_t(AF_INET)
    to.sin_port = UInt16(7).bigEndian
    if let address { inet_pton(AF_INET, address, &to.sin_addr) }
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let sent = withUnsafePointer(to: &to) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, "x", 1, CInt(MSG_NOSIGNAL), address == nil ? nil : $0, address == nil ? 0 : size)
      }
    }
    return sent == 1 ? 0 : errno
  }

  /// What a program tries to have its socket back: it takes the destination and the interface off.
  private static func unbind(_ descriptor: CInt) -> Bool {
    var nobody = sockaddr()
    nobody.sa_family = sa_family_t(AF_UNSPEC)
    return connect(descriptor, &nobody, socklen_t(MemoryLayout<sockaddr>.size)) == 0
  }

  @Test("Datagrams end with their bearer, its addresses, or on demand, for good", arguments: ["lost", "asked"])
  func datagramsEnd(how: String) async throws {
    let world = try await SocketWorld.make()
    let connected = try await world.socket(to: "four.example", isDatagram: true)
    let bound = try await world.streams.openSocket(
      SocketRequest(to: nil, isDatagram: true, family: .ipv4), for: SocketWorld.user)
    let (first, second) = (try connected.descriptor.duplicate(), try bound.descriptor.duplicate())
    defer {
      close(first)
      close(second)
    }
    #expect(Self.send(first) == 0 && Self.send(second, to: "198.51.100.1") == 0)
    if how == "lost" {
      world.port.renumber(to: SocketWorld.settings(["10.64.0.9", SocketWorld.v6]))
    } else {
      for socket in [connected, bound] { #expect(world.ledger.endSocket(socket.id, for: SocketWorld.user.userID)) }
    }
    try await eventually { world.streams.count(of: SocketWorld.user) == 0 }
    #expect(Self.send(first) == EPIPE && Self.send(second, to: "198.51.100.1") == EPIPE)
    for descriptor in [first, second] {
      #expect(Self.unbind(descriptor))
      #expect(Self.send(descriptor, to: "127.0.0.1") == EPIPE)
    }
    await world.stop()
  }

  @Test("A datagram socket that its program takes off the bearer is ended")
  func unbound() async throws {
    let world = try await SocketWorld.make()
    let opened = try await world.socket(to: "four.example", isDatagram: true)
    let descriptor = try opened.descriptor.duplicate()
    defer { close(descriptor) }
    opened.handedOver(true)
    try await eventually { world.port.watches > 0 }
    Self.state(world, [opened.descriptor.cookie])
    #expect(Self.unbind(descriptor) && Self.send(descriptor, to: "127.0.0.1") == 0)
    // The kernel no longer lists it over the interface.
    Self.state(world, [])
    try await eventually { world.streams.count(of: SocketWorld.user) == 0 }
    #expect(Self.send(descriptor, to: "127.0.0.1") == EPIPE)
    await world.stop()
  }

  @Test("A datagram socket ends with the process that asked for it")
  func process() async throws {
    let world = try await SocketWorld.make()
    let child = sleeper()
    let opened = try await world.streams.openSocket(
      SocketRequest(to: .init(host: "four.example", port: 7), isDatagram: true), for: SocketWorld.user,
      processID: child)
    let descriptor = try opened.descriptor.duplicate()
    defer { close(descriptor) }
    opened.handedOver(true)
    try await eventually { world.port.watches > 0 }
    Self.state(world, [opened.descriptor.cookie])
    #expect(world.streams.count(of: SocketWorld.user) == 1 && Self.send(descriptor) == 0)
    kill(child, SIGKILL)
    waitpid(child, nil, 0)
    Self.state(world, [opened.descriptor.cookie])
    try await eventually { world.streams.count(of: SocketWorld.user) == 0 }
    #expect(Self.send(descriptor) == EPIPE)
    await world.stop()
  }

  @Test("A stream that its program had not connected when the bearer was lost is destroyed when it does")
  func quietLoss() async throws {
    let world = try await SocketWorld.make()
    let opened = try await world.streams.openSocket(
      SocketRequest(to: nil, isDatagram: false, family: .ipv4), for: SocketWorld.user, processID: getpid())
    opened.handedOver(true)
    try await eventually { world.port.watches > 0 }
    world.port.renumber(to: SocketWorld.settings(["10.64.0.9", SocketWorld.v6]))
    try await eventually { world.streams.count(of: SocketWorld.user) == 0 }
    Self.state(world, [opened.descriptor.cookie])
    try await eventually { world.port.ended.contains(opened.descriptor.cookie) }
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

/// A process that waits until it is killed.
private func sleeper() -> pid_t {
  var process = pid_t()
  var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("600"), nil]
  defer { for argument in arguments { free(argument) } }
  posix_spawn(&process, "/bin/sleep", nil, nil, &arguments, nil)
  return process
}

/// Waits until a condition holds, for at most half a minute.
func eventually(_ condition: @Sendable () async -> Bool) async throws {
  for _ in 0..<3000 {
    if await condition() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  Issue.record("it did not come about within half a minute")
}

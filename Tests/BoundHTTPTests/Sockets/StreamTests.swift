import BearerStreams
import BoundHTTP
import HTTPTestSupport
import ModemModel
import ModemService
import NIOCore
import NetworkAddress
import Testing
import TrafficLedger

@Suite(
  "Streams over the bearer",
  .enabled(if: TestNamespace.isAvailable, "needs root, ip and veth devices in a network namespace"), .serialized,
  .timeLimit(.minutes(3)))
struct StreamTests {
  @Test(
    "Bytes pass both ways in both families, and so does each side's end",
    arguments: ["four.example", "six.example"])
  func halves(host: String) async throws {
    let world = try await SocketWorld.make()
    let (program, end) = try await world.spliced(host, early: "echo\nhel")
    try await program.write("lo")
    #expect(String(decoding: try await program.read(upTo: 5), as: UTF8.self) == "hello")
    program.finishWriting()
    #expect(try await program.read().isEmpty)
    let result = try await end.get()
    #expect(result == .finished, "\(result)")
    try await eventually { world.streams.count(of: SocketWorld.user) == 0 && world.server.count == 0 }
    #expect(world.ledger.sockets(of: nil).isEmpty)
    await world.stop()
  }

  @Test("A program's end does not end what the server still says")
  func remoteLast() async throws {
    let world = try await SocketWorld.make()
    let (program, end) = try await world.spliced()
    try await program.write([UInt8]("count\n".utf8) + [UInt8](repeating: 0x79, count: 3 << 20))
    program.finishWriting()
    #expect(String(decoding: try await program.read(), as: UTF8.self) == "\(3 << 20)\n")
    let result = try await end.get()
    #expect(result == .finished, "\(result)")
    await world.stop()
  }

  @Test("Many bytes arrive whole, and each is on the account")
  func bulk() async throws {
    let world = try await SocketWorld.make()
    let (program, end) = try await world.spliced()
    try await program.write("send 30000000\n")
    #expect(try await program.drain() == 30_000_000)
    program.finishWriting()
    let result = try await end.get()
    #expect(result == .finished, "\(result)")
    let used = world.ledger.usage(of: SocketWorld.user.userID, days: 1).days.flatMap(\.rows)
      .filter { $0.key.purpose == .streams }
    #expect(used.reduce(0) { $0 + $1.counts.received } >= 30_000_000)
    #expect(used.reduce(0) { $0 + $1.counts.received } < 30_001_000)
    await world.stop()
  }

  @Test("A program that leaves at once has said what it said")
  func lastWords() async throws {
    let world = try await SocketWorld.make()
    do {
      let (program, end) = try await world.spliced(early: "echo\n")
      try await program.write("x")
      _ = try await program.read(upTo: 1)
      _ = end
    }
    try await eventually { world.server.count == 0 && world.streams.count(of: SocketWorld.user) == 0 }
    await world.stop()
  }

  @Test("A program that never reads holds the server back, and bounded memory")
  func neverReads() async throws {
    let world = try await SocketWorld.make()
    let (program, end) = try await world.spliced(early: "pour\n")
    // It goes on until all buffers on the way are full.
    try await eventually {
      let before = world.server.poured
      try? await Task.sleep(for: .milliseconds(500))
      return before > 0 && world.server.poured == before
    }
    // The kernel's buffers of both sockets (6 MB and 4 MB at most), and the splice's window.
    #expect(world.server.poured < 16 << 20, "\(world.server.poured)")
    #expect(try await program.read(upTo: 1 << 20).count == 1 << 20)
    withExtendedLifetime(program) {}
    _ = end
    await world.stop()
  }

  @Test("A lost bearer ends a transfer at once")
  func lost() async throws {
    let world = try await SocketWorld.make()
    let (program, end) = try await world.spliced(early: "pour\n")
    #expect(try await program.read(upTo: 1 << 20).count == 1 << 20)
    world.port.tell(.down(nil))
    #expect(try await end.get() == .bearerLost)
    _ = try await program.drain()
    try await eventually {
      world.server.count == 0 && world.streams.count(of: SocketWorld.user) == 0 && world.server.resets > 0
    }
    await world.stop()
  }

  @Test("New addresses end a transfer; settings that keep its address do not")
  func renumbered() async throws {
    let world = try await SocketWorld.make()
    let (program, end) = try await world.spliced(early: "pour\n")
    var settings = SocketWorld.settings([SocketWorld.v4, SocketWorld.v6])
    settings.mtu = 1400
    world.port.renumber(to: settings)
    #expect(try await program.read(upTo: 1 << 20).count == 1 << 20)
    world.port.renumber(to: SocketWorld.settings(["10.64.0.9", SocketWorld.v6]))
    #expect(try await end.get() == .bearerLost)
    await world.stop()
  }

  @Test("A bearer that is lost while the connection is made fails it")
  func lostMeanwhile() async throws {
    // A server that nobody is: the network says nothing.
    let world = try await SocketWorld.make()
    try await world.network.operatorSide.run("ip route add blackhole 203.0.113.0/24")
    async let stream = world.open("203.0.113.1")
    try await eventually { world.port.connects == 1 && world.streams.count(of: SocketWorld.user) == 1 }
    world.port.tell(.down(nil))
    do {
      _ = try await stream
      Issue.record("it connected")
    } catch let error as StreamError {
      guard case .notConnected(.bearerLost, _) = error else { throw error }
    }
    #expect(world.streams.count(of: SocketWorld.user) == 0)
    await world.stop()
  }

  @Test("Somebody ends it, by the ledger")
  func ended() async throws {
    let world = try await SocketWorld.make()
    let (program, end) = try await world.spliced(early: "pour\n")
    let id = try #require(world.ledger.sockets(of: SocketWorld.user.userID).first?.id)
    #expect(!world.ledger.endSocket(id, for: 1001) && world.ledger.endSocket(id, for: SocketWorld.user.userID))
    #expect(try await end.get() == .requested)
    _ = try await program.drain()
    try await eventually { world.server.count == 0 }
    await world.stop()
  }

  @Test("Nobody listens, nobody answers, no way, an own address: each has its reason")
  func reasons() async throws {
    // Who may reach everything.
    let rule = DestinationRule(addresses: [.allPublic, .allPrivate])
    let world = try await SocketWorld.make(
      policy: TrafficPolicy(destinations: ByCaller(general: .init(key: "all", value: rule))))
    func reason(_ host: String, port: Int = 7, limit: Duration = .seconds(20)) async -> StreamError.Reason? {
      do {
        _ = try await world.open(host, port: port, limit: limit)
        return nil
      } catch {
        guard case StreamError.notConnected(let reason, _) = error else {
          Issue.record("\(host): \(error)")
          return nil
        }
        return reason
      }
    }
    #expect(await reason("four.example", port: 9) == .refused)
    let ownOnes = [
      "own.example", "127.0.0.1", "::1", TestNetwork.ownAddress, SocketWorld.v4, "169.254.1.1", "64:ff9b::7f00:1",
    ]
    for own in ownOnes {
      #expect(await reason(own) == .refusedAddress, "\(own)")
    }
    try await world.network.operatorSide.run("ip route add blackhole 203.0.113.0/24")
    #expect(await reason("203.0.113.1", limit: .milliseconds(400)) == .timedOut)
    try await world.network.device.run("ip -6 route del default")
    #expect(await reason("2001:db8:9::1") == .bearerLost)
    #expect(world.streams.count(of: SocketWorld.user) == 0)
    await world.stop()
  }

  @Test("Behind a translator, an IPv4 address is reached by the network's prefix")
  func translated() async throws {
    let world = try await SocketWorld.make(sources: [SocketWorld.v6])
    #expect(try await world.network.operatorSide.run("ip address add 64:ff9b::c633:6401/128 dev lo nodad") == 0)
    for host in ["198.51.100.1", "synthetic.example"] {
      let stream = try await world.open(host)
      #expect(stream.address.description == "64:ff9b::c633:6401" && stream.source.description == SocketWorld.v6)
      stream.abandon()
    }
    await #expect(throws: StreamError.self) { _ = try await world.open("127.0.0.1") }
    await world.stop()
  }

  @Test("Private addresses are reached only by whom the administrator lets")
  func privateAddress() async throws {
    let world = try await SocketWorld.make()
    let error = await #expect(throws: StreamError.self) { _ = try await world.open("10.64.0.1") }
    guard case .destinationNotAllowed("10.64.0.1", 7, _)? = error else {
      Issue.record("\(String(describing: error))")
      return await world.stop()
    }
    // Nobody asks about an address.
    #expect(world.dns.queries.isEmpty)
    await world.stop()
  }

  @Test("A name that leads to a private address is refused by the same rule")
  func privateName() async throws {
    let world = try await SocketWorld.make(names: TestDNS.table(["inner.example": ["10.64.0.1"]]))
    let error = await #expect(throws: StreamError.self) { _ = try await world.open("inner.example") }
    guard case .destinationNotAllowed("inner.example", 7, _)? = error else {
      Issue.record("\(String(describing: error))")
      return await world.stop()
    }
    #expect(world.streams.count(of: SocketWorld.user) == 0)
    await world.stop()
  }

  @Test("Sixty-four connections at once cannot pass a budget of bytes")
  func race() async throws {
    var limits = BudgetLimits()
    limits.dayBytes = 4_000_000
    let world = try await SocketWorld.make(
      policy: TrafficPolicy(budgets: ByCaller(general: .init(key: "usage.budgets", value: limits))))
    let received = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<64 {
        group.addTask {
          do {
            let (program, end) = try await world.spliced(early: "send 1000000\n")
            let count = (try? await program.drain()) ?? 0
            program.finishWriting()
            _ = try await end.get()
            return count
          } catch is StreamError {
            return 0
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect((2_000_000...4_000_000).contains(received), "\(received)")
    let error = await #expect(throws: StreamError.self) { _ = try await world.open("four.example") }
    guard case .budgetSpent? = error else {
      Issue.record("\(String(describing: error))")
      return await world.stop()
    }
    try await eventually { world.streams.count(of: SocketWorld.user) == 0 && world.server.count == 0 }
    await world.stop()
  }

  @Test("A stream that nobody splices is abandoned, or ends with its bearer")
  func unspliced() async throws {
    let world = try await SocketWorld.make()
    try await world.open("four.example").abandon()
    try await eventually { world.streams.count(of: SocketWorld.user) == 0 && world.server.count == 0 }
    let stream = try await world.open("four.example")
    world.port.tell(.down(nil))
    try await stream.channel.closeFuture.get()
    try await eventually { world.streams.count(of: SocketWorld.user) == 0 }
    await world.stop()
  }

  @Test("A call that is cancelled leaves nothing")
  func cancelled() async throws {
    let world = try await SocketWorld.make()
    try await world.network.operatorSide.run("ip route add blackhole 203.0.113.0/24")
    let call = Task { try await world.open("203.0.113.1") }
    try await eventually { world.port.connects == 1 }
    call.cancel()
    await #expect(throws: (any Error).self) { _ = try await call.value }
    #expect(world.streams.count(of: SocketWorld.user) == 0)
    await world.stop()
  }

  @Test("The host's own way out is never used")
  func noLeak() async throws {
    let world = try await SocketWorld.make()
    let before = try await Self.uplink(world)
    let (program, end) = try await world.spliced(early: "send 100000\n")
    #expect(try await program.drain() == 100_000)
    program.finishWriting()
    _ = try await end.get()
    #expect(try await Self.uplink(world) == before)
    await world.stop()
  }

  private static func uplink(_ world: SocketWorld) async throws -> Int32 {
    try await world.network.device.run("exit $(awk '$1==\"lan0:\"{print ($11 > 255) ? 255 : $11}' /proc/net/dev)")
  }
}

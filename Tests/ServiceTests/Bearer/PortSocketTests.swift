import Glibc
import Logging
import ModemModel
import ModemPort
import NIOPosix
import NetworkAddress
import PortAPI
import PortServer
import Testing
import Varlink

@testable import PortClient

/// A kernel's sockets as a test says they are.
private actor ScriptedSockets: BearerSocketAccess {
  private var list = BearerSocketList()
  private var refusal: String?
  private(set) var ended: [UInt64] = []
  private let notes = AsyncStream.makeStream(of: BearerSockets.Socket.self)

  func show(_ sockets: [BearerSockets.Socket], unlisted: Int = 0) {
    list = BearerSocketList(sockets: sockets, unlisted: unlisted)
  }
  func refuse(_ text: String) { refusal = text }

  func sockets(over bearer: InstalledBearer, limit: Int) -> BearerSocketList {
    var shown = list
    shown.sockets = Array(list.sockets.prefix(limit))
    shown.unlisted += list.sockets.count - shown.sockets.count
    return shown
  }
  func endedSockets(over bearer: InstalledBearer) -> AsyncStream<BearerSockets.Socket> {
    AsyncStream { _ in }
  }
  func endSocket(_ cookie: UInt64, over bearer: InstalledBearer) -> SocketEnding {
    if let refusal { return .refused(refusal) }
    guard list.sockets.contains(where: { $0.cookie == cookie }) else { return .unknown }
    ended.append(cookie)
    return .ended
  }
}

/// WatchSockets and EndSocket from modemd's side, over a real socket.
@Suite("Sockets over the port's socket", .timeLimit(.minutes(1)))
struct PortSocketTests {
  private func run(
    _ sockets: ScriptedSockets?, _ body: @Sendable (PortLink, ModemPort) async throws -> Void
  ) async throws {
    let fixture = PortFixture(sockets: sockets)
    let path = "/tmp/modemd-test-sockets-\(getpid())-\(UInt32.random(in: .min ... .max))"
    let server = try await VarlinkServer.start(
      PortRouter.make(for: fixture.port, version: "test") { _, _ in true }, at: .path(path, mode: 0o600),
      on: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    do {
      try await fixture.run { port in try await body(PortLink(name: "scripted", path: path), port) }
    } catch {
      await server.close()
      throw error
    }
    await server.close()
  }

  private static let one = BearerSockets.Socket(
    cookie: 0xfedc_ba98_7654_3210, isDatagram: false, sent: 3, received: 4,
    ends: BearerSockets.Ends(
      source: IPAddress("10.0.0.2")!, sourcePort: 4000, address: IPAddress("10.0.0.1")!,
      port: 80))
  private static let other = BearerSockets.Socket(
    cookie: 7, isDatagram: true, sent: nil, received: nil,
    ends: BearerSockets.Ends(source: IPAddress("0.0.0.0")!, sourcePort: 53, address: nil, port: nil))

  @Test("a report at once, then one after each interval, with what ended and how many are beyond")
  func watch() async throws {
    let sockets = ScriptedSockets()
    try await run(sockets) { link, port in
      await sockets.show([Self.one, Self.other], unlisted: 2)
      var reports = link.watchSockets(every: .milliseconds(100)).makeAsyncIterator()
      // No bearer, no socket over it.
      #expect(try await reports.next() == BearerSockets(open: []))
      _ = try await port.connect(BearerRequest())
      var report = try await reports.next()
      while report?.open.isEmpty == true { report = try await reports.next() }
      #expect(report == BearerSockets(open: [Self.one, Self.other], unlisted: 2))
      await sockets.show([Self.one])
      report = try await reports.next()
      while report?.ended.isEmpty == true { report = try await reports.next() }
      #expect(report == BearerSockets(open: [Self.one], ended: [Self.other]))
      _ = await port.disconnect()
      report = try await reports.next()
      while report?.ended.isEmpty == true { report = try await reports.next() }
      #expect(report == BearerSockets(open: [], ended: [Self.one]))
    }
  }

  @Test("a socket is ended by its cookie; one that is gone is nothing to complain about")
  func end() async throws {
    let sockets = ScriptedSockets()
    try await run(sockets) { link, port in
      await sockets.show([Self.one])
      try await link.endSocket(cookie: Self.one.cookie)
      // Without a bearer, there is none over it.
      #expect(await sockets.ended == [])
      _ = try await port.connect(BearerRequest())
      try await link.endSocket(cookie: Self.one.cookie)
      try await link.endSocket(cookie: 1)
      #expect(await sockets.ended == [Self.one.cookie])
      await sockets.refuse("it is a datagram socket")
      let error = await #expect(throws: ModemError.self) { try await link.endSocket(cookie: Self.one.cookie) }
      #expect(error?.message.contains("datagram") == true)
    }
  }

  @Test("a list is bounded, and wrong parameters are refused")
  func bounds() async throws {
    let sockets = ScriptedSockets()
    try await run(sockets) { link, port in
      _ = try await port.connect(BearerRequest())
      await sockets.show(
        (1...5000).map { cookie in
          var socket = Self.one
          socket.cookie = UInt64(cookie)
          return socket
        })
      var reports = link.watchSockets(every: .seconds(60)).makeAsyncIterator()
      let report = try await reports.next()
      #expect(report?.open.count == 4096 && report?.unlisted == 904)
      let client = try await VarlinkClient.connect(to: link.path)
      for interval in [99, 60_001, Int.min] {
        await #expect(throws: VarlinkError.self) {
          _ = try await client.call(PortInterface.WatchSockets.self, .init(intervalMilliseconds: interval))
        }
      }
      for cookie in ["", "1", "00000000000000001", "-000000000000001", "000000000000000g", "０000000000000000"] {
        await #expect(throws: VarlinkError.self) {
          _ = try await client.call(PortInterface.EndSocket.self, .init(cookie: cookie))
        }
      }
      let once = try await client.call(PortInterface.WatchSockets.self, .init())
      #expect(once.sockets.count == 4096 && once.ended == [])
    }
  }

  @Test("only a few may follow at one time")
  func watchers() async throws {
    try await run(ScriptedSockets()) { link, port in
      var streams: [AsyncThrowingStream<BearerSockets, any Error>] = []
      for _ in 0..<ModemPort.socketLimit.watchers {
        let stream = link.watchSockets(every: .seconds(60))
        var reports = stream.makeAsyncIterator()
        _ = try await reports.next()
        streams.append(stream)
      }
      var more = link.watchSockets(every: .seconds(60)).makeAsyncIterator()
      let error = await #expect(throws: ModemError.self) { _ = try await more.next() }
      #expect(error?.message.contains("callers already follow") == true)
      streams = []
    }
  }

  @Test("a port that does not look at sockets says so")
  func without() async throws {
    try await run(nil) { link, _ in
      var reports = link.watchSockets(every: .seconds(1)).makeAsyncIterator()
      await #expect(throws: ModemError.self) { _ = try await reports.next() }
    }
  }
}

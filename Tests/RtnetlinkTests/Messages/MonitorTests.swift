import Rtnetlink
import Synchronization
import Testing

/// Gives out what it was made with, then waits until it is closed.
private final class EventSocket: NetlinkSocket {
  let port: UInt32 = 0
  private let state: Mutex<[Result<[UInt8], NetlinkError>]>
  let isClosed = Mutex(false)

  init(_ results: [Result<[UInt8], NetlinkError>]) { state = Mutex(results) }

  func send(_ datagram: [UInt8]) throws {}

  func receive(within milliseconds: Int32?) throws -> [UInt8] {
    let next = state.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let next else { throw NetlinkError(.closed, "the end of the test") }
    return try next.get()
  }

  func close() { isClosed.withLock { $0 = true } }
}

@Suite(.timeLimit(.minutes(1))) struct MonitorTests {
  private func message(_ type: UInt16, _ payload: String) -> [UInt8] {
    NetlinkMessage(type: type, flags: 0, payload: hex(payload)).bytes
  }

  @Test func changesArriveInOrderAndLossesAsResync() async {
    let socket = EventSocket([
      .success(
        message(16, "00 00 0000 05000000 01000000 00000000") + message(17, "00 00 0000 06000000 00000000 00000000")),
      .success(message(21, "02 1e 00 00 05000000")),
      .failure(NetlinkError(.overrun, "lost")),
      .success(message(25, "02 00 00 00 fc 4d 00 01 00000000 0800 0f00 257e7500")),
      .success([1, 2, 3]),
      .success(message(33, "0a 00 00 00 00 00 00 01 00000000 0800 0f00 257e7500")),
      .success(message(99, "00")),
    ])
    var events: [NetlinkEvent] = []
    for await event in NetlinkMonitor.events(on: socket) { events.append(event) }
    #expect(
      events == [
        .link(index: 5, isGone: false), .link(index: 6, isGone: true), .address(interfaceIndex: 5), .resync,
        .route(table: 7_700_005), .resync, .rule(table: 7_700_005),
      ])
    #expect(socket.isClosed.withLock { $0 })
  }

  @Test(.enabled(if: NetworkNamespace.isAllowed, Comment(rawValue: NetworkNamespace.reason)))
  func aSlowReaderOfTheKernelIsToldToLookAgain() throws {
    let namespace = try NetworkNamespace()
    try namespace.run {
      let watch = try KernelNetlinkSocket(groups: [.links], receiveBuffer: 4096)
      let kernel = try NetlinkSession(KernelNetlinkSocket())
      let tunnel = try Tunnel("busy0")
      defer { withExtendedLifetime(tunnel) {} }
      let link = try #require(try kernel.link(named: "busy0"))
      for mtu in 1300..<1400 { try kernel.set(LinkChange(mtu: mtu), of: link) }
      let error = #expect(throws: NetlinkError.self) {
        while true { _ = try watch.receive(within: 1000) }
      }
      #expect(error?.code == .overrun)
    }
  }

  @Test(.enabled(if: NetworkNamespace.isAllowed, Comment(rawValue: NetworkNamespace.reason)))
  func closingASocketEndsTheReaderThatWaits() async throws {
    let namespace = try NetworkNamespace()
    let socket = try namespace.run { try KernelNetlinkSocket(groups: NetlinkGroup.allCases) }
    let reader = Task {
      for await _ in NetlinkMonitor.events(on: socket) {}
      return true
    }
    socket.close()
    #expect(await reader.value)
  }
}

import Testing

@testable import USBModem

/// Packets with multiplexing ids, several in one transfer.
@Suite struct MultiplexedPacketsTests {
  private typealias Bus = USBModemMachineTests.Bus
  private static let packet = USBModemMachineTests.packet
  private static let answer = USBModemMachineTests.answer

  @Test func `each packet has its id, and is filled up to four bytes`() {
    let transfer =
      MultiplexedPackets.pack(.init(session: 77, bytes: [0x45, 1, 2, 3, 4]))
      + MultiplexedPackets.pack(.init(session: 1, bytes: [0x60, 1, 2, 3]))
    #expect(transfer == [3, 77, 0, 8, 0x45, 1, 2, 3, 4, 0, 0, 0, 0, 1, 0, 4, 0x60, 1, 2, 3])
    #expect(
      MultiplexedPackets.unpack(transfer) == [
        .init(session: 77, bytes: [0x45, 1, 2, 3, 4]), .init(session: 1, bytes: [0x60, 1, 2, 3]),
      ])
  }

  @Test(
    arguments: [
      [], [0, 1, 0], [0, 1, 0, 9, 1, 2], [9, 1, 0, 4, 1, 2, 3, 4], [0, 1, 255, 255], [0x80, 1, 0, 4, 1, 2, 3, 4],
    ] as [[UInt8]])
  func `what is broken, or a command, is left out`(transfer: [UInt8]) {
    #expect(MultiplexedPackets.unpack(transfer) == [])
  }

  /// A machine whose host has sent with this id.
  private func machine(_ id: UInt8) throws -> USBModemMachine {
    var machine = USBModemMachine(.qmi, serial: "1")
    let transfer =
      MultiplexedPackets.pack(.init(session: id, bytes: Self.packet))
      + MultiplexedPackets.pack(.init(session: id, bytes: Self.packet))
    let out = try Bus.submit(1, endpoint: 2, isIn: false, length: transfer.count, data: transfer)
    #expect(machine.received(out).suffix(2) == [.network(Self.packet), .network(Self.packet)])
    return machine
  }

  @Test func `packets go out of their transfer, and answers come together with the same id`() throws {
    var machine = try machine(9)
    let take = try Bus.submit(2, endpoint: 2, isIn: true, length: 16_384)
    #expect(machine.received(take).isEmpty)
    guard case .host(let reply)? = machine.networkSent(Self.answer, Self.answer, Self.answer).first else {
      return #expect(Bool(false))
    }
    #expect(
      MultiplexedPackets.unpack(Bus.data(reply)) == Array(repeating: .init(session: 9, bytes: Self.answer), count: 3))
  }

  @Test func `a host with too little room loses the transfer, as with a real modem`() throws {
    var machine = try machine(9)
    _ = machine.received(try Bus.submit(2, endpoint: 2, isIn: true, length: 64))
    #expect(machine.networkSent(Self.answer, Self.answer, Self.answer).isEmpty)
    guard case .host(let reply)? = machine.networkSent(Self.answer).first else { return #expect(Bool(false)) }
    #expect(MultiplexedPackets.unpack(Bus.data(reply)).count == 1)
  }

  @Test func `a transfer ends where 32 packets or 16 KiB are in it`() throws {
    var machine = try machine(9)
    _ = machine.networkSent(Array(repeating: Self.answer, count: 40))
    func next(_ number: UInt32) throws -> Int {
      let take = try Bus.submit(number, endpoint: 2, isIn: true, length: 20_000)
      guard case .host(let reply)? = machine.received(take).first else { return 0 }
      return MultiplexedPackets.unpack(Bus.data(reply)).count
    }
    #expect(try next(2) == 32)
    #expect(try next(3) == 8)
    _ = machine.networkSent(Array(repeating: Self.answer + [UInt8](repeating: 0, count: 1400), count: 20))
    #expect(try next(4) == 11)
    #expect(try next(5) == 9)
  }

  @Test func `bare packets go one by one`() throws {
    var machine = USBModemMachine(.qmi, serial: "1")
    _ = machine.networkSent(Self.answer, Self.answer)
    let take = try Bus.submit(1, endpoint: 2, isIn: true, length: 16_384)
    guard case .host(let reply)? = machine.received(take).first else { return #expect(Bool(false)) }
    #expect(Bus.data(reply) == Self.answer)
  }
}

import Testing

@testable import USBModem

struct USBModemMachineTests {
  /// A message of the host controller, and what a reply says.
  enum Bus {
    static func submit(
      _ number: UInt32, endpoint: UInt32, isIn: Bool, length: Int, setup: [UInt8] = [UInt8](repeating: 0, count: 8),
      data: [UInt8] = []
    ) throws -> USBIPMessage {
      let words: [UInt32] = [1, number, 0x10001, isIn ? 1 : 0, endpoint, 0, UInt32(length), 0, 0, 0]
      let bytes = words.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } } + setup + data
      let read = try #require(try USBIPMessage.read(bytes[...]))
      #expect(read.count == bytes.count)
      return read.message
    }

    static func number(_ reply: [UInt8], _ offset: Int) -> Int32 {
      Int32(bitPattern: reply[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) })
    }
    static func status(_ reply: [UInt8]) -> Int32 { number(reply, 20) }
    static func data(_ reply: [UInt8]) -> [UInt8] { Array(reply.dropFirst(48)) }
  }

  static let packet: [UInt8] =
    [0x45, 0, 0, 24, 0, 0, 0, 0, 64, 17, 0, 0, 10, 64, 0, 2, 198, 51, 100, 53, 1, 2, 3, 4]
  static let answer: [UInt8] =
    [0x45, 0, 0, 24, 0, 0, 0, 0, 64, 17, 0, 0, 198, 51, 100, 53, 10, 64, 0, 2, 1, 2, 3, 4]

  @Test(arguments: USBModemKind.allCases) func `a configuration is as long as it says`(kind: USBModemKind) throws {
    let descriptors = USBDescriptors(kind: kind, serial: "004999010640000")
    let configuration = try #require(descriptors.descriptor(type: 2, index: 0))
    #expect(Int(configuration[2]) | Int(configuration[3]) << 8 == configuration.count)
    var offset = 0
    var interfaces: Set<UInt8> = []
    while offset < configuration.count {
      let length = Int(configuration[offset])
      try #require(length >= 2 && offset + length <= configuration.count)
      if configuration[offset + 1] == 4 { interfaces.insert(configuration[offset + 2]) }
      offset += length
    }
    #expect(interfaces.count == Int(configuration[4]))
    #expect(descriptors.descriptor(type: 1, index: 0)?.count == 18)
    #expect(descriptors.descriptor(type: 6, index: 0) == nil)
  }

  @Test func `a message that comes in pieces waits for its end`() throws {
    let whole: [UInt8] =
      [0, 0, 0, 1] + [UInt8](repeating: 0, count: 20) + [0, 0, 0, 3] + [UInt8](repeating: 0, count: 20)
    #expect(try USBIPMessage.read((whole + [1, 2])[...]) == nil)
    #expect(try USBIPMessage.read((whole + [1, 2, 3, 9])[...])?.count == 51)
    #expect(throws: USBModemError.self) { try USBIPMessage.read([UInt8](repeating: 7, count: 48)[...]) }
  }

  @Test func `a control message goes to the modem, and its answer is announced and fetched`() throws {
    var machine = USBModemMachine(.mbim, serial: "1")
    let wait = try Bus.submit(1, endpoint: 1, isIn: true, length: 64)
    #expect(machine.received(wait).isEmpty)
    let open: [UInt8] = [1, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0, 16, 0, 0]
    let send = try Bus.submit(
      2, endpoint: 0, isIn: false, length: 16, setup: [0x21, 0, 0, 0, 0, 0, 16, 0], data: open)
    let sent = machine.received(send)
    #expect(sent.last == .modem(open))
    // The answer in two pieces, with the beginning of another.
    let done: [UInt8] = [1, 0, 0, 0x80, 16, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    #expect(machine.modemSaid(done.prefix(7)).isEmpty)
    let announced = machine.modemSaid(Array(done.dropFirst(7)) + [7, 0])
    guard case .host(let notification)? = announced.first, announced.count == 1 else { return #expect(Bool(false)) }
    #expect(Bus.data(notification) == [0xa1, 0x01, 0, 0, 0, 0, 0, 0])
    let fetch = try Bus.submit(3, endpoint: 0, isIn: true, length: 4096, setup: [0xa1, 1, 0, 0, 0, 0, 0, 16])
    guard case .host(let reply)? = machine.received(fetch).first else { return #expect(Bool(false)) }
    #expect(Bus.status(reply) == 0)
    #expect(Bus.data(reply) == done)
    guard case .host(let nothing)? = machine.received(fetch).first else { return #expect(Bool(false)) }
    #expect(Bus.data(nothing) == [])
  }

  @Test func `a packet goes out of its block, and an answer comes back in one of the same session`() throws {
    var machine = USBModemMachine(.mbim, serial: "1")
    let block = TransferBlock.pack(.init(session: 3, bytes: Self.packet), sequence: 0)
    let out = try Bus.submit(1, endpoint: 2, isIn: false, length: block.count, data: block)
    #expect(machine.received(out).last == .network(Self.packet))
    #expect(machine.networkSent(Self.answer).isEmpty)
    let take = try Bus.submit(2, endpoint: 2, isIn: true, length: 16_384)
    guard case .host(let reply)? = machine.received(take).first else { return #expect(Bool(false)) }
    #expect(TransferBlock.unpack(Bus.data(reply)) == [.init(session: 3, bytes: Self.answer)])
  }

  @Test func `over QMI a transfer is a packet`() throws {
    var machine = USBModemMachine(.qmi, serial: "1")
    let out = try Bus.submit(1, endpoint: 2, isIn: false, length: Self.packet.count, data: Self.packet)
    #expect(machine.received(out).last == .network(Self.packet))
    let take = try Bus.submit(2, endpoint: 2, isIn: true, length: 1514)
    #expect(machine.received(take).isEmpty)
    guard case .host(let reply)? = machine.networkSent(Self.answer).first else { return #expect(Bool(false)) }
    #expect(Bus.data(reply) == Self.answer)
  }

  @Test func `over QMI a packet with a multiplexing id is answered with the same id`() throws {
    var machine = USBModemMachine(.qmi, serial: "1")
    let odd = Self.packet + [5]
    // Two packets in one transfer: one of id 7, and one of id 9 with three bytes of padding.
    let transfer: [UInt8] = [0, 7, 0, 24] + Self.packet + [3, 9, 0, 28] + odd + [0, 0, 0]
    let out = try Bus.submit(1, endpoint: 2, isIn: false, length: transfer.count, data: transfer)
    #expect(machine.received(out).suffix(2) == [.network(Self.packet), .network(odd)])
    let take = try Bus.submit(2, endpoint: 2, isIn: true, length: 1514)
    #expect(machine.received(take).isEmpty)
    guard case .host(let reply)? = machine.networkSent(Self.answer + [6]).first else { return #expect(Bool(false)) }
    #expect(Bus.data(reply) == [3, 9, 0, 28] + Self.answer + [6, 0, 0, 0])
    // Bare again: the host has gone back to the interface itself.
    _ = machine.received(try Bus.submit(3, endpoint: 2, isIn: false, length: Self.packet.count, data: Self.packet))
    _ = machine.received(take)
    guard case .host(let bare)? = machine.networkSent(Self.answer).first else { return #expect(Bool(false)) }
    #expect(Bus.data(bare) == Self.answer)
  }

  @Test(
    arguments: [
      [], [0], [0, 7, 0, 24], [0, 7, 0xff, 0xff] + Self.packet, [0x3f, 7, 0, 24] + Self.packet,
      // A command of the multiplexing protocol is no packet.
      [0x80, 7, 0, 24] + Self.packet,
    ] as [[UInt8]])
  func `a broken transfer over QMI holds nothing and does no harm`(transfer: [UInt8]) {
    #expect(MultiplexedPackets.unpack(transfer) == [])
  }

  @Test func `an unlinked transfer is given back, and brings nothing any more`() throws {
    var machine = USBModemMachine(.qmi, serial: "1")
    _ = machine.received(try Bus.submit(1, endpoint: 2, isIn: true, length: 1514))
    for (expected, number) in [(Int32(-104), UInt32(8)), (0, 9)] {
      guard case .host(let reply)? = machine.received(.unlink(number: number, target: 1)).first else {
        return #expect(Bool(false))
      }
      #expect(Bus.number(reply, 0) == 4)
      #expect(Bus.status(reply) == expected)
    }
    #expect(machine.networkSent(Self.answer).isEmpty)
  }

  @Test func `a transfer that is unlinked before it comes is given back when it comes, and brings nothing`() throws {
    var machine = USBModemMachine(.qmi, serial: "1")
    _ = machine.received(try Bus.submit(1, endpoint: 2, isIn: true, length: 1514))
    #expect(machine.received(.unlink(number: 3, target: 2)).isEmpty)
    guard
      case .host(let reply)? = machine.received(try Bus.submit(2, endpoint: 2, isIn: true, length: 1514)).first
    else { return #expect(Bool(false)) }
    #expect(Bus.number(reply, 0) == 4)
    #expect(Bus.number(reply, 4) == 3)
    #expect(Bus.status(reply) == -104)
    // Of two packets the first transfer takes one, and there is no second one for the other.
    #expect(machine.networkSent(Self.answer, Self.answer).count == 1)
  }

  @Test(arguments: [[0xa1, 0x99, 0, 0, 0, 0, 8, 0], [0x80, 6, 0, 6, 0, 0, 10, 0]] as [[UInt8]])
  func `what the device does not know is stalled`(setup: [UInt8]) throws {
    var machine = USBModemMachine(.mbim, serial: "1")
    guard
      case .host(let reply)? = machine.received(try Bus.submit(1, endpoint: 0, isIn: true, length: 8, setup: setup))
        .first
    else { return #expect(Bool(false)) }
    #expect(Bus.status(reply) == -32)
  }

  @Test(
    arguments: [
      [], Array("NCMH".utf8), Array("NCMH".utf8) + [12, 0, 0, 0, 255, 255, 12, 0],
      // A table that leads to itself, and one whose datagram lies outside.
      Array("NCMH".utf8) + [12, 0, 0, 0, 40, 0, 12, 0] + Array("IPS".utf8) + [
        0, 16, 0, 12, 0, 28, 0, 255, 255, 0, 0, 0, 0,
      ],
    ] as [[UInt8]])
  func `a broken block holds nothing and does no harm`(block: [UInt8]) {
    #expect(TransferBlock.unpack(block) == [])
  }
}

/// The modem's USB side without I/O: transfers, control messages and packets go in and come out.
struct USBModemMachine: Sendable {
  /// What is to be done.
  enum Output: Hashable, Sendable {
    /// To the host controller.
    case host([UInt8])
    /// To the modem's control port.
    case modem([UInt8])
    /// A packet to the network.
    case network([UInt8])
  }

  /// The largest number of packets that wait for the host; newer ones are lost, as on a radio.
  private static let packetLimit = 256
  /// The largest NTB in either direction, and the longest transfer of multiplexed packets to the
  /// host, with the most that are in one.
  private static let blockBytes: UInt32 = 16_384
  private static let mostInOne = 32
  private static let stall: Int32 = -32

  private let kind: USBModemKind
  private let descriptors: USBDescriptors
  private var messages: ControlMessages
  private var responses: [[UInt8]] = []
  private var notifications = 0
  private var sequence: UInt16 = 0
  private var configuration: UInt8 = 0
  private var packets: [TransferBlock.Datagram] = []
  /// Transfers that wait for something to bring, by endpoint.
  private var waiting: [UInt8: [USBIPMessage.Submission]] = [:]
  /// The number of the last transfer from the host; numbers increase.
  private var newest: UInt32 = 0
  /// Transfers that the host took back before it sent them, with the number of its word about it.
  /// Linux's controller queues both apart, and gives up a device that answers a transfer after that
  /// word.
  private var takenBackAhead: [UInt32: UInt32] = [:]
  /// The session, or multiplexing id, of each address that the host has sent from.
  private var sessions: [[UInt8]: UInt8] = [:]

  init(_ kind: USBModemKind, serial: String) {
    self.kind = kind
    descriptors = USBDescriptors(kind: kind, serial: serial)
    messages = ControlMessages(kind)
  }

  // MARK: What comes in

  mutating func received(_ message: USBIPMessage) -> [Output] {
    switch message {
    case .unlink(let number, let target) where Int32(bitPattern: target &- newest) > 0:
      takenBackAhead[target] = number
      return []
    case .unlink(let number, let target):
      let wasPending = waiting.values.contains { $0.contains { $0.number == target } }
      for endpoint in waiting.keys { waiting[endpoint]?.removeAll { $0.number == target } }
      return [.host(USBIPMessage.unlinked(number, wasPending: wasPending))]
    case .submit(let transfer):
      newest = transfer.number
      if let number = takenBackAhead.removeValue(forKey: transfer.number) {
        return [.host(USBIPMessage.unlinked(number, wasPending: true))]
      }
      switch (transfer.endpoint, transfer.isIn) {
      case (0, _): return control(transfer)
      case (1, true), (2, true):
        waiting[transfer.endpoint, default: []].append(transfer)
        return deliver()
      case (2, false):
        return [.host(USBIPMessage.finished(transfer.number, count: transfer.data.count))] + sent(transfer.data)
      default: return [.host(USBIPMessage.finished(transfer.number, status: Self.stall))]
      }
    }
  }

  /// The control port said something.
  mutating func modemSaid(_ bytes: some Sequence<UInt8>) -> [Output] {
    let whole = messages.append(bytes)
    responses += whole
    notifications += whole.count
    return deliver()
  }

  /// Packets came from the network, all at once.
  mutating func networkSent(_ arrived: [UInt8]...) -> [Output] { networkSent(arrived) }

  mutating func networkSent(_ arrived: [[UInt8]]) -> [Output] {
    for packet in arrived where packets.count < Self.packetLimit {
      packets.append(.init(session: Self.destination(packet).flatMap { sessions[$0] } ?? 0, bytes: packet))
    }
    return deliver()
  }

  // MARK: Endpoint 0

  private mutating func control(_ transfer: USBIPMessage.Submission) -> [Output] {
    let setup = transfer.setup
    let (value, index) = (UInt16(setup[2]) | UInt16(setup[3]) << 8, setup[4])
    func done(_ data: [UInt8] = []) -> [Output] {
      let count = transfer.isIn ? nil : transfer.data.count
      return [.host(USBIPMessage.finished(transfer.number, data: Array(data.prefix(transfer.length)), count: count))]
    }
    switch (setup[0] & 0x7f, setup[1]) {
    case (0x00, 6):
      guard let data = descriptors.descriptor(type: UInt8(value >> 8), index: UInt8(value & 0xff)) else { break }
      return done(data)
    case (0x00, 8): return done([configuration])
    case (0x00, 9):
      configuration = UInt8(value & 0xff)
      return done()
    case (0x00, 0), (0x01, 0), (0x02, 0): return done(transfer.isIn ? [0, 0] : [])
    case (0x00, 1), (0x01, 1), (0x02, 1), (0x00, 3), (0x01, 3), (0x02, 3), (0x01, 11): return done()
    case (0x01, 10): return done([0])
    // CDC 1.2, 6.2.1 and 6.2.2: SEND_ENCAPSULATED_COMMAND, GET_ENCAPSULATED_RESPONSE.
    case (0x21, 0x00) where index == descriptors.controlInterface: return done() + [.modem(transfer.data)]
    case (0x21, 0x01) where index == descriptors.controlInterface:
      return done(responses.isEmpty ? [] : responses.removeFirst())
    // SET_CONTROL_LINE_STATE: some QMI drivers raise DTR.
    case (0x21, 0x22): return done()
    // NCM 1.0, 6.2: GET_NTB_PARAMETERS; GET and SET of format and input size.
    case (0x21, 0x80): return done(Self.blockParameters)
    case (0x21, 0x83): return done([0, 0])
    case (0x21, 0x84), (0x21, 0x86): return done()
    case (0x21, 0x85): return done(Self.little(Self.blockBytes))
    // MBIM 1.0, 6.4: RESET_FUNCTION.
    case (0x21, 0x05): return done()
    default: break
    }
    return [.host(USBIPMessage.finished(transfer.number, status: Self.stall))]
  }

  /// NCM 1.0, table 6-3: 16-bit blocks, everything on multiples of 4, any number of packets.
  private static var blockParameters: [UInt8] {
    [28, 0, 1, 0] + little(blockBytes) + [4, 0, 0, 0, 4, 0, 0, 0] + little(blockBytes) + [4, 0, 0, 0, 4, 0, 0, 0]
  }

  private static func little(_ value: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  // MARK: Endpoints 1 and 2

  /// Gives waiting transfers what there is for them.
  private mutating func deliver() -> [Output] {
    var outputs: [Output] = []
    while notifications > 0, let transfer = takeWaiting(1) {
      notifications -= 1
      // RESPONSE_AVAILABLE (CDC 1.2, 6.3.2).
      let notification: [UInt8] = [0xa1, 0x01, 0, 0, descriptors.controlInterface, 0, 0, 0]
      outputs.append(.host(USBIPMessage.finished(transfer.number, data: notification)))
    }
    while !packets.isEmpty, let transfer = takeWaiting(2) {
      let data = nextTransfer()
      guard data.count <= transfer.length else {
        // It fits no transfer: it is lost, and the transfer waits on.
        waiting[2]?.insert(transfer, at: 0)
        continue
      }
      outputs.append(.host(USBIPMessage.finished(transfer.number, data: data)))
    }
    return outputs
  }

  /// Takes what goes to the host next: one packet, or as many with multiplexing ids as a modem puts
  /// into one transfer. It does not ask how much the host has room for.
  private mutating func nextTransfer() -> [UInt8] {
    var packet = packets.removeFirst()
    if kind == .mbim {
      sequence &+= 1
      return TransferBlock.pack(packet, sequence: sequence &- 1)
    }
    var transfer = MultiplexedPackets.pack(packet)
    var count = 1
    while packet.session != 0, count < Self.mostInOne, let next = packets.first, next.session != 0 {
      let more = MultiplexedPackets.pack(next)
      guard transfer.count + more.count <= Int(Self.blockBytes) else { break }
      packet = packets.removeFirst()
      transfer += more
      count += 1
    }
    return transfer
  }

  private mutating func takeWaiting(_ endpoint: UInt8) -> USBIPMessage.Submission? {
    guard let first = waiting[endpoint]?.first else { return nil }
    waiting[endpoint]?.removeFirst()
    return first
  }

  private mutating func sent(_ data: [UInt8]) -> [Output] {
    let datagrams = kind == .mbim ? TransferBlock.unpack(data) : MultiplexedPackets.unpack(data)
    for datagram in datagrams {
      if let source = Self.source(datagram.bytes) { sessions[source] = datagram.session }
    }
    return datagrams.map { .network($0.bytes) }
  }

  private static func source(_ packet: [UInt8]) -> [UInt8]? { address(packet, v4: 12..<16, v6: 8..<24) }

  private static func destination(_ packet: [UInt8]) -> [UInt8]? { address(packet, v4: 16..<20, v6: 24..<40) }

  private static func address(_ packet: [UInt8], v4: Range<Int>, v6: Range<Int>) -> [UInt8]? {
    switch packet.first.map({ $0 >> 4 }) {
    case 4 where packet.count >= 20: Array(packet[v4])
    case 6 where packet.count >= 40: Array(packet[v6])
    default: nil
    }
  }
}

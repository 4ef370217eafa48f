import ModemModel

/// The modem's store of short messages.
struct MessageStore: Sendable {
  struct Entry: Hashable, Sendable {
    let index: UInt32
    var isRead = false
    let pdu: [UInt8]
  }

  let capacity: Int
  private(set) var entries: [Entry] = []

  init(capacity: Int) { self.capacity = capacity }

  var isFull: Bool { entries.count >= capacity }

  /// The place of a stored message; nil if the store is full.
  mutating func add(_ pdu: [UInt8]) -> UInt32? {
    guard !isFull else { return nil }
    let used = Set(entries.map(\.index))
    // MBIM counts from 1; QMI does not mind.
    let index = (1...UInt32(capacity)).first { !used.contains($0) }!
    entries.append(Entry(index: index, pdu: pdu))
    entries.sort { $0.index < $1.index }
    return index
  }

  mutating func remove(where matches: (Entry) -> Bool) -> Bool {
    let before = entries.count
    entries.removeAll(where: matches)
    return entries.count < before
  }

  mutating func markRead(_ index: UInt32) {
    if let position = entries.firstIndex(where: { $0.index == index }) { entries[position].isRead = true }
  }
}

/// What happened to a message on its way to the modem.
package enum MessageDelivery: Hashable, Sendable {
  /// Stored at a place, from 1.
  case stored(Int)
  /// Passed on to the host, and not stored.
  case passedOn
  /// The store is full. The network would try again later.
  case full
  /// The modem is not in the network, or has no usable SIM.
  case unreachable
}

extension ModemEngine {
  /// The messages are on the SIM: another one has none of them.
  mutating func forgetMessagesOfAnotherSIM() {
    let iccid: String? =
      switch slot {
      case .empty: nil
      case .initialising(let card), .ready(let card): card.sim.iccid
      }
    guard let iccid, iccid != messageOwner else { return }
    messageOwner = iccid
    messages = MessageStore(capacity: messages.capacity)
  }

  /// The network delivers a message.
  mutating func deliver(_ pdu: [UInt8]) -> MessageDelivery {
    guard openCard != nil, registration.state.allowsData else { return .unreachable }
    if configuration.passesMessagesOn || Self.messageClass(of: pdu) == 0 {
      lastMessageTransaction += 1
      emit(.messagePassedOn(pdu, transaction: lastMessageTransaction))
      return .passedOn
    }
    guard let index = messages.add(pdu) else {
      emit(.messageStoreFull)
      return .full
    }
    emit(.messageStored(index))
    if messages.isFull { emit(.messageStoreFull) }
    return .stored(Int(index))
  }

  /// The class in a PDU's data coding scheme (3GPP TS 23.038, 4); nil where there is none.
  private static func messageClass(of pdu: [UInt8]) -> Int? {
    var reader = ByteReader(pdu)
    guard let centre = reader.u8(), reader.take(Int(centre)) != nil, reader.u8() != nil, let digits = reader.u8(),
      reader.take(Int(digits) / 2 + Int(digits) % 2 + 2) != nil, let coding = reader.u8()
    else { return nil }
    let hasClass = coding >> 4 == 0xf || coding & 0xd0 == 0x10
    return hasClass ? Int(coding & 3) : nil
  }
}

extension SimulatedModem {
  /// The network delivers a message, part by part.
  ///
  /// - Returns: what happened to each part.
  /// - Throws: `SimulatorError` for an impossible message.
  @discardableResult
  package func receive(_ message: SimulatedMessage) throws(SimulatorError) -> [MessageDelivery] {
    try message.pdus().map { receive(pdu: $0) }
  }

  /// The network delivers these octets unchanged, after a service centre's address.
  @discardableResult
  package func receive(pdu: [UInt8]) -> MessageDelivery { change { $0.deliver(pdu) } }
}

/// The messages in an SMS Read reply or indication (MBIM 1.0, 10.5.35: MBIM_SMS_READ_INFO), read
/// with every bound checked.
///
/// libmbim 1.28 makes an array as long as the modem claims, and frees one twice if a record is
/// missing. Its parser therefore never sees these bytes.
struct SMSRecords: Hashable, Sendable {
  /// A stored message's index, state and octets (MBIM_SMS_PDU_RECORD).
  struct Record: Hashable, Sendable {
    let index: UInt32
    /// 0 new, 1 old, 2 draft, 3 sent.
    let status: UInt32
    let pdu: [UInt8]

    var isFromNetwork: Bool { status <= 1 }
  }

  let records: [Record]

  /// Nil if a count, offset or size points outside the buffer, or if the messages are not PDUs.
  ///
  /// Records share no bytes, so at most the length of the buffer is copied.
  init?(_ information: [UInt8]) {
    guard let format = information.word(at: 0), format == 0, let count = information.word(at: 4).map(Int.init),
      count <= (information.count - 8) / 8
    else { return nil }
    var records: [Record] = []
    var copied = 0
    for number in 0..<count {
      guard let offset = information.word(at: 8 + 8 * number), let size = information.word(at: 12 + 8 * number),
        let record = Self.record(information.part(offset: offset, size: size))
      else { return nil }
      copied += record.pdu.count
      guard copied <= information.count else { return nil }
      records.append(record)
    }
    self.records = records
  }

  private static func record(_ bytes: [UInt8]?) -> Record? {
    guard let bytes, let index = bytes.word(at: 0), let status = bytes.word(at: 4), let offset = bytes.word(at: 8),
      let size = bytes.word(at: 12), let pdu = bytes.part(offset: offset, size: size)
    else { return nil }
    return Record(index: index, status: status, pdu: pdu)
  }
}

/// The state of the message store (MBIM 1.0, 10.5.34: MBIM_SMS_CONFIGURATION_INFO).
struct SMSConfiguration: Hashable, Sendable {
  let isInitialised: Bool
  /// Whether messages are PDUs rather than in CDMA's format.
  let isPDU: Bool

  init?(_ information: [UInt8]) {
    guard let state = information.word(at: 0), let format = information.word(at: 4) else { return nil }
    isInitialised = state == 1
    isPDU = format == 0
  }
}

/// A change of the store (MBIM 1.0, 10.5.38: MBIM_SMS_STATUS_INFO).
struct SMSStoreStatus: Hashable, Sendable {
  let isFull: Bool
  /// The index of a new message.
  let newIndex: UInt32?

  init?(_ information: [UInt8]) {
    guard let flags = information.word(at: 0), let index = information.word(at: 4) else { return nil }
    isFull = flags & 1 != 0
    newIndex = flags & 2 != 0 ? index : nil
  }
}

extension [UInt8] {
  /// A little-endian 32-bit number; nil if it is outside the buffer.
  fileprivate func word(at offset: Int) -> UInt32? {
    guard offset >= 0, offset + 4 <= count else { return nil }
    return (0..<4).reduce(0) { $0 | UInt32(self[offset + $1]) << (8 * $1) }
  }

  fileprivate func part(offset: UInt32, size: UInt32) -> [UInt8]? {
    let (start, end) = (Int(offset), Int(offset) + Int(size))
    return end <= count ? Array(self[start..<end]) : nil
  }
}

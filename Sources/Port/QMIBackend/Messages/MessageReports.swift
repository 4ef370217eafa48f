import ModemModel

/// Where QMI keeps short messages.
enum MessageStorage: UInt8, Sendable, CaseIterable {
  case uim = 0
  case nv = 1

  /// Names a message's place, as in `uim/3`.
  func reference(_ index: UInt32) -> String { "\(self)/\(index)" }
}

/// A place in a store.
struct MessagePlace: Hashable, Sendable {
  let storage: MessageStorage
  let index: UInt32

  init(storage: MessageStorage, index: UInt32) {
    self.storage = storage
    self.index = index
  }

  /// Reads what `reference` writes.
  init?(reference: String) {
    let halves = reference.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, let storage = MessageStorage.allCases.first(where: { "\($0)" == halves[0] }),
      let index = UInt32(halves[1])
    else { return nil }
    self.init(storage: storage, index: index)
  }

  var reference: String { storage.reference(index) }
  var field: [UInt8] { [storage.rawValue] + index.littleEndianBytes }
}

/// The content of WMS Event Report (QMI WMS 0x0001): a new message's place, or the message itself.
struct MessageReport: Sendable {
  /// A message that the modem passes on without storing it.
  struct Passed: Hashable, Sendable {
    let transaction: UInt32
    let wantsAcknowledgement: Bool
    let format: UInt8
    /// Without the service centre's address.
    let pdu: [UInt8]

    /// Format 6 is a point-to-point message of GSM and its successors. 7 is a cell broadcast to
    /// every phone in the area.
    var isPointToPoint: Bool { format == 6 }
  }

  let stored: MessagePlace?
  let passed: Passed?
  /// Whether it came over IMS, and must be acknowledged that way.
  let isOverIMS: Bool

  /// - Throws: `badReply` for a truncated field.
  init(_ content: QMIReply) throws(ModemError) {
    stored = try content.read(0x10) { field throws(FieldReader.Short) -> MessagePlace? in
      let storage = MessageStorage(rawValue: try field.u8())
      let index = try field.u32()
      return storage.map { MessagePlace(storage: $0, index: index) }
    }?.flatMap(\.self)
    passed = try content.read(0x11) { field throws(FieldReader.Short) in
      let acknowledgement = try field.u8()
      let transaction = try field.u32()
      let format = try field.u8()
      return Passed(
        transaction: transaction, wantsAcknowledgement: acknowledgement == 0, format: format,
        pdu: try field.bytes(Int(try field.u16())))
    }
    isOverIMS = try content.read(0x16) { field throws(FieldReader.Short) in try field.u8() } == 1
  }
}

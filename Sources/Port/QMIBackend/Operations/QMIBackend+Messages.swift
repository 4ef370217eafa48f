import CQMI
import ControlChannel
import GLibBridge
import ModemModel

extension QMIBackend: MessageBackend {
  /// Allocates a client of the messaging service, which not every modem has, and requests event
  /// reports (WMS Set Event Report).
  package func startMessages() async throws(ModemError) {
    let opened = try openDevice(for: "messages")
    if clients[.wms] == nil {
      do throws(ModemError) {
        _ = try await allocateClient(.wms, in: opened)
      } catch  where error.code == .failed || error.code == .notSupported {
        throw ModemError(.notSupported, "messages: the modem has no messaging service", cause: error.description)
      }
    }
    _ = try await ask(
      "messages", QMIRequest(0x01).with(0x10, byte: 1), to: .wms, within: configuration.limits.query)
  }

  /// Lists each store and reads the messages from the network (WMS List Messages, Raw Read). A
  /// store that the modem does not have counts as empty.
  package func messages() async throws(ModemError) -> [StoredMessage] {
    var messages: [StoredMessage] = []
    var refusal: ModemError?
    var hasStore = false
    for storage in MessageStorage.allCases {
      let request = QMIRequest(0x31).with(0x01, byte: storage.rawValue).with(0x12, byte: Self.gsmMode)
      let reply = try await send("list messages", request, to: .wms, within: configuration.limits.query)
      if let error = try reply.refusal {
        // The SIM store's refusal explains more than that of the modem's own store.
        refusal = refusal ?? ModemError(error, during: reply.name)
        continue
      }
      hasStore = true
      let places = try reply.require(0x01) { field throws(FieldReader.Short) in
        var places: [(index: UInt32, tag: UInt8)] = []
        for _ in 0..<(try field.u32()) { places.append((try field.u32(), try field.u8())) }
        return places
      }
      // Tags: 0 read, 1 not read, then this SIM's own messages.
      for place in places where place.tag <= 1 {
        let found = try await message(at: MessagePlace(storage: storage, index: place.index))
        if let found { messages.append(found) }
      }
    }
    if let refusal, !hasStore { throw refusal }
    return messages
  }

  package func message(at reference: String) async throws(ModemError) -> StoredMessage? {
    try await message(at: try place(reference))
  }

  package func deleteMessage(at reference: String) async throws(ModemError) {
    let place = try place(reference)
    let request = QMIRequest(0x24).with(0x01, byte: place.storage.rawValue).with(0x10, word: place.index)
      .with(0x12, byte: Self.gsmMode)
    _ = try await ask("delete message", request, to: .wms, within: configuration.limits.query)
  }

  /// Asks each store for its free places (WMS Get Store Max Size). A modem without that message
  /// does not report them.
  package func isMessageStoreFull() async throws(ModemError) -> Bool {
    var free: UInt32?
    for storage in MessageStorage.allCases {
      let request = QMIRequest(0x36).with(0x01, byte: storage.rawValue).with(0x10, byte: Self.gsmMode)
      guard let reply = try await askIfKnown("message store size", request, to: .wms),
        let size = try reply.read(0x01, { field throws(FieldReader.Short) in try field.u32() }), size > 0,
        let left = try reply.read(0x10, { field throws(FieldReader.Short) in try field.u32() })
      else { continue }
      free = (free ?? 0) &+ left
    }
    return free == 0
  }

  /// Message mode: GSM and its successors, not CDMA.
  private static var gsmMode: UInt8 { 1 }

  private func message(at place: MessagePlace) async throws(ModemError) -> StoredMessage? {
    let request = QMIRequest(0x22).with(0x01, place.field).with(0x10, byte: Self.gsmMode)
    let reply = try await send("read message", request, to: .wms, within: configuration.limits.query)
    // Another program may have deleted it since it was listed.
    if try reply.refusal != nil { return nil }
    let (tag, format, pdu) = try reply.require(0x01) { field throws(FieldReader.Short) in
      (try field.u8(), try field.u8(), try field.bytes(Int(try field.u16())))
    }
    guard tag <= 1, format == 6 else { return nil }
    return StoredMessage(reference: place.reference, pdu: MessagePDU(pdu))
  }

  private func place(_ reference: String) throws(ModemError) -> MessagePlace {
    guard let place = MessagePlace(reference: reference) else {
      throw ModemError(.failed, "messages: the message has no place in this modem's stores")
    }
    return place
  }

  // MARK: Indications

  func handleMessages(_ indication: Indication) {
    switch indication.message {
    case 0x01:
      // An unreadable report is ignored: the next reading of the store finds the stored message.
      guard let report = try? MessageReport(indication.content) else { return }
      if let place = report.stored { outlet.post(.stored(reference: place.reference)) }
      if let passed = report.passed { take(passed, isOverIMS: report.isOverIMS) }
    case 0x3a: outlet.post(.storeFull)
    default: break
    }
  }

  private func take(_ passed: MessageReport.Passed, isOverIMS: Bool) {
    guard passed.isPointToPoint else { return }
    outlet.post(
      MessageEvent.passedOn(
        StoredMessage(reference: "", pdu: MessagePDU(passed.pdu), hasServiceCentre: false, isStored: false)))
    if passed.wantsAcknowledgement { Task { await acknowledge(passed, isOverIMS: isOverIMS) } }
  }

  /// Tells the network that the message has arrived (WMS Send Ack). Otherwise, the network would
  /// send it again, and finally send nothing more.
  private func acknowledge(_ passed: MessageReport.Passed, isOverIMS: Bool) async {
    let request = QMIRequest(0x37).with(0x01, passed.transaction.littleEndianBytes + [1, 1])
      .with(0x12, byte: isOverIMS ? 1 : 0)
    _ = try? await send("acknowledge message", request, to: .wms, within: configuration.limits.query)
  }
}

import DeviceAPI
import ModemModel

extension PortInterface.WatchMessages.Reply {
  package init(_ update: MessageUpdate) {
    switch update {
    case .snapshot(let messages, let state):
      self.init(
        event: .snapshot, messages: messages.map(PortInterface.StoredMessage.init),
        store: .init(unavailable: state.unavailable, full: state.isFull))
    case .arrived(let message): self.init(event: .arrived, messages: [PortInterface.StoredMessage(message)])
    case .removed(let reference): self.init(event: .removed, messages: [], reference: reference)
    }
  }
}

extension PortInterface.StoredMessage {
  init(_ message: StoredMessage) {
    self.init(
      reference: message.reference, pdu: message.pdu.revealed, hasServiceCentre: message.hasServiceCentre,
      stored: message.isStored, received: message.received?.description)
  }
}

extension MessageUpdate {
  /// Reads a reply of `WatchMessages`; nil for an event that this version does not know.
  ///
  /// - Throws: `ConversionError`.
  package init?(_ wire: PortInterface.WatchMessages.Reply) throws {
    let messages = try wire.messages.map { try StoredMessage($0) }
    switch wire.event {
    case .snapshot:
      let store = try wire.store.required("store", "the store's state with a snapshot")
      self = .snapshot(messages, MessageStoreState(unavailable: store.unavailable, isFull: store.full))
    case .arrived: self = .arrived(try messages.first.required("messages", "one message"))
    case .removed: self = .removed(reference: try wire.reference.required("reference", "a reference"))
    case .other: return nil
    }
  }
}

extension StoredMessage {
  init(_ wire: PortInterface.StoredMessage) throws {
    self.init(
      reference: wire.reference,
      pdu: try MessagePDU(hex: wire.pdu).required("messages.pdu", "an even number of hexadecimal digits"),
      hasServiceCentre: wire.hasServiceCentre, isStored: wire.stored,
      received: try wire.received.map { try Timestamp(rfc3339: $0).required("messages.received", "an RFC 3339 time") })
  }
}

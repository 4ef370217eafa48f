import ModemModel
import ShortMessage

/// The messages of one port, decoded and joined.
struct MessageInbox: Sendable {
  private var assembly = MessageAssembly()
  private(set) var state = MessageStoreState(unavailable: "the port has told nothing yet")
  private var hadSnapshot = false
  /// The number of messages that were left out because they cannot be read or are for nobody.
  private(set) var unreadable = 0

  /// Complete and incomplete ones, in the order of arrival.
  var messages: [AssembledMessage] { assembly.messages }

  /// Takes an update.
  ///
  /// - Returns: the messages that it completed.
  mutating func apply(_ update: MessageUpdate, at now: Timestamp) -> [AssembledMessage] {
    defer { assembly.expire(at: now) }
    switch update {
    case .snapshot(let stored, let state):
      let known = Set(assembly.messages.filter(\.isComplete).map(\.id))
      assembly.removeAll()
      self.state = state
      unreadable = 0
      for message in stored { _ = add(message) }
      defer { hadSnapshot = true }
      // At first, it is unknown which of them are new.
      return hadSnapshot
        ? assembly.messages.filter { $0.isComplete && $0.received != nil && !known.contains($0.id) } : []
    case .arrived(let message): return add(message).map { [$0] } ?? []
    case .removed(let reference):
      assembly.remove(reference: reference)
      return []
    }
  }

  /// The port vanished: known messages stay.
  mutating func becomeUnavailable(because reason: String) { state.unavailable = reason }

  private mutating func add(_ message: StoredMessage) -> AssembledMessage? {
    guard
      case .delivery(let delivery)? = try? ShortMessagePDU(
        message.pdu.octets, hasServiceCentre: message.hasServiceCentre)
    else {
      unreadable += 1
      return nil
    }
    // Silent messages must not be shown; those for the SIM, and bare waiting indications, are not
    // for a person.
    guard !delivery.isSilent, !delivery.isForSIM, !delivery.coding.isDiscardableIndication else { return nil }
    return assembly.add(
      MessagePart(
        delivery, octets: message.pdu.octets, reference: message.reference, received: message.received,
        isStored: message.isStored))
  }
}

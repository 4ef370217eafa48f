import ModemModel
import ShortMessage

/// The messages of one port, read and joined.
struct MessageInbox: Sendable {
  private var assembly = MessageAssembly()
  private(set) var state = MessageStoreState(unavailable: "the port has told nothing yet")
  private var hadSnapshot = false
  /// PDUs that cannot be read, and those that are for nobody: so many were left out.
  private(set) var unreadable = 0

  /// Complete and incomplete ones, in the order in which they came.
  var messages: [AssembledMessage] { assembly.messages }

  /// Takes an update.
  ///
  /// - Returns: the messages that came with it, whole.
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
      // At first nobody knows which of them are new.
      return hadSnapshot
        ? assembly.messages.filter { $0.isComplete && $0.received != nil && !known.contains($0.id) } : []
    case .arrived(let message): return add(message).map { [$0] } ?? []
    case .removed(let reference):
      assembly.remove(reference: reference)
      return []
    }
  }

  /// The port went away: what is known stays.
  mutating func becomeUnavailable(because reason: String) { state.unavailable = reason }

  private mutating func add(_ message: StoredMessage) -> AssembledMessage? {
    guard
      case .delivery(let delivery)? = try? ShortMessagePDU(
        message.pdu.octets, hasServiceCentre: message.hasServiceCentre)
    else {
      unreadable += 1
      return nil
    }
    // Silent ones are to be shown to nobody; those for the SIM, and bare waiting indications, are for no person.
    guard !delivery.isSilent, !delivery.isForSIM, !delivery.coding.isDiscardableIndication else { return nil }
    return assembly.add(
      MessagePart(
        delivery, octets: message.pdu.octets, reference: message.reference, received: message.received,
        isStored: message.isStored))
  }
}

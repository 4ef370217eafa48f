/// Something about short messages that the modem said unasked.
public enum MessageEvent: Hashable, Sendable {
  /// The store can be read now, or is another one.
  case storeChanged
  /// A new message is in the store, at this place.
  case stored(reference: String)
  /// A message came that the modem does not store. Its reference is empty.
  case passedOn(StoredMessage)
  /// A message found no room.
  case storeFull
}

/// A backend that can read short messages. Calls throw `ModemError`; `notSupported` from a modem without messages.
public protocol MessageBackend: ModemBackend {
  /// What the modem says of messages, in order, for one reader; it ends when the port is closed or goes away.
  nonisolated var messageEvents: AsyncStream<MessageEvent> { get }

  /// Has the modem tell of new messages, in PDU form; to be called once the port is open, and again is harmless.
  ///
  /// Throws `simNotReady` where the store is not ready yet; `storeChanged` follows.
  func startMessages() async throws

  /// The messages that the network sent and the modem keeps.
  func messages() async throws -> [StoredMessage]

  /// One of them; nil where there is none at this place.
  func message(at reference: String) async throws -> StoredMessage?

  /// Deletes one from the store.
  func deleteMessage(at reference: String) async throws

  /// Whether the store has no room left; false where the modem does not tell.
  func isMessageStoreFull() async throws -> Bool
}

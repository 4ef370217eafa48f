/// An unsolicited report from the modem about short messages.
public enum MessageEvent: Hashable, Sendable {
  /// The store can be read now, or was replaced.
  case storeChanged
  /// A new message is in the store, at this place.
  case stored(reference: String)
  /// A message arrived that the modem does not store. Its reference is empty.
  case passedOn(StoredMessage)
  /// A message found no room.
  case storeFull
}

/// A backend that can read short messages. Calls throw `ModemError`; `notSupported` from a modem
/// without messages.
public protocol MessageBackend: ModemBackend {
  /// The modem's reports about messages, in order, for one reader; it ends when the port is closed
  /// or vanishes.
  nonisolated var messageEvents: AsyncStream<MessageEvent> { get }

  /// Makes the modem report new messages as PDUs. Call it once the port is open; it is harmless to
  /// call it again.
  ///
  /// Throws `simNotReady` if the store is not ready yet; `storeChanged` follows.
  func startMessages() async throws

  /// The messages that the network sent and the modem keeps.
  func messages() async throws -> [StoredMessage]

  /// One of them; nil if there is none at this place.
  func message(at reference: String) async throws -> StoredMessage?

  /// Deletes one from the store.
  func deleteMessage(at reference: String) async throws

  /// Whether the store is full; false if the modem does not report it.
  func isMessageStoreFull() async throws -> Bool
}

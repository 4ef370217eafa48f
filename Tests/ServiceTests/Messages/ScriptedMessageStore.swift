import ModemModel
import ModemSimulator
import Synchronization

/// The messages of a scripted modem.
final class ScriptedMessageStore: Sendable {
  struct Contents: Sendable {
    var messages: [StoredMessage] = []
    var isFull = false
    /// What `startMessages` throws.
    var refusal: ModemError?
    var readings = 0
  }

  let contents = Mutex(Contents())
  let events: AsyncStream<MessageEvent>
  private let said: AsyncStream<MessageEvent>.Continuation

  init() { (events, said) = AsyncStream.makeStream() }

  func say(_ event: MessageEvent) { said.yield(event) }
  func change(_ body: (inout Contents) -> Void) { contents.withLock { body(&$0) } }

  /// Stores a message, and says so unless nobody shall know.
  func store(_ message: StoredMessage, isTold: Bool = true) {
    change { $0.messages.append(message) }
    if isTold { say(.stored(reference: message.reference)) }
  }
}

extension ScriptedBackend: MessageBackend {
  nonisolated var messageEvents: AsyncStream<MessageEvent> { messageStore.events }

  func startMessages() async throws {
    if let refusal = messageStore.contents.withLock({ $0.refusal }) { throw refusal }
  }
  func messages() async throws -> [StoredMessage] {
    messageStore.contents.withLock { contents in
      contents.readings += 1
      return contents.messages
    }
  }
  func message(at reference: String) async throws -> StoredMessage? {
    messageStore.contents.withLock { $0.messages.first { $0.reference == reference } }
  }
  func deleteMessage(at reference: String) async throws {
    try messageStore.contents.withLock { contents throws(ModemError) in
      guard contents.messages.contains(where: { $0.reference == reference }) else {
        throw ModemError(.failed, "there is no message")
      }
      contents.messages.removeAll { $0.reference == reference }
      contents.isFull = false
    }
  }
  func isMessageStoreFull() async throws -> Bool { messageStore.contents.withLock { $0.isFull } }
}

extension StoredMessage {
  /// The first part of a message as a store has it.
  static func sample(
    _ text: String, from: String = "ExampleBank", at reference: String, received: Int64? = nil, isStored: Bool = true,
    sent: Int64 = 1_700_000_000_000, messageClass: Int? = nil
  ) -> StoredMessage {
    parts(
      text, from: from, at: reference, received: received, isStored: isStored, sent: sent, messageClass: messageClass)[
        0]
  }

  /// All parts, at places with a letter each behind `reference`.
  static func parts(
    _ text: String, from: String = "ExampleBank", at reference: String, received: Int64? = nil, isStored: Bool = true,
    sent: Int64 = 1_700_000_000_000, messageClass: Int? = nil
  ) -> [StoredMessage] {
    let message = SimulatedMessage(
      from: from, text: text, sent: Timestamp(milliseconds: sent), messageClass: messageClass)
    let pdus = (try? message.pdus()) ?? []
    return pdus.enumerated().map { index, pdu in
      StoredMessage(
        reference: index == 0 ? reference : "\(reference)\(index)", pdu: MessagePDU(pdu), isStored: isStored,
        received: received.map { Timestamp(milliseconds: $0) })
    }
  }
}

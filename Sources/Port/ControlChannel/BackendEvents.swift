import ModemModel

/// What a backend reports to its reader about the modem and about short messages. It ends with the
/// backend.
package final class BackendEvents: Sendable {
  package let events: AsyncStream<ModemEvent>
  package let messageEvents: AsyncStream<MessageEvent>
  private let mailbox = EventMailbox()
  private let messages: AsyncStream<MessageEvent>.Continuation

  package init() {
    events = mailbox.events
    // A reader that has fallen this far behind must read everything again anyway.
    (messageEvents, messages) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
  }

  deinit { finish() }

  package func post(_ event: ModemEvent) { mailbox.post(event) }
  package func post(_ event: MessageEvent) { messages.yield(event) }

  package func finish() {
    mailbox.finish()
    messages.finish()
  }
}

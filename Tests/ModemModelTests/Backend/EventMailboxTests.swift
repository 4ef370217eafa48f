import Testing

@testable import ModemModel

@Suite(.timeLimit(.minutes(1))) struct `What a modem says` {
  private static let all: [ModemEvent] = [
    .simChanged, .registrationChanged, .signalChanged, .bearerDropped(nil), .settingsChanged, .reset, .unresponsive,
    .removed,
  ]

  @Test func `waits once of each kind, in the order of arrival`() {
    var pending = PendingEvents()
    for event in [ModemEvent.signalChanged, .simChanged, .signalChanged, .bearerDropped(.session(36)), .simChanged] {
      pending.add(event)
    }
    pending.add(.bearerDropped(.session(39)))
    #expect(pending.take() == .signalChanged)
    pending.add(.signalChanged)
    #expect(pending.take() == .simChanged)
    #expect(pending.take() == .bearerDropped(.session(36)))
    #expect(pending.take() == .signalChanged)
    #expect(pending.take() == nil)
    #expect(pending.coalesced == 3)
  }

  @Test func `takes no more room for ten thousand of each kind, and loses no dropped bearer`() async {
    let mailbox = EventMailbox()
    for _ in 0..<10_000 { for event in Self.all { mailbox.post(event) } }
    mailbox.finish()
    mailbox.post(.reset)
    var read: [ModemEvent] = []
    for await event in mailbox.events { read.append(event) }
    #expect(read == Self.all)
    #expect(mailbox.coalesced == 9_999 * Self.all.count)
  }

  @Test func `reaches a reader that waits, and ends with it`() async {
    let mailbox = EventMailbox()
    let reader = Task {
      var read: [ModemEvent] = []
      for await event in mailbox.events { read.append(event) }
      return read
    }
    mailbox.post(.simChanged)
    mailbox.post(.removed)
    mailbox.finish()
    #expect(await reader.value == [.simChanged, .removed])
  }

  @Test func `is not waited for by a reader that is cancelled`() async {
    let mailbox = EventMailbox()
    let reader = Task { await mailbox.next() }
    reader.cancel()
    #expect(await reader.value == nil)
    mailbox.post(.reset)
    #expect(await mailbox.next() == .reset)
  }
}

import LimitClock
import ModemModel
import Synchronization
import Testing

@testable import ModemPort

@Suite struct `The pace of a modem's news` {
  @Test func `is at once for the first, and once for all that come while it rests`() {
    var pacer = EventPacer(EventPace())
    #expect(pacer.receive(.signalChanged) == [.deliver(.signalChanged), .rest(.signalChanged, .seconds(1))])
    for _ in 0..<10_000 { #expect(pacer.receive(.signalChanged).isEmpty) }
    #expect(pacer.receive(.simChanged) == [.deliver(.simChanged), .rest(.simChanged, .milliseconds(250))])
    #expect(pacer.rested(.signalChanged) == [.deliver(.signalChanged), .rest(.signalChanged, .seconds(1))])
    #expect(pacer.rested(.signalChanged).isEmpty)
    #expect(pacer.receive(.signalChanged).first == .deliver(.signalChanged))
  }

  @Test(arguments: [ModemEvent.bearerDropped(.session(36)), .reset, .unresponsive, .removed])
  func `does not hold back what ends something`(event: ModemEvent) {
    var pacer = EventPacer(EventPace())
    for _ in 0..<3 { #expect(pacer.receive(event) == [.deliver(event)]) }
  }

  @Test func `holds nothing back where it is set so`() {
    var pacer = EventPacer(.immediate)
    for _ in 0..<3 { #expect(pacer.receive(.signalChanged) == [.deliver(.signalChanged)]) }
  }

  /// The clock stands still: what is said while news of a kind rests is looked into once, however
  /// often it is said.
  @Test(.timeLimit(.minutes(1))) func `makes few looks out of a storm`() async {
    let (rests, rest) = AsyncStream.makeStream(of: Void.self)
    let clock = LimitClock(sleep: { _ in
      for await _ in rests { return }
      throw CancellationError()
    })
    let paced = PacedEvents(EventPace(), clock: clock)
    let mailbox = EventMailbox()
    let said = Task {
      for _ in 0..<10_000 {
        mailbox.post(.signalChanged)
        await Task.yield()
      }
      rest.yield()
    }
    let looks = Mutex(0)
    await paced.forEach(of: mailbox.events) { event in
      if event == .removed { return false }
      let count = looks.withLock { looks in
        looks += 1
        return looks
      }
      if count == 2 {
        await said.value
        mailbox.post(.removed)
      }
      return true
    }
    #expect(looks.withLock { $0 } == 2)
  }
}

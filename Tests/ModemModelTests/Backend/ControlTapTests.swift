import ModemModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A control channel's listeners` {
  private static func message(_ number: Int) -> ControlMessage {
    ControlMessage(.sent, name: "Basic Connect CONNECT set", transaction: number)
  }

  @Test func `hear each message, in order`() async {
    let tap = ControlTap()
    let (one, other) = (tap.listen(), tap.listen())
    for number in 1...3 { tap.note { Self.message(number) } }
    // What is no message is not told.
    tap.note { nil }
    tap.note { Self.message(4) }
    for stream in [one, other] {
      var messages = stream?.makeAsyncIterator()
      for number in 1...4 { #expect(await messages?.next() == Self.message(number)) }
    }
  }

  @Test func `cost nothing where there is none`() {
    let tap = ControlTap()
    var made = 0
    tap.note {
      made += 1
      return Self.message(1)
    }
    #expect(made == 0)
  }

  @Test func `are few, and make room when they leave`() async {
    let tap = ControlTap()
    var streams = (0..<ControlTap.limit.listeners).map { _ in tap.listen() }
    #expect(streams.allSatisfy { $0 != nil })
    #expect(tap.listen() == nil)
    let last = streams.removeLast()
    let reader = Task { if let last { for await _ in last {} } }
    reader.cancel()
    await reader.value
    #expect(tap.listen() != nil)
  }

  @Test func `who does not read loses what comes last, and holds no more`() async {
    let tap = ControlTap()
    let stream = tap.listen()
    for number in 0..<ControlTap.limit.messages + 10 { tap.note { Self.message(number) } }
    var messages = stream?.makeAsyncIterator()
    for number in 0..<ControlTap.limit.messages { #expect(await messages?.next()?.transaction == number) }
    // The next is one that comes now.
    tap.note { Self.message(-1) }
    #expect(await messages?.next()?.transaction == -1)
  }
}

import ClockTestSupport
import LimitClock
import ModemModel
import ModemService
import ShortMessage
import Synchronization
import Testing

/// Around one modem in memory, with a clock that stands and a sleep that ends when the test says
/// so.
@Suite("Waiting for a code", .timeLimit(.minutes(1)))
struct CodeWaitTests {
  private static let now: Int64 = 1_800_000_000_000

  private final class ModemInMemory: ModemLink, MessageLink {
    let name = "port"
    let deleted = Mutex<[String]>([])
    var messages: (any MessageLink)? { self }
    func connect(_ request: BearerRequest) async throws -> BearerStatus { throw ModemError(.failed, "none") }
    func disconnect() async throws -> BearerStatus { throw ModemError(.failed, "none") }
    func verifyBearer() async throws -> BearerStatus { throw ModemError(.failed, "none") }
    func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState { throw ModemError(.failed, "none") }
    func messageUpdates() async throws -> AsyncThrowingStream<MessageUpdate, any Error> { .init { $0.finish() } }
    func deleteMessage(at reference: String) async throws { deleted.withLock { $0.append(reference) } }
  }

  private let registry = ModemRegistry()
  private let link = ModemInMemory()
  private let slept = AsyncStream.makeStream(of: Void.self)
  private let asleep = AsyncStream.makeStream(of: Duration.self)
  private let service: MessageService

  init() async {
    let (slept, asleep) = (slept, asleep)
    let clock = LimitClock(sleep: { duration in
      asleep.continuation.yield(duration)
      // One of 5 seconds ends when the test says so; the others never, while a test runs.
      guard duration == .seconds(5) else { return try await LimitClock.stopped.pause(for: duration) }
      for await _ in slept.stream { return }
      try Task.checkCancellation()
    })
    service = MessageService(registry: registry, now: { Timestamp(milliseconds: Self.now) }, clock: clock)
    let state = ModemState(
      id: "modem-1", device: "/dev/x", kind: .mbim, bearer: BearerStatus(since: Timestamp(milliseconds: 0)))
    registry.update(state, from: link)
    await service.apply(.snapshot([], MessageStoreState()), from: "port")
  }

  private func come(_ text: String, from: String = "ExampleBank", at reference: String, ago: Int64 = 0) async {
    for part in StoredMessage.parts(text, from: from, at: reference, received: Self.now - ago) {
      await service.apply(.arrived(part), from: "port")
    }
  }

  /// Starts to wait, and returns when it does.
  private func wait(_ request: CodeRequest) async -> Task<String, any Error> {
    let task = Task { try await service.waitForCode(request).code.revealed }
    for await _ in asleep.stream { break }
    return task
  }

  private func code(of body: () async throws -> some Any) async -> MessageError.Code? {
    do {
      _ = try await body()
      return nil
    } catch {
      return (error as? MessageError)?.code
    }
  }

  @Test("gives the next message that fits to everyone who waits for it")
  func everyone() async throws {
    await come("Your code is 111111", at: "1")
    let any = await wait(try CodeRequest())
    let bank = await wait(try CodeRequest(sender: "examplebank"))
    let shop = await wait(try CodeRequest(sender: "+4915112345678"))
    let pattern = await wait(try CodeRequest(pattern: "PIN {digits:4}"))
    await come("Your code is 222222", at: "2")
    #expect(try await any.value == "222222")
    #expect(try await bank.value == "222222")
    await come("Dial 4711 for PIN 4812", from: "+4915112345678", at: "3")
    #expect(try await shop.value == "4711")
    #expect(try await pattern.value == "4812")
  }

  @Test("passes over a message with a refused code, and looks back to the millisecond")
  func refused() async throws {
    await come("Your code is 111111", at: "1", ago: 701)
    await come("Your code is 222222", at: "2", ago: 700)
    await come("Your code is 333333", at: "3", ago: 10)
    var request = try CodeRequest()
    request.lookBack = .milliseconds(700)
    #expect(try await service.waitForCode(request).code.revealed == "333333")
    request.refused = ["333333"]
    #expect(try await service.waitForCode(request).code.revealed == "222222")
    request.refused = ["333333", "222222"]
    let next = await wait(request)
    await come("Your code is 222222", at: "4")
    await come("Your code is 444444", at: "5")
    #expect(try await next.value == "444444")
  }

  @Test("waits for all parts of a long message")
  func longMessage() async throws {
    let waiting = await wait(try CodeRequest(pattern: "code {digits}"))
    let parts = StoredMessage.parts(
      String(repeating: "x", count: 150) + " code 482913 " + String(repeating: "y", count: 200), at: "1",
      received: Self.now)
    #expect(parts.count == 3)
    for part in parts.reversed() { await service.apply(.arrived(part), from: "port") }
    #expect(try await waiting.value == "482913")
  }

  @Test("looks back as far as it is told, at the latest first, and not further")
  func looksBack() async throws {
    await come("Your code is 111111", at: "1", ago: 50_000)
    await come("Your code is 222222", at: "2", ago: 20_000)
    await come("no digits", at: "3", ago: 10_000)
    #expect(try await service.waitForCode(CodeRequest(lookBackSeconds: 30)).code.revealed == "222222")
    #expect(
      try await service.waitForCode(CodeRequest(pattern: "code is {digits:6}", lookBackSeconds: 600)).code.revealed
        == "222222")
    let waiting = await wait(try CodeRequest(lookBackSeconds: 15))
    await come("Your code is 333333", at: "4")
    #expect(try await waiting.value == "333333")
  }

  @Test("looks back at a message that was there at the start by the time it was sent")
  func looksBackAtOld() async throws {
    await service.apply(
      .snapshot([.sample("Your code is 111111", at: "1", sent: Self.now - 5000)], MessageStoreState()), from: "port")
    #expect(try await service.waitForCode(CodeRequest(lookBackSeconds: 10)).code.revealed == "111111")
    // One from the future, as after a start without a clock, is none that just came.
    await service.apply(
      .snapshot([.sample("Your code is 222222", at: "2", sent: Self.now + 120_000)], MessageStoreState()), from: "port")
    let waiting = await wait(try CodeRequest(lookBackSeconds: 600))
    await come("Your code is 333333", at: "3")
    #expect(try await waiting.value == "333333")
  }

  @Test("ends in time, and says how many others came")
  func timeout() async throws {
    let waiting = await wait(try CodeRequest(sender: "Other", timeoutSeconds: 5))
    await come("Your code is 111111", at: "1")
    await come("Your code is 222222", at: "2")
    // Both are seen before the time is up: the same stream brings them.
    while try await service.list(nil).messages.count < 2 { await Task.yield() }
    let seen = await wait(try CodeRequest())
    await come("Your code is 333333", at: "3")
    _ = try await seen.value
    slept.continuation.yield()
    let error = await code { try await waiting.value }
    guard case .noCode(let count)? = error else {
      Issue.record("no code was expected: \(String(describing: error))")
      return
    }
    #expect((0...3).contains(count))
  }

  @Test("ends at once where nothing can come: a full store, a modem without messages, one that is taken away")
  func hopeless() async throws {
    await service.apply(.snapshot([], MessageStoreState(isFull: true)), from: "port")
    #expect(await code { try await service.waitForCode(CodeRequest()) } == .storageFull)
    await service.apply(.snapshot([], MessageStoreState(unavailable: "no SIM")), from: "port")
    #expect(await code { try await service.waitForCode(CodeRequest()) } == .unavailable)
    await service.apply(.snapshot([], MessageStoreState()), from: "port")
    let full = await wait(try CodeRequest())
    await service.apply(.snapshot([], MessageStoreState(isFull: true)), from: "port")
    #expect(await code { try await full.value } == .storageFull)
    await service.apply(.snapshot([], MessageStoreState()), from: "port")
    let gone = await wait(try CodeRequest())
    await service.remove("port")
    #expect(await code { try await gone.value } == .unavailable)
  }

  @Test("ends when its caller leaves, and makes room for others")
  func cancelled() async throws {
    var waiting: [Task<String, any Error>] = []
    for _ in 0..<MessageService.waitLimit { waiting.append(await wait(try CodeRequest())) }
    #expect(await code { try await service.waitForCode(CodeRequest()) } == .tooManyWaits(limit: 64))
    waiting[0].cancel()
    let result = await waiting[0].result
    #expect(throws: (any Error).self) { try result.get() }
    let another = await wait(try CodeRequest())
    await come("Your code is 444444", at: "1")
    #expect(try await another.value == "444444")
    for task in waiting.dropFirst() { #expect(try await task.value == "444444") }
  }

  @Test(
    "takes no option that is out of its range",
    arguments: [
      ("sender", CodeArguments(sender: "")), ("sender", CodeArguments(sender: String(repeating: "1", count: 22))),
      ("pattern", CodeArguments(pattern: "{digits")), ("timeoutSeconds", CodeArguments(timeout: 0)),
      ("timeoutSeconds", CodeArguments(timeout: 601)), ("lookBackSeconds", CodeArguments(lookBack: -1)),
      ("lookBackSeconds", CodeArguments(lookBack: 601)),
    ])
  func options(name: String, arguments: CodeArguments) {
    let error = #expect(throws: MessageError.self) {
      try CodeRequest(
        sender: arguments.sender, pattern: arguments.pattern, timeoutSeconds: arguments.timeout,
        lookBackSeconds: arguments.lookBack)
    }
    guard case .invalidOption(let option, _)? = error?.code else {
      Issue.record("an invalid option was expected")
      return
    }
    #expect(option == name)
  }

  struct CodeArguments: Sendable {
    var sender: String?
    var pattern: String?
    var timeout: Int?
    var lookBack: Int?
  }

  @Test("sees messages that came while the port could not be reached, once, and never those from before")
  func reconnects() async throws {
    let (_, arrivals) = try await service.watch(nil)
    await service.markUnavailable("port", because: "stopped")
    let old = StoredMessage.sample("Your code is 111111", at: "1")
    let new = StoredMessage.sample("Your code is 222222", at: "2", received: Self.now)
    for _ in 0..<2 { await service.apply(.snapshot([old, new], MessageStoreState()), from: "port") }
    await come("Your code is 333333", at: "3")
    var seen: [String?] = []
    for await arrival in arrivals {
      if case .message(let found) = arrival { seen.append(found.message.text?.revealed) }
      if seen.count == 2 { break }
    }
    #expect(seen == ["Your code is 222222", "Your code is 333333"])
  }

  @Test("deletes all parts; what is for nobody is not listed")
  func lists() async throws {
    let long = StoredMessage.parts(String(repeating: "z", count: 400), at: "a")
    let silent = StoredMessage(reference: "s", pdu: MessagePDU(hex: "0004048121436540002611221200004000")!)
    let report = StoredMessage(reference: "r", pdu: MessagePDU(hex: "00062A")!)
    let broken = StoredMessage(reference: "b", pdu: MessagePDU(hex: "0791")!)
    await service.apply(.snapshot(long + [silent, report, broken], MessageStoreState()), from: "port")
    let found = try await service.list(nil).messages
    #expect(found.count == 1)
    let id = try #require(found.first?.message.id)
    #expect(try await service.get(id, of: "modem-1").message.parts.count == 3)
    try await service.delete(id, of: nil)
    #expect(link.deleted.withLock { $0 } == ["a", "a1", "a2"])
    #expect(try await service.list(nil).messages.isEmpty)
    #expect(await code { try await service.get(id, of: nil) } == .noSuchMessage(id: id))
    #expect(await code { try await service.delete(id, of: nil) } == .noSuchMessage(id: id))
  }
}

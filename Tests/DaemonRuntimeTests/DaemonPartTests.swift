import SystemdSupport
import Glibc
import Logging
import Synchronization
import Testing

@testable import DaemonRuntime

@Suite("Parts of a daemon", .timeLimit(.minutes(1)))
struct DaemonPartTests {
  /// What the parts did, in order.
  private final class Journal: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func note(_ line: String) { lines.withLock { $0.append(line) } }

    /// A part that goes on until it is cancelled, and takes its time to clean up.
    func part(_ name: String, begun: AsyncStream<Void>.Continuation? = nil) -> DaemonPart {
      DaemonPart(name) {
        begun?.yield()
        await Self.untilCancelled()
        self.note("\(name) ends")
        // Others could overtake it here.
        for _ in 0..<100 { await Task.yield() }
        self.note("\(name) ended")
      }
    }

    static func untilCancelled() async {
      let (nothing, continuation) = AsyncStream.makeStream(of: Void.self)
      for await _ in nothing {}
      extendLifetime(continuation)
    }
  }

  private struct Broken: Error, Equatable {}
  private static let logger = Logger(label: "parts") { _ in SwiftLogNoOpLogHandler() }

  private static func run(_ parts: [DaemonPart], until signals: AsyncStream<Int32>) async throws {
    try await DaemonPart.run(parts, until: signals, logger: logger)
  }

  @Test("A signal ends the parts one after the other, the last first; more signals change nothing")
  func signal() async throws {
    let journal = Journal()
    let (signals, sender) = AsyncStream.makeStream(of: Int32.self)
    for signal in [SIGTERM, SIGINT, SIGTERM] { sender.yield(signal) }
    try await Self.run(["a", "b", "c"].map { journal.part($0) }, until: signals)
    #expect(journal.all == ["c ends", "c ended", "b ends", "b ended", "a ends", "a ended"])
  }

  @Test("Without a signal the parts go on")
  func serving() async throws {
    let journal = Journal()
    let (signals, sender) = AsyncStream.makeStream(of: Int32.self)
    let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
    let run = Task { try await Self.run(["a", "b"].map { journal.part($0, begun: continuation) }, until: signals) }
    var count = 0
    for await _ in begun {
      count += 1
      if count == 2 { break }
    }
    #expect(journal.all == [])
    sender.yield(SIGTERM)
    try await run.value
    #expect(journal.all.count == 4)
  }

  @Test("A part that fails ends the others, and its error is that of the daemon")
  func failing() async {
    let journal = Journal()
    let (signals, sender) = AsyncStream.makeStream(of: Int32.self)
    let parts = [journal.part("a"), DaemonPart("b") { throw Broken() }, journal.part("c")]
    await #expect(throws: Broken.self) { try await Self.run(parts, until: signals) }
    #expect(Set(journal.all) == ["a ends", "a ended", "c ends", "c ended"])
    extendLifetime(sender)
  }

  @Test("A part that ends by itself ends the daemon, by name")
  func endingEarly() async {
    let journal = Journal()
    let (signals, sender) = AsyncStream.makeStream(of: Int32.self)
    let parts = [journal.part("a"), DaemonPart("b") {}]
    await #expect(throws: DaemonPart.EndedEarly(part: "b")) { try await Self.run(parts, until: signals) }
    #expect(journal.all == ["a ends", "a ended"])
    extendLifetime(sender)
  }

  @Test("A part that fails while it is ended, or while another one is, is told, and no other part is left running")
  func failingAtTheEnd() async {
    let journal = Journal()
    let failing = DaemonPart("b") {
      await Journal.untilCancelled()
      throw Broken()
    }
    for parts in [[journal.part("a"), failing], [failing, journal.part("a")]] {
      let (signals, sender) = AsyncStream.makeStream(of: Int32.self)
      sender.yield(SIGTERM)
      await #expect(throws: Broken.self) { try await Self.run(parts, until: signals) }
    }
    #expect(journal.all == ["a ends", "a ended", "a ends", "a ended"])
  }

  @Test("A part that is cancelled may say that it was")
  func cancelled() async throws {
    let (signals, sender) = AsyncStream.makeStream(of: Int32.self)
    sender.yield(SIGINT)
    try await Self.run([DaemonPart("a") { try await Task.sleep(for: .seconds(3600)) }], until: signals)
  }
}

@Suite("Signals of this process", .timeLimit(.minutes(1)))
struct ProcessSignalsTests {
  @Test("A signal that is taken does not end the process, and is told as often as it is read")
  func taken() async {
    let signals = await ProcessSignals.take(SIGUSR1, SIGUSR2)
    var came: [Int32] = []
    kill(getpid(), SIGUSR2)
    for await signal in signals {
      came.append(signal)
      if came.count == 1 { kill(getpid(), SIGUSR1) }
      if came.count == 2 { kill(getpid(), SIGUSR2) }
      if came.count == 3 { break }
    }
    #expect(came == [SIGUSR2, SIGUSR1, SIGUSR2])
  }
}

import ModemModel
import Synchronization
import Testing

@testable import ModemService

@Suite("A question that many ask of a port", .timeLimit(.minutes(1))) struct SharedVerificationTests {
  /// A port whose answers the test gives one by one; each says how many it gave before.
  private final class Port: ModemLink {
    let name = "port"
    let asked: AsyncStream<Void>
    private let asking: AsyncStream<Void>.Continuation
    private let waiting = Mutex<[CheckedContinuation<BearerStatus, any Error>]>([])
    private let count = Mutex<Int64>(0)

    init() { (asked, asking) = AsyncStream.makeStream(of: Void.self) }

    func answer(_ error: ModemError? = nil) {
      let number = count.withLock { count in
        count += 1
        return count
      }
      let question = waiting.withLock { $0.removeFirst() }
      if let error {
        question.resume(throwing: error)
      } else {
        question.resume(returning: BearerStatus(since: Timestamp(milliseconds: number)))
      }
    }

    func verifyBearer() async throws -> BearerStatus {
      try await withCheckedThrowingContinuation { continuation in
        waiting.withLock { $0.append(continuation) }
        asking.yield()
      }
    }
    func connect(_ request: BearerRequest) async throws -> BearerStatus { throw ModemError(.failed, "not asked for") }
    func disconnect() async throws -> BearerStatus { throw ModemError(.failed, "not asked for") }
    func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState {
      throw ModemError(.failed, "not asked for")
    }
  }

  @Test("Who comes while a question is under way shares the next one, and is never given an answer from before")
  func shared() async throws {
    let port = Port()
    let shared = SharedVerification()
    var asked = port.asked.makeAsyncIterator()
    let first = shared.question(to: port)
    _ = await asked.next()
    let others = (0..<50).map { _ in shared.question(to: port) }
    #expect(Set(others).count == 1 && !others.contains(first))
    port.answer()
    #expect(try await first.value.since.milliseconds == 1)
    _ = await asked.next()
    let last = shared.question(to: port)
    port.answer()
    for other in others { #expect(try await other.value.since.milliseconds == 2) }
    _ = await asked.next()
    port.answer()
    #expect(try await last.value.since.milliseconds == 3)
  }

  @Test("An error is everybody's who asked, and not that of who asks later")
  func error() async throws {
    let port = Port()
    let shared = SharedVerification()
    var asked = port.asked.makeAsyncIterator()
    let first = Task { try await shared.status(of: port) }
    _ = await asked.next()
    port.answer(ModemError(.networking, "a route is gone"))
    let error = await #expect(throws: ModemError.self) { _ = try await first.value }
    #expect(error?.message == "a route is gone")
    let second = Task { try await shared.status(of: port) }
    _ = await asked.next()
    port.answer()
    _ = try await second.value
  }

  @Test("A caller that leaves does not wait, and takes nobody's answer away")
  func leaves() async throws {
    let port = Port()
    let shared = SharedVerification()
    var asked = port.asked.makeAsyncIterator()
    let leaver = Task { try await shared.status(of: port) }
    _ = await asked.next()
    leaver.cancel()
    await #expect(throws: CancellationError.self) { _ = try await leaver.value }
    let next = Task { try await shared.status(of: port).since.milliseconds }
    port.answer()
    _ = await asked.next()
    port.answer()
    #expect(try await next.value == 2)
  }
}

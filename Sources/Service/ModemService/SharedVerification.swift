import ModemModel
import Synchronization

/// Asks a port whether its bearer is intact, once for all simultaneous callers.
///
/// No caller gets an answer to a question from before its call: a caller during a question shares
/// the next one.
final class SharedVerification: Sendable {
  typealias Answer = Task<BearerStatus, any Error>

  private struct Questions {
    var running: Answer
    /// Asked as soon as the running one is answered.
    var next: Answer?
  }

  private let questions = Mutex<[String: Questions]>([:])

  /// The state of the port's bearer after this call began.
  ///
  /// - Parameter executor: where the question's tasks run; nil for Swift's thread pool.
  /// - Throws: any error of the port; `CancellationError` if the caller left.
  func status(of link: any ModemLink, on executor: (any TaskExecutor)? = nil) async throws -> BearerStatus {
    try await Self.value(of: question(to: link, on: executor), on: executor)
  }

  /// The question whose answer is for a caller that comes now.
  func question(to link: any ModemLink, on executor: (any TaskExecutor)? = nil) -> Answer {
    questions.withLock { questions in
      guard let own = questions[link.name] else {
        let question = ask(link, after: nil, on: executor)
        questions[link.name] = Questions(running: question)
        return question
      }
      let next = own.next ?? ask(link, after: own.running, on: executor)
      questions[link.name]?.next = next
      return next
    }
  }

  private func ask(_ link: any ModemLink, after earlier: Answer?, on executor: (any TaskExecutor)?) -> Answer {
    Task(executorPreference: executor) {
      _ = await earlier?.result
      defer { self.advance(link.name) }
      return try await link.verifyBearer()
    }
  }

  private func advance(_ name: String) {
    questions.withLock { questions in
      let next = questions[name]?.next
      questions[name] = next.map { Questions(running: $0) }
    }
  }

  /// The answer, or the cancellation of the caller's own task: others may still wait for the
  /// answer.
  private static func value(of answer: Answer, on executor: (any TaskExecutor)?) async throws -> BearerStatus {
    let (results, ending) = AsyncStream.makeStream(of: Result<BearerStatus, any Error>.self)
    let watch = Task(executorPreference: executor) { ending.yield(await answer.result) }
    defer { watch.cancel() }
    for await result in results { return try result.get() }
    throw CancellationError()
  }
}

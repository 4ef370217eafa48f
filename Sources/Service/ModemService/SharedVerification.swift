import ModemModel
import Synchronization

/// Asks a port whether its bearer is as it should be, once for all who want to know at the same time.
///
/// Nobody is given an answer to a question that was asked before he came: who comes while one is under way shares the next.
final class SharedVerification: Sendable {
  typealias Answer = Task<BearerStatus, any Error>

  private struct Questions {
    var running: Answer
    /// Asked as soon as the running one is answered.
    var next: Answer?
  }

  private let questions = Mutex<[String: Questions]>([:])

  /// The state of the port's bearer, as it is after this call began.
  ///
  /// - Throws: what the port throws; `CancellationError` when the caller left.
  func status(of link: any ModemLink) async throws -> BearerStatus {
    try await Self.value(of: question(to: link))
  }

  /// The question whose answer is for a caller that comes now.
  func question(to link: any ModemLink) -> Answer {
    questions.withLock { questions in
      guard let own = questions[link.name] else {
        let question = ask(link, after: nil)
        questions[link.name] = Questions(running: question)
        return question
      }
      let next = own.next ?? ask(link, after: own.running)
      questions[link.name]?.next = next
      return next
    }
  }

  private func ask(_ link: any ModemLink, after earlier: Answer?) -> Answer {
    Task {
      _ = await earlier?.result
      defer { advance(link.name) }
      return try await link.verifyBearer()
    }
  }

  private func advance(_ name: String) {
    questions.withLock { questions in
      let next = questions[name]?.next
      questions[name] = next.map { Questions(running: $0) }
    }
  }

  /// The answer, or the end of the caller's own task: others may wait for the answer still.
  private static func value(of answer: Answer) async throws -> BearerStatus {
    let (results, ending) = AsyncStream.makeStream(of: Result<BearerStatus, any Error>.self)
    let watch = Task { ending.yield(await answer.result) }
    defer { watch.cancel() }
    for await result in results { return try result.get() }
    throw CancellationError()
  }
}

import Varlink

/// The replies of one call, as they come. Leaving the loop over them ends the call.
///
/// There is one reader: what one loop has taken is not in the next.
public struct ReplySequence<Reply: Codable & Sendable>: AsyncSequence, Sendable {
  public typealias Element = Reply

  private let reader: ReplyReader<Reply>

  init(_ reader: ReplyReader<Reply>) { self.reader = reader }

  public func makeAsyncIterator() -> Iterator { Iterator(hold: Hold(reader)) }

  /// Reads one reply after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let hold: Hold<Reply>

    /// The next reply; nil after the last one.
    ///
    /// - Throws: `VarlinkError` that modemd answered, `VarlinkClientError`, `CallLimitExceeded`,
    ///   `UnansweredQuestion`, what the program's answers throw, `CancellationError`.
    public mutating func next() async throws -> Reply? { try await hold.reader.next() }
  }

  /// Waits until the call was sent, or cannot be.
  package func isSent() async { for await _ in reader.source.sent {} }

  /// Reads what is left, and returns the last reply.
  ///
  /// - Throws: as the iterator; `VarlinkClientError.disconnected` if there is none.
  public func last() async throws -> Reply {
    var last: Reply?
    for try await reply in self { last = reply }
    guard let last else { throw VarlinkClientError.disconnected }
    return last
  }
}

/// Ends the call when the loop over its replies is left.
final class Hold<Reply: Codable & Sendable>: Sendable {
  let reader: ReplyReader<Reply>

  init(_ reader: ReplyReader<Reply>) { self.reader = reader }

  deinit { reader.end() }
}

/// Reads the replies of one call, and has its questions answered.
actor ReplyReader<Reply: Codable & Sendable> {
  let source: ReplySource<Reply>
  private let answers: FlowAnswers?
  private let connections: ClientConnections
  private var replies: AsyncThrowingStream<Reply, any Error>.Iterator
  /// A question that the reader of the replies has seen, and that is not asked yet.
  private var question: FlowQuestion?
  private var answering: Task<Void, Never>?

  init(_ source: ReplySource<Reply>, _ answers: FlowAnswers?, _ connections: ClientConnections) {
    self.source = source
    self.answers = answers
    self.connections = connections
    replies = source.replies.makeAsyncIterator()
  }

  deinit {
    answering?.cancel()
    source.fail(CancellationError())
  }

  /// Ends the call, unless it has ended.
  nonisolated func end() { source.fail(CancellationError()) }

  func next() async throws -> Reply? {
    do {
      try Task.checkCancellation()
      if let question {
        self.question = nil
        answer(question)
      }
      var iterator = replies
      let reply = try await iterator.next(isolation: self)
      replies = iterator
      // A stream whose reader is cancelled just ends.
      if reply == nil { try Task.checkCancellation() }
      question = answers == nil ? nil : (reply as? any AskingReply)?.asked
      if reply == nil { answering?.cancel() }
      return reply
    } catch {
      end()
      answering?.cancel()
      throw error
    }
  }

  /// Replies are read meanwhile: the flow may give up.
  private func answer(_ question: FlowQuestion) {
    answering?.cancel()
    answering = Task { [answers, connections, source] in
      do {
        try await answers?.give(question, over: connections)
      } catch {
        if !Task.isCancelled { source.fail(error) }
      }
    }
  }
}

import LimitClock
import Varlink

/// The connections of one program to modemd.
actor ClientConnections {
  /// How many connections without a call are kept for the next calls.
  private static let mostIdle = 2

  nonisolated let path: String
  private var idle: [VarlinkClient] = []

  init(path: String) { self.path = path }

  /// A connection that nobody has used.
  nonisolated func fresh() async throws -> VarlinkClient { try await VarlinkClient.connect(to: path) }

  func giveBack(_ connection: VarlinkClient) {
    if idle.count < Self.mostIdle { idle.append(connection) }
  }

  private func take() async throws -> VarlinkClient {
    while let kept = idle.popLast() {
      if await kept.isFree() { return kept }
    }
    return try await fresh()
  }

  /// Calls a method over a connection that no other call uses.
  nonisolated func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    let connection = try await take()
    do {
      let reply = try await connection.call(method, parameters)
      await giveBack(connection)
      return reply
    } catch let error as VarlinkError {
      await giveBack(connection)
      throw error
    }
  }

  /// The replies of a call with `more`. The stream has a connection of its own until it ends.
  nonisolated func replies<Method: VarlinkMethod>(
    to method: Method.Type, _ parameters: Method.Parameters, within limit: Duration?
  ) -> ReplySource<Method.Reply> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Method.Reply.self)
    let (sent, sending) = AsyncStream.makeStream(of: Never.self)
    let reading = Task {
      defer { sending.finish() }
      do {
        let connection = try await fresh()
        let replies = connection.stream(method, parameters)
        // Its loop answers after it has sent the call.
        _ = await connection.isFree()
        sending.finish()
        for try await reply in replies { continuation.yield(reply) }
        try Task.checkCancellation()
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    let timing = limit.map { limit in
      Task {
        try await LimitClock.machine.pause(for: limit)
        continuation.finish(throwing: CallLimitExceeded(limit: limit))
      }
    }
    continuation.onTermination = { _ in
      reading.cancel()
      timing?.cancel()
    }
    return ReplySource(replies: stream, sent: sent) { continuation.finish(throwing: $0) }
  }
}

/// Replies as they come, and what ends them before the last one.
struct ReplySource<Reply: Sendable>: Sendable {
  let replies: AsyncThrowingStream<Reply, any Error>
  /// Ends when the call was sent, or cannot be.
  let sent: AsyncStream<Never>
  let fail: @Sendable (any Error) -> Void
}

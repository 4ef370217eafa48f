import Synchronization
import Varlink

/// A connection to a port that waits for the next question, so that a question before each chain
/// costs no connection. It is for questions that may be asked twice: if the port ended the
/// connection meanwhile, the question goes over a new one.
final class KeptPortConnection: Sendable {
  /// Nil while a question is under way, and before the first.
  private let waiting = Mutex<VarlinkClient?>(nil)

  /// Keeps a connection that nobody uses any more.
  func keep(_ client: VarlinkClient) { waiting.withLock { $0 = client } }

  /// - Throws: `VarlinkError` that the port answered, `VarlinkClientError`, `CancellationError`.
  func ask<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, at path: String
  ) async throws -> Method.Reply {
    let kept = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    if let kept {
      do {
        return try await ask(method, parameters, over: kept)
      } catch VarlinkClientError.disconnected {
        try Task.checkCancellation()
      }
    }
    return try await ask(method, parameters, over: try await VarlinkClient.connect(to: path))
  }

  private func ask<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, over client: VarlinkClient
  ) async throws -> Method.Reply {
    do {
      let reply = try await client.call(method, parameters)
      keep(client)
      return reply
    } catch let error as VarlinkError {
      // An answer like any other.
      keep(client)
      throw error
    }
  }
}

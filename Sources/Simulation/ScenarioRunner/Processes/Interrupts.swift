import SystemdSupport
import Glibc
import Synchronization

/// The signals that ask this program to end. What they do changes as it goes on.
package final class Interrupts: Sendable {
  package typealias Handler = @Sendable (Int32) -> Void
  private let handler = Mutex<Handler>({ _ in })

  private init() {}

  /// Takes SIGINT, SIGTERM and SIGHUP from now on.
  package static func trap() async -> Interrupts {
    let interrupts = Interrupts()
    let signals = await ProcessSignals.take(SIGINT, SIGTERM, SIGHUP)
    Task {
      for await signal in signals { interrupts.handler.withLock { $0 }(signal == SIGINT ? SIGINT : SIGTERM) }
    }
    return interrupts
  }

  /// Runs `body`, cancelling it when a signal comes.
  package func cancelling<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let work = Task { try await body() }
    handle { _ in work.cancel() }
    return try await work.value
  }

  /// Waits for a signal.
  package func wait() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    handle { _ in continuation.finish() }
    for await _ in stream {}
  }

  /// Has signals handled so from now on; SIGHUP comes as SIGTERM.
  package func handle(_ new: @escaping Handler) { handler.withLock { $0 = new } }
}

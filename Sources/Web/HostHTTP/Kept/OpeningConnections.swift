import NIOCore
import Synchronization

/// The connections that are being opened ahead of a call, and the calls that wait for them.
final class OpeningConnections: Sendable {
  typealias Key = KeptConnections.Shelf.Key

  /// Of one user, and in all.
  static let perUser = 4
  static let total = 16

  private let waiting = Mutex<[Key: [EventLoopPromise<Void>]]>([:])

  /// Whether a connection may be opened now: none is being opened for the key, and there are not
  /// too many. If so, `end` must follow.
  func begin(_ key: Key) -> Bool {
    waiting.withLock { waiting in
      guard waiting[key] == nil, waiting.count < Self.total,
        waiting.keys.count(where: { $0.userID == key.userID }) < Self.perUser
      else { return false }
      waiting[key] = []
      return true
    }
  }

  /// The connection waits for a call, or could not be opened.
  func end(_ key: Key) {
    for promise in waiting.withLock({ $0.removeValue(forKey: key) }) ?? [] { promise.succeed(()) }
  }

  /// Waits for a connection that is being opened; returns at once if none is.
  ///
  /// - Parameter deadline: that of the call. A call that is cancelled waits no longer either.
  func wait(for key: Key, by deadline: NIODeadline, on loop: any EventLoop) async {
    let promise = waiting.withLock { waiting -> EventLoopPromise<Void>? in
      guard waiting[key] != nil else { return nil }
      let promise = loop.makePromise(of: Void.self)
      waiting[key, default: []].append(promise)
      return promise
    }
    guard let promise else { return }
    let timer = loop.scheduleTask(deadline: deadline) { promise.succeed(()) }
    await withTaskCancellationHandler {
      // It only ever succeeds.
      _ = try? await promise.futureResult.get()
    } onCancel: {
      promise.succeed(())
    }
    timer.cancel()
  }
}

import Synchronization

/// How a service's reloads ended, for callers that wait for the end of one: a signal that asks for
/// a reload has no answer. Callers can also ask for one here.
package final class ReloadHistory: Sendable {
  /// Reads the files anew, and says what is configured then, in one line; or throws before anything
  /// has changed.
  package typealias Reload = @Sendable () async throws -> String

  private let ended = Mutex<(count: Int, failure: String?)>((0, nil))
  private let reload = Mutex<Reload?>(nil)

  package init() {}

  /// Takes the end of a reload.
  ///
  /// - Parameter failure: why it changed nothing, in one sentence; nil if the files could be used.
  package func add(failure: String?) {
    ended.withLock { $0 = ($0.count + 1, failure) }
  }

  /// How many have ended, and why the last one changed nothing.
  var last: (count: Int, failure: String?) { ended.withLock { $0 } }

  /// Gives callers the way to ask for a reload.
  package func answer(by reload: @escaping Reload) { self.reload.withLock { $0 = reload } }

  /// What reads the files anew; nil if nothing does.
  var wanted: Reload? { reload.withLock(\.self) }
}

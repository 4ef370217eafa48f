import Synchronization

/// How a service's reloads ended, for callers that wait for the end of one: a signal that asks for
/// a reload has no answer.
package final class ReloadHistory: Sendable {
  private let ended = Mutex<(count: Int, failure: String?)>((0, nil))

  package init() {}

  /// Takes the end of a reload.
  ///
  /// - Parameter failure: why it changed nothing, in one sentence; nil if the files could be used.
  package func add(failure: String?) {
    ended.withLock { $0 = ($0.count + 1, failure) }
  }

  /// How many have ended, and why the last one changed nothing.
  var last: (count: Int, failure: String?) { ended.withLock { $0 } }
}

import CGLib
import Synchronization

/// Runs actors on one thread that iterates a `GMainContext`.
///
/// libmbim, libqmi and GIO attach their sources to the thread-default context of the calling
/// thread, and they are not thread-safe. An actor whose `unownedExecutor` is a `GLibExecutor` calls
/// them from the right thread, and their callbacks enter it directly (`assumeIsolated`):
///
///     actor Port {
///       private nonisolated let glib = GLibExecutor(name: "port")
///       nonisolated var unownedExecutor: UnownedSerialExecutor { glib.asUnownedSerialExecutor() }
///     }
///
/// The thread lives as long as the executor. An actor must hold its executor strongly, as above.
/// After the last reference is gone, the thread finishes its queue and ends.
package final class GLibExecutor: SerialExecutor {
  private let loop: GLibLoop

  /// Starts the thread.
  /// - Parameters:
  ///   - name: The thread's name in the kernel, which keeps the first 15 bytes.
  ///   - onEnd: Called once on the thread as its last action.
  package init(name: String, onEnd: (@Sendable () -> Void)? = nil) {
    loop = GLibLoop(onEnd: onEnd)
    loop.start(named: name, for: UnownedSerialExecutor(ordinary: self))
    let loop = loop
    Self.loops.withLock { $0[ObjectIdentifier(loop)] = loop }
  }

  deinit {
    let loop = loop
    Self.loops.withLock { $0[ObjectIdentifier(loop)] = nil }
    loop.stop()
  }

  /// Of the threads that run.
  private static let loops = Mutex<[ObjectIdentifier: GLibLoop]>([:])

  /// Comes back when every GLib thread of this process has done what it was given before, or the
  /// task is cancelled.
  package static func answer() async {
    let (stream, answered) = AsyncStream.makeStream(of: Void.self)
    // Under the lock, so that no thread ends before it has been asked.
    let count = loops.withLock { loops in
      for loop in loops.values { loop.enqueue(.closure { answered.yield() }) }
      return loops.count
    }
    var answers = stream.makeAsyncIterator()
    for _ in 0..<count { await answers.next() }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    loop.enqueue(.job(UnownedJob(job)))
  }

  /// Whether the caller is on the GLib thread.
  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  package func checkIsolated() {
    // Impossible: only actors of this executor and their callbacks call functions that check this.
    precondition(isCurrent, "this must run on the GLib thread: call it from an actor that has this executor")
  }

  /// Whether the caller is on the GLib thread.
  package var isCurrent: Bool { g_main_context_is_owner(loop.context) != 0 }

  /// Runs `body` on the GLib thread, after everything queued before it. It never runs immediately,
  /// not even if called there.
  package func invoke(_ body: @escaping @Sendable () -> Void) {
    loop.enqueue(.closure(body))
  }

  /// The context that the thread iterates, for `g_source_attach`. It is valid as long as the
  /// executor.
  package var context: OpaquePointer { loop.context }
}

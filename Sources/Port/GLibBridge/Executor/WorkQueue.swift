import Glibc

/// What waits for the GLib thread, in order of arrival.
///
/// The lock is pthread's: the thread sanitizer does not see into `Synchronization.Mutex`, nor into GLib's own locks,
/// and every hand-over to the GLib thread passes here.
final class WorkQueue: @unchecked Sendable {  // `waiting` is touched under `lock` only.
  enum Work {
    case job(UnownedJob)
    case closure(@Sendable () -> Void)
    case stop
  }

  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var waiting: [Work] = []

  init() {
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Adds work, and calls `wake` before letting go of the lock when the queue was empty.
  func append(_ work: Work, wake: () -> Void) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    waiting.append(work)
    if waiting.count == 1 { wake() }
  }

  func takeAll() -> [Work] {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    defer { waiting = [] }
    return waiting
  }
}

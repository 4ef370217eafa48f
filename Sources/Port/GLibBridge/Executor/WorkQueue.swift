import Glibc

/// The work that waits for the GLib thread, in order of arrival.
///
/// The lock is a pthread lock, because the thread sanitizer cannot see into `Synchronization.Mutex`
/// or GLib's own locks, and everything passed to the GLib thread goes through here.
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

  /// Adds work. If the queue was empty, calls `wake` before it releases the lock.
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

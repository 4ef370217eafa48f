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
  /// Whether the thread found nothing to do and may be asleep.
  private var isAsleep = false

  init() {
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Adds work. If the thread may be asleep, calls `wake` before it releases the lock, once for
  /// each sleep. A thread that is awake looks here before it sleeps, so that its own work for
  /// itself takes no system call.
  func append(_ work: Work, wake: () -> Void) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    waiting.append(work)
    guard isAsleep else { return }
    isAsleep = false
    wake()
  }

  /// The thread is about to sleep, unless there is work.
  /// - Returns: Whether there is work.
  func hasWorkBeforeSleep() -> Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    isAsleep = waiting.isEmpty
    return !isAsleep
  }

  /// The thread is awake again.
  /// - Returns: Whether there is work.
  func hasWorkAfterSleep() -> Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    isAsleep = false
    return !waiting.isEmpty
  }

  func takeAll() -> [Work] {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    defer { waiting = [] }
    return waiting
  }
}

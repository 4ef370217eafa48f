import Glibc

/// A value that one thread at a time may touch.
///
/// A POSIX mutex, because the thread sanitizer sees its edges; it does not see those of
/// `Synchronization.Mutex`.
final class Guarded<Value>: @unchecked Sendable {
  // Unchecked: `value` is only reached with `mutex` held.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

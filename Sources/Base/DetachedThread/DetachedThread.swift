import Glibc

/// A separate thread for blocking work, which neither an event loop nor the task pool may wait for.
package enum DetachedThread {
  /// Starts a thread that ends with `body`.
  ///
  /// - Returns: false if the system cannot start a thread; `body` does not run then.
  @discardableResult
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = Unmanaged.passRetained(Box(body))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { argument in
        // Impossible: the argument is the box that is given below.
        Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    guard result == 0 else {
      box.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}

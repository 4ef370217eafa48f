import Glibc

/// A thread of its own for work that blocks, which neither a loop nor the pool of tasks may wait for.
public enum DetachedThread {
  /// Starts a thread that ends with `body`.
  ///
  /// - Returns: false when the system gives no thread; then `body` does not run.
  @discardableResult
  public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
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

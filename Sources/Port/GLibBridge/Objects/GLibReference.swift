import CGLib

/// Holds one reference to a C value that belongs to a GLib thread, and releases it there.
///
/// The reference may be passed around and dropped on any thread; only the GLib thread may use its
/// pointer. The release is queued, so a pointer read in an actor's synchronous code stays valid
/// until that code ends.
package final class GLibReference<Pointer: CPointer>: Sendable {
  package let executor: GLibExecutor
  /// Only read on the GLib thread, as `pointer` checks.
  nonisolated(unsafe) private let stored: Pointer
  private let release: @Sendable (Pointer) -> Void

  /// Takes over one reference to `pointer`.
  /// - Parameter release: Gives the reference back; called once, on the GLib thread.
  package init(adopting pointer: Pointer, on executor: GLibExecutor, release: @escaping @Sendable (Pointer) -> Void) {
    self.executor = executor
    self.release = release
    stored = pointer
  }

  deinit {
    let released = Carried(stored)
    executor.invoke { [release] in release(released.value) }
  }

  /// The pointer. The caller must be on the GLib thread.
  package var pointer: Pointer {
    executor.checkIsolated()
    return stored
  }
}

/// A reference to a `GObject`.
package typealias GObjectRef<Instance> = GLibReference<UnsafeMutablePointer<Instance>>

extension GLibReference {
  /// Takes over one reference to a `GObject`, as functions marked "transfer full" return it.
  package convenience init(adopting object: Pointer, on executor: GLibExecutor) {
    self.init(adopting: object, on: executor) { g_object_unref($0.raw) }
  }
}

/// Carries a value that is not Sendable through a `@Sendable` closure.
///
/// Unchecked: every use in this target makes the value on the GLib thread, or passes on its only
/// reference, and reads it on the GLib thread.
struct Carried<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

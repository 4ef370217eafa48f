import CGLib
import Glibc
import Synchronization

/// Notes in one byte whether the GLib threads of this process work or rest: who finds the byte after the process has ended
/// knows whether it ended while a message was read.
public enum GLibWork {
  /// All of them wait for something to happen.
  public static let resting = UInt8(ascii: "r")
  /// One of them does something, as reading a modem's message.
  public static let working = UInt8(ascii: "w")

  /// The byte, and how many threads work.
  private struct State: @unchecked Sendable {  // The pointer is used under the lock alone.
    var byte: UnsafeMutablePointer<UInt8>?
    var threads = 0

    mutating func change(by count: Int) {
      threads += count
      byte?.pointee = threads > 0 ? GLibWork.working : GLibWork.resting
    }
  }

  private static let state = Mutex(State())

  /// Where it is noted from now on; valid until the process ends.
  public static func note(in byte: UnsafeMutablePointer<UInt8>) {
    state.withLock { state in
      state.byte = byte
      state.change(by: 0)
    }
  }

  static func begin() { state.withLock { $0.change(by: 1) } }
  static func end() { state.withLock { $0.change(by: -1) } }

  /// Lets a context's thread, which has begun, rest while it polls.
  static func follow(_ context: OpaquePointer) {
    g_main_context_set_poll_func(context) { descriptors, count, timeout in
      // It only looks, and goes on.
      guard timeout != 0 else { return GLibWork.poll(descriptors, count, 0) }
      GLibWork.end()
      defer { GLibWork.begin() }
      return GLibWork.poll(descriptors, count, timeout)
    }
  }

  private static func poll(_ descriptors: UnsafeMutablePointer<GPollFD>?, _ count: guint, _ timeout: gint) -> gint {
    g_poll(descriptors, count, timeout)
  }
}

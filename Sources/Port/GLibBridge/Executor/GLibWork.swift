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

  /// The byte, and the threads that work.
  private struct State: @unchecked Sendable {  // The pointer is used under the lock alone.
    var byte: UnsafeMutablePointer<UInt8>?
    /// With a number that is another one whenever a thread has begun something else.
    private(set) var threads: [pthread_t: UInt64] = [:]
    private var turns: UInt64 = 0

    mutating func turn() {
      turns &+= 1
      threads[pthread_self()] = turns
      note()
    }

    mutating func rest() {
      threads[pthread_self()] = nil
      note()
    }

    func note() { byte?.pointee = threads.isEmpty ? GLibWork.resting : GLibWork.working }
  }

  private static let state = Mutex(State())

  /// Where it is noted from now on; valid until the process ends.
  public static func note(in byte: UnsafeMutablePointer<UInt8>) {
    state.withLock { state in
      state.byte = byte
      state.note()
    }
  }

  /// Waits until the GLib threads have done one and the same thing for so long that it has no end, as libmbim 1.28 does with a message
  /// of no length (MBIM CLOSE): it reads it again and again, and no timer of its thread fires any more.
  ///
  /// - Parameters:
  ///   - interval: Between two looks.
  ///   - looks: How many in a row must find nothing new. A process that was stopped meanwhile is looked at again first.
  /// - Returns: False when the task is cancelled before.
  public static func isStuck(lookingEvery interval: Duration = .seconds(5), times looks: Int = 4) async -> Bool {
    var (last, count) = (threads, 0)
    while (try? await Task.sleep(for: interval, clock: .suspending)) != nil {
      let present = threads.filter { last[$0.key] == $0.value }
      count = present.isEmpty ? 0 : count + 1
      if count == looks { return true }
      last = present.isEmpty ? threads : present
    }
    return false
  }

  private static var threads: [pthread_t: UInt64] { state.withLock(\.threads) }

  static func begin() { state.withLock { $0.turn() } }
  static func end() { state.withLock { $0.rest() } }

  /// Lets a context's thread, which has begun, rest while it polls.
  static func follow(_ context: OpaquePointer) {
    g_main_context_set_poll_func(context) { descriptors, count, timeout in
      // It only looks, and goes on.
      guard timeout != 0 else {
        GLibWork.begin()
        return GLibWork.poll(descriptors, count, 0)
      }
      GLibWork.end()
      defer { GLibWork.begin() }
      return GLibWork.poll(descriptors, count, timeout)
    }
  }

  private static func poll(_ descriptors: UnsafeMutablePointer<GPollFD>?, _ count: guint, _ timeout: gint) -> gint {
    g_poll(descriptors, count, timeout)
  }
}

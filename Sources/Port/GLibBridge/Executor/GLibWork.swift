import CGLib
import Glibc
import LimitClock
import Synchronization

/// Records in one byte whether the GLib threads of this process work or rest. The byte outlives the
/// process, and shows whether it ended while it read a message.
package enum GLibWork {
  /// All of them wait for an event.
  package static let resting = UInt8(ascii: "r")
  /// One of them does something, such as reading a modem's message.
  package static let working = UInt8(ascii: "w")

  /// The byte, and the threads that are working.
  private struct State: @unchecked Sendable {  // The pointer is used under the lock alone.
    var byte: UnsafeMutablePointer<UInt8>?
    /// With a number that changes whenever a thread begins something else.
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

  /// Records it in this byte from now on; the byte must stay valid until the process ends.
  package static func note(in byte: UnsafeMutablePointer<UInt8>) {
    state.withLock { state in
      state.byte = byte
      state.note()
    }
  }

  /// Waits until the GLib threads have done the same thing for so long that it will never end.
  /// libmbim 1.28 reads a message of no length (MBIM CLOSE) again and again, and no timer of its
  /// thread fires any more.
  ///
  /// - Parameters:
  ///   - interval: Between two looks.
  ///   - looks: How many checks in a row must find no change. After the process was stopped for a
  ///     while, another check is made first.
  /// - Returns: False if the task is cancelled first.
  package static func isStuck(
    lookingEvery interval: Duration = .seconds(5), times looks: Int = 4, clock: LimitClock = .machine
  ) async -> Bool {
    var (last, count) = (threads, 0)
    while (try? await clock.pause(for: interval)) != nil {
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

  /// Makes a context's running thread count as resting while it polls.
  static func follow(_ context: OpaquePointer) {
    g_main_context_set_poll_func(context) { descriptors, count, timeout in
      // It only checks, and does not wait.
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

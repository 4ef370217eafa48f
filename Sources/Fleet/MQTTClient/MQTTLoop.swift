import CLinux
import CMosquitto
import DetachedThread
import Glibc
import LimitClock
import Synchronization

/// The thread on which connections to brokers live, as many as there are. It ends when neither a
/// connection nor anybody else refers to it.
package final class MQTTLoop: Sendable {
  /// Why there is no such thread.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  let mailbox: LoopMailbox
  private let numbers = Atomic<UInt64>(1)

  /// - Parameters:
  ///   - clock: of waits and limits.
  ///   - sinceBoot: a clock that goes on while the machine sleeps.
  ///   - attemptsAtOnce: how many connections are being made at one moment, 1 to 64.
  package init(
    clock: LimitClock = .machine, sinceBoot: LimitClock = .sinceBoot, attemptsAtOnce: Int = 32
  ) throws(Failure) {
    guard let mailbox = LoopMailbox() else { throw Self.failure("an event descriptor") }
    let poll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard poll >= 0 else { throw Self.failure("an epoll descriptor") }
    self.mailbox = mailbox
    let hasStarted = DetachedThread.start {
      LoopThread(mailbox, poll, clock: clock, sinceBoot: sinceBoot, attemptsAtOnce: attemptsAtOnce).run()
      close(poll)
    }
    guard hasStarted else {
      close(poll)
      throw Failure(description: "cannot start a thread for connections to a broker")
    }
  }

  deinit { mailbox.post(.stop) }

  /// A number for a connection, never 0.
  func nextNumber() -> UInt64 { numbers.add(1, ordering: .relaxed).oldValue }

  private static func failure(_ what: String) -> Failure {
    Failure(description: "cannot make \(what): \(String(cString: strerror(errno)))")
  }
}

/// What others want of the loop's thread.
enum LoopOrder: Sendable {
  case begin(ConnectionDesk)
  /// Something waits at a connection's desk.
  case look(UInt64)
  /// A thread that connected is done.
  case attempted(UInt64, attempt: UInt64, Result<MosquittoHandle, AttemptFailure>)
  case timer
  case stop
}

/// Where orders wait for the loop's thread, and what wakes it.
final class LoopMailbox: Sendable {
  private struct State {
    var orders: [LoopOrder] = []
    var isClosed = false
  }

  /// An eventfd that is readable while there are orders.
  let wakeup: Int32
  private let state = Mutex(State())

  init?() {
    wakeup = eventfd(0, Int32(clinux_eventfd_cloexec | clinux_eventfd_nonblock))
    if wakeup < 0 { return nil }
  }

  deinit { close(wakeup) }

  func post(_ order: LoopOrder) {
    let wakes = state.withLock { state in
      guard !state.isClosed else { return false }
      state.orders.append(order)
      return state.orders.count == 1
    }
    if wakes { _ = eventfd_write(wakeup, 1) }
  }

  func take() -> [LoopOrder] {
    var value: UInt64 = 0
    _ = eventfd_read(wakeup, &value)
    return state.withLock { state in
      defer { state.orders = [] }
      return state.orders
    }
  }

  /// Takes no order any more.
  func end() {
    state.withLock { state in
      state.isClosed = true
      state.orders = []
    }
  }
}

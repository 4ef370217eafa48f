import CMosquitto
import Glibc
import LimitClock

/// The loop itself: waits for sockets, orders and the clock, and lets the sessions act. Only its
/// thread has it.
final class LoopThread {
  /// A machine that slept longer than this cannot rely on its connections: routers on the way
  /// forget.
  static let longestSleep = Duration.seconds(60)
  private static let eventsAtOnce = 256

  let clock: LimitClock
  let mailbox: LoopMailbox
  private let sinceBoot: LimitClock
  private let poll: Int32
  private let attemptsAtOnce: Int
  private var sessions: [UInt64: MosquittoSession] = [:]
  /// Those that want to connect, the first first.
  private var line: [UInt64] = []
  private var attempts = 0
  /// Threads that connect, with those whose result nobody waits for any more.
  private var threads = 0
  private var timer: (due: LimitClock.Instant, task: Task<Void, Never>)?
  private var slept: Duration
  private var isStopped = false

  init(
    _ mailbox: LoopMailbox, _ poll: Int32, clock: LimitClock, sinceBoot: LimitClock, attemptsAtOnce: Int
  ) {
    self.mailbox = mailbox
    self.poll = poll
    self.clock = clock
    self.sinceBoot = sinceBoot
    self.attemptsAtOnce = min(max(attemptsAtOnce, 1), 64)
    slept = sinceBoot.now.sinceStart - clock.now.sinceStart
  }

  func run() {
    watch(mailbox.wakeup, for: 0, isNew: true, writes: false, reads: true)
    var events = [epoll_event](repeating: epoll_event(), count: Self.eventsAtOnce)
    while !isStopped {
      let count = epoll_wait(poll, &events, Int32(events.count), -1)
      for event in events.prefix(max(Int(count), 0)) {
        if event.data.u64 == 0 { takeOrders() } else { sessions[event.data.u64]?.socketIsReady(event.events) }
      }
      lookAtClock()
      beginAttempts()
      setTimer()
    }
    timer?.task.cancel()
    mailbox.end()
    for session in sessions.values { session.abandon() }
    // They refer to this.
    sessions = [:]
  }

  private func takeOrders() {
    for order in mailbox.take() {
      switch order {
      case .begin(let desk):
        let session = MosquittoSession(desk, on: self)
        sessions[desk.number] = session
        session.look()
      case .look(let number): sessions[number]?.look()
      case .attempted(let number, let attempt, let result):
        threads -= 1
        sessions[number]?.attempted(attempt, result)
      case .timer: timer = nil
      case .stop: isStopped = true
      }
    }
  }

  private func lookAtClock() {
    // The timer alone says that a time has come: there may be thousands of sessions.
    guard timer == nil else { return }
    let now = clock.now
    let asleep = sinceBoot.now.sinceStart - now.sinceStart
    if asleep - slept > Self.longestSleep { for session in Array(sessions.values) { session.hasSlept() } }
    slept = asleep
    for session in Array(sessions.values) where session.due.map({ $0 <= now }) ?? false { session.timeIsUp(now) }
  }

  private func setTimer() {
    guard timer == nil, let due = sessions.values.lazy.compactMap(\.due).min() else { return }
    setTimer(due)
  }

  private func setTimer(_ due: LimitClock.Instant) {
    timer?.task.cancel()
    let task = Task { [clock, mailbox] in
      do { try await clock.sleep(until: due) } catch { return }
      mailbox.post(.timer)
    }
    timer = (due, task)
  }

  private func beginAttempts() {
    var begun = 0
    while begun < line.count, attempts < attemptsAtOnce, threads < 4 * attemptsAtOnce {
      let number = line[begun]
      begun += 1
      if sessions[number]?.begin() ?? false { threads += 1 }
    }
    line.removeFirst(begun)
  }
}

// What a session asks of the loop.
extension LoopThread {
  /// A session's time is now this one.
  func isDue(_ due: LimitClock.Instant) {
    if let timer, due < timer.due { setTimer(due) }
  }

  func wantsAttempt(_ number: UInt64) { line.append(number) }
  func attemptHasBegun() { attempts += 1 }
  func attemptHasEnded() { attempts -= 1 }
  func forget(_ number: UInt64) { sessions[number] = nil }

  /// Asks to be told of a socket. One that is closed is forgotten by the kernel.
  func watch(_ descriptor: Int32, for number: UInt64, isNew: Bool, writes: Bool, reads: Bool) {
    var event = epoll_event()
    event.events =
      (reads ? EPOLLIN.rawValue | EPOLLRDHUP.rawValue : 0) | (writes ? EPOLLOUT.rawValue : 0)
    event.data.u64 = number
    epoll_ctl(poll, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event)
  }
}

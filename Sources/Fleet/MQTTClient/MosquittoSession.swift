import CMosquitto
import DetachedThread
import Glibc
import LimitClock

/// One connection on the loop's thread: when it connects, what goes over it, and how it ends.
final class MosquittoSession {
  /// From the name to the broker's first packet.
  private static let attemptLimit = Duration.seconds(30)
  private static let leaveLimit = Duration.seconds(3)

  private let desk: ConnectionDesk
  private let loop: LoopThread
  private var phase = SessionPhase.resting
  private var schedule: ReconnectSchedule
  private var generator = SystemRandomNumberGenerator()
  private var attempt: UInt64 = 0
  private var pending = PendingAnswers()
  private var watched: (descriptor: Int32, writes: Bool, reads: Bool)?
  private var before = MQTTTraffic()
  private var present = MQTTTraffic()

  init(_ desk: ConnectionDesk, on loop: LoopThread) {
    self.desk = desk
    self.loop = loop
    schedule = ReconnectSchedule(fleetSize: desk.broker.fleetSize)
  }

  var due: LimitClock.Instant? { phase.due }
  private var isEnded: Bool { if case .ended = phase { true } else { false } }

  /// The one door from phase to phase.
  private func enter(_ next: SessionPhase) {
    if phase.isAttempt, !next.isAttempt { loop.attemptHasEnded() }
    if !phase.isAttempt, next.isAttempt { loop.attemptHasBegun() }
    phase = next
    if let due = next.due { loop.isDue(due) }
  }

  // What the owner wants.

  func look() {
    let work = desk.take()
    send(work.messages, work.subscriptions)
    switch work.wish {
    case .connection: connect(hurries: work.hurries)
    case .pause, .end: leave()
    case .drop:
      if let handle = phase.handle { drop(handle) }
      rest()
    }
    settle()
  }

  private func connect(hurries: Bool) {
    switch phase {
    case .resting: getInLine()
    case .waiting where hurries: getInLine()
    // It may have been asked to pause and to go on before anybody looked.
    case .up: desk.isUp()
    case .waiting, .inLine, .reaching, .greeting, .leaving, .ended: break
    }
  }

  private func leave() {
    switch phase {
    case .up(let handle, _, _):
      enter(.leaving(handle, limit: loop.clock.now + Self.leaveLimit))
    case .greeting(let handle, _):
      drop(handle)
      rest()
    case .waiting, .inLine, .reaching: rest()
    case .resting: if desk.wishesEnd { rest() }
    case .leaving, .ended: break
    }
  }

  /// After an end that was wanted.
  private func rest() {
    guard !isEnded else { return }
    enter(.resting)
    switch desk.take().wish {
    case .connection: getInLine()
    case .pause: desk.inbox.put(.lost(reason: "paused", nextAttempt: nil))
    case .end, .drop:
      enter(.ended)
      desk.isOver()
      loop.forget(desk.number)
    }
  }

  private func getInLine() {
    enter(.inLine)
    loop.wantsAttempt(desk.number)
  }

  // Connecting.

  /// - Returns: whether a thread was started.
  func begin() -> Bool {
    guard case .inLine = phase else { return false }
    attempt += 1
    enter(.reaching(attempt: attempt, limit: loop.clock.now + Self.attemptLimit))
    desk.inbox.put(.connecting)
    let (broker, mailbox, number) = (desk.broker, loop.mailbox, desk.number)
    let hasStarted = DetachedThread.start { [attempt] in
      let result = Result { () throws(AttemptFailure) in
        let handle = try MosquittoHandle(broker)
        try handle.connect()
        return handle
      }
      mailbox.post(.attempted(number, attempt: attempt, result))
    }
    if !hasStarted { fail("no thread can be started") }
    return hasStarted
  }

  /// The thread of an attempt is done. Nobody may wait for it any more.
  func attempted(_ attempt: UInt64, _ result: Result<MosquittoHandle, AttemptFailure>) {
    guard case .reaching(attempt, let limit) = phase else { return }
    switch result {
    case .success(let handle):
      enter(.greeting(handle, limit: limit))
      settle()
    case .failure(let failure): fail(failure.reason)
    }
  }

  private func fail(_ reason: String) { retry(reason, after: schedule.failed(using: &generator)) }

  private func retry(_ reason: String, after wait: Duration) {
    enter(.waiting(until: loop.clock.now + wait))
    desk.inbox.put(.lost(reason: reason, nextAttempt: wait))
  }

  // Time.

  func timeIsUp(_ now: LimitClock.Instant) {
    switch phase {
    case .waiting: getInLine()
    case .reaching: fail(Self.noAnswer)
    case .greeting(let handle, _):
      drop(handle)
      fail(Self.noAnswer)
    case .up(let handle, let since, _):
      enter(.up(handle, since: since, nextSign: nextSign(after: now)))
      let result = handle.keepAlive()
      settle(result.code, errno: result.errno)
    case .leaving(let handle, _):
      handle.disconnect()
      drop(handle)
      rest()
    case .resting, .inLine, .ended: break
    }
  }

  private static let noAnswer = "the broker did not answer within \(attemptLimit.components.seconds) s"

  /// On whole seconds, so that many sessions are looked at together.
  private func nextSign(after now: LimitClock.Instant) -> LimitClock.Instant {
    let wait = min(max(Int64(desk.broker.keepAliveSeconds) / 20, 1), 10)
    let second = Duration.seconds(now.sinceStart.components.seconds)
    return LimitClock.Instant(second + .seconds(wait))
  }

  /// The machine was suspended: libmosquitto's clock stood still, and the broker's did not.
  func hasSlept() {
    switch phase {
    case .up(let handle, let since, _): lose(handle, "the machine was suspended", .link, since)
    case .waiting(let until):
      let soon = loop.clock.now + .milliseconds(Int64.random(in: 0...5000, using: &generator))
      enter(.waiting(until: min(until, soon)))
    case .resting, .inLine, .reaching, .greeting, .leaving, .ended: break
    }
  }

  /// The loop ends.
  func abandon() {
    enter(.ended)
    desk.isOver()
  }

  // The socket.

  func socketIsReady(_ events: UInt32) {
    guard let handle = phase.handle else { return }
    measure(handle)
    // What the broker said at the end is read before a write fails.
    if events & ~EPOLLOUT.rawValue != 0 {
      let result = handle.read()
      settle(result.code, errno: result.errno)
    }
    if events & EPOLLOUT.rawValue != 0, let handle = phase.handle {
      let result = handle.write()
      settle(result.code, errno: result.errno)
    }
    if events & (EPOLLHUP.rawValue | EPOLLRDHUP.rawValue | EPOLLERR.rawValue) != 0,
      case .greeting(let handle, _) = phase,
      handle.isHungUp
    {
      drop(handle)
      fail("the broker ended the connection before it answered")
    }
  }

  /// Takes what the callbacks were told, looks whether the connection is still there, and asks for
  /// the next of its socket's events.
  private func settle(_ code: Int32 = 0, errno: Int32 = 0) {
    guard let handle = phase.handle else { return }
    var end = code
    for happening in handle.takeHappenings() {
      switch happening {
      case .greeted(0, let sessionPresent): greeted(handle, sessionPresent)
      case .greeted(let code, _): end = code
      case .published(let mid, let code): answered(mid, code)
      case .subscribed(let mid, let codes):
        for (topic, code) in pending.subscribed(mid, codes) {
          desk.inbox.put(.notSubscribed(topic, reason: MosquittoFailure.reason(code)))
        }
      case .message(let message): desk.inbox.put(.message(message))
      case .oversize: desk.inbox.refuse()
      // The broker's own reason says more than how the library took it.
      case .ended(let code): if end == 0 || code >= 0x80 { end = code }
      }
    }
    measure(handle)
    guard end == 0, handle.socket >= 0 else {
      lost(handle, end, errno)
      return
    }
    if case .leaving = phase, desk.waiting == 0 {
      handle.disconnect()
      drop(handle)
      rest()
      return
    }
    watch(handle)
  }

  private func greeted(_ handle: MosquittoHandle, _ sessionPresent: Bool) {
    let now = loop.clock.now
    enter(.up(handle, since: now, nextSign: nextSign(after: now)))
    desk.isUp()
    desk.inbox.put(.connected(sessionPresent: sessionPresent))
  }

  private func watch(_ handle: MosquittoHandle) {
    let wanted = (descriptor: handle.socket, writes: handle.wantsToWrite, reads: !desk.inbox.isFull)
    if let watched, watched == wanted { return }
    loop.watch(
      wanted.descriptor, for: desk.number, isNew: watched == nil, writes: wanted.writes, reads: wanted.reads)
    watched = wanted
  }

  private func measure(_ handle: MosquittoHandle) {
    guard let now = handle.traffic, now != present else { return }
    present = now
    desk.note(before + now)
  }

  // The end of a connection.

  private func lost(_ handle: MosquittoHandle, _ code: Int32, _ errno: Int32) {
    let reason = handle.reason(code, errno: errno)
    switch phase {
    case .up(_, let since, _): lose(handle, reason, code == MOSQ_ERR_KEEPALIVE.rawValue ? .link : .broker, since)
    case .greeting:
      drop(handle)
      fail(reason)
    case .leaving:
      drop(handle)
      rest()
    case .resting, .waiting, .inLine, .reaching, .ended: break
    }
  }

  private func lose(
    _ handle: MosquittoHandle, _ reason: String, _ cause: ReconnectSchedule.Cause, _ since: LimitClock.Instant
  ) {
    drop(handle)
    retry(reason, after: schedule.lost(cause, upFor: loop.clock.now - since, using: &generator))
  }

  /// Ends what a handle had; the handle itself ends with the phase that has it.
  private func drop(_ handle: MosquittoHandle) {
    measure(handle)
    before = before + present
    present = MQTTTraffic()
    desk.note(before)
    watched = nil
    let unsent = desk.isDown().filter { $0.message.qos == .atLeastOnce }.map(\.number)
    for number in pending.takeUnanswered() + unsent {
      desk.inbox.put(.unacknowledged(number, reason: Self.cut))
    }
  }

  private static let cut = "the connection ended"

  // What goes over it.

  private func send(
    _ messages: [(number: UInt64, message: MQTTMessage)], _ subscriptions: [(topics: [String], qos: MQTTMessage.QoS)]
  ) {
    guard case .up(let handle, _, _) = phase else {
      for (number, message) in messages { refuse(number, message, Self.cut) }
      return
    }
    for subscription in subscriptions {
      do {
        pending.asked(try handle.subscribe(subscription.topics, qos: subscription.qos), subscription.topics)
      } catch {
        for topic in subscription.topics { desk.inbox.put(.notSubscribed(topic, reason: error.words)) }
      }
    }
    for (number, message) in messages {
      do {
        pending.sent(try handle.publish(message), number, message.qos)
      } catch {
        refuse(number, message, error.words)
      }
    }
  }

  private func refuse(_ number: UInt64, _ message: MQTTMessage, _ reason: String) {
    desk.isDone(number)
    if message.qos == .atLeastOnce { desk.inbox.put(.unacknowledged(number, reason: reason)) }
  }

  private func answered(_ mid: Int32, _ code: Int32) {
    guard let (number, qos) = pending.answered(mid) else { return }
    desk.isDone(number)
    guard qos == .atLeastOnce else { return }
    desk.inbox.put(
      code < 0x80 ? .acknowledged(number) : .unacknowledged(number, reason: MosquittoFailure.reason(code)))
  }
}

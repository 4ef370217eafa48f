import LimitClock

/// Where a connection is, with what it has there.
enum SessionPhase {
  /// Paused, or new.
  case resting
  case waiting(until: LimitClock.Instant)
  /// As many others connect as may at once.
  case inLine
  /// A thread resolves and connects.
  case reaching(attempt: UInt64, limit: LimitClock.Instant)
  /// TLS and MQTT agree.
  case greeting(MosquittoHandle, limit: LimitClock.Instant)
  case up(MosquittoHandle, since: LimitClock.Instant, nextSign: LimitClock.Instant)
  /// What was published before goes out, at most until the limit.
  case leaving(MosquittoHandle, limit: LimitClock.Instant)
  case ended

  var handle: MosquittoHandle? {
    switch self {
    case .greeting(let handle, _), .up(let handle, _, _), .leaving(let handle, _): handle
    case .resting, .waiting, .inLine, .reaching, .ended: nil
    }
  }

  /// When the session acts by itself.
  var due: LimitClock.Instant? {
    switch self {
    case .waiting(let until): until
    case .reaching(_, let limit), .greeting(_, let limit), .leaving(_, let limit): limit
    case .up(_, _, let nextSign): nextSign
    case .resting, .inLine, .ended: nil
    }
  }

  var isAttempt: Bool {
    switch self {
    case .reaching, .greeting: true
    case .resting, .waiting, .inLine, .up, .leaving, .ended: false
    }
  }
}

/// What the broker has not answered yet, by libmosquitto's numbers.
struct PendingAnswers {
  private var messages: [Int32: (number: UInt64, qos: MQTTMessage.QoS)] = [:]
  private var subscriptions: [Int32: [String]] = [:]

  mutating func sent(_ mid: Int32, _ number: UInt64, _ qos: MQTTMessage.QoS) { messages[mid] = (number, qos) }
  mutating func asked(_ mid: Int32, _ topics: [String]) { subscriptions[mid] = topics }

  mutating func answered(_ mid: Int32) -> (number: UInt64, qos: MQTTMessage.QoS)? {
    messages.removeValue(forKey: mid)
  }

  /// - Returns: what was refused, and by which code.
  mutating func subscribed(_ mid: Int32, _ codes: [Int32]) -> [(topic: String, code: Int32)] {
    let topics = subscriptions.removeValue(forKey: mid) ?? []
    return zip(topics, codes).filter { $0.1 >= 0x80 }.map { ($0.0, $0.1) }
  }

  /// The messages of QoS 1 that have no answer, in the order in which they were published.
  mutating func takeUnanswered() -> [UInt64] {
    defer {
      messages = [:]
      subscriptions = [:]
    }
    return messages.values.filter { $0.qos == .atLeastOnce }.map(\.number).sorted()
  }
}

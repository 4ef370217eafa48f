import MQTTClient
import Synchronization

/// A broker in memory with the rules of MQTT 5 that an agent depends on: retained messages, wills,
/// acknowledgements, and nothing for who is not connected.
final class MemoryBroker: Sendable {
  private struct State {
    var retained: [String: MQTTMessage] = [:]
    var published: [MQTTMessage] = []
    var watchers: [AsyncStream<MQTTMessage>.Continuation] = []
    var refusedTopics: Set<String> = []
  }

  private let state = Mutex(State())

  /// Retained messages by topic.
  var retained: [String: MQTTMessage] { state.withLock { $0.retained } }
  /// All that was published, in its order.
  var published: [MQTTMessage] { state.withLock { $0.published } }

  /// Has publishing to a topic refused, as access rules do.
  func refuse(_ topic: String) { state.withLock { _ = $0.refusedTopics.insert(topic) } }

  func forgetPublished() { state.withLock { $0.published.removeAll() } }

  fileprivate func accepts(_ message: MQTTMessage) -> Bool {
    state.withLock { state in
      guard !state.refusedTopics.contains(message.topic) else { return false }
      state.published.append(message)
      if message.isRetained { state.retained[message.topic] = message.payload.isEmpty ? nil : message }
      for watcher in state.watchers { watcher.yield(message) }
      return true
    }
  }

  /// The broker was restarted without its memory.
  func forgetRetained() { state.withLock { $0.retained.removeAll() } }

  /// All messages from the first one on, and those to come.
  func messages() -> AsyncStream<MQTTMessage> {
    let (stream, continuation) = AsyncStream.makeStream(of: MQTTMessage.self)
    state.withLock { state in
      for message in state.published { continuation.yield(message) }
      state.watchers.append(continuation)
    }
    return stream
  }

  /// The first message that fits.
  func first(_ fits: @Sendable (MQTTMessage) -> Bool) async -> MQTTMessage? {
    for await message in messages() where fits(message) { return message }
    return nil
  }
}

/// A client's connection to a broker in memory, which a test makes and breaks.
final class MemoryConnection: MQTTConnection {
  private struct State {
    var isConnected = false
    var isClosed = false
    var will: MQTTMessage?
    var presentWill: MQTTMessage?
    var subscriptions: [String] = []
    var lastToken: UInt64 = 0
    var waiting: Set<UInt64> = []
    var acknowledges = true
    var traffic = MQTTTraffic()
  }

  let broker: MemoryBroker
  let events: AsyncStream<MQTTEvent>
  private let continuation: AsyncStream<MQTTEvent>.Continuation
  private let state = Mutex(State())

  init(_ broker: MemoryBroker) {
    self.broker = broker
    (events, continuation) = AsyncStream.makeStream(of: MQTTEvent.self)
  }

  var traffic: MQTTTraffic { state.withLock { $0.traffic } }
  var waiting: Int { state.withLock { $0.waiting.count } }
  var subscriptions: [String] { state.withLock { $0.subscriptions } }
  var will: MQTTMessage? { state.withLock { $0.will } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Whether the broker acknowledges; else messages wait until the connection is lost.
  func acknowledge(_ does: Bool) { state.withLock { $0.acknowledges = does } }

  func connect(sessionPresent: Bool = false) {
    state.withLock { state in
      state.isConnected = true
      state.presentWill = state.will
      if !sessionPresent { state.subscriptions = [] }
    }
    continuation.yield(.connected(sessionPresent: sessionPresent))
  }

  /// The link is gone. The broker sends the will.
  func lose(_ reason: String = "the link was lost", sendsWill: Bool = true) {
    let (will, waiting) = state.withLock { state in
      defer {
        state.isConnected = false
        state.presentWill = nil
        state.waiting = []
      }
      return (state.presentWill, state.waiting.sorted())
    }
    if sendsWill, let will { _ = broker.accepts(will) }
    for token in waiting { continuation.yield(.unacknowledged(token, reason: reason)) }
    continuation.yield(.lost(reason: reason, nextAttempt: .seconds(1)))
  }

  /// The broker delivers a message.
  func deliver(_ message: MQTTMessage) { continuation.yield(.message(message)) }

  func change(will: MQTTMessage?) { state.withLock { $0.will = will } }

  func publish(_ message: MQTTMessage) throws(MQTTRefusal) -> UInt64 {
    guard message.payload.count <= MQTTLimits.payload else { throw .tooLarge }
    let taken: (token: UInt64, acknowledges: Bool)? = state.withLock { state in
      guard state.isConnected else { return nil }
      state.lastToken += 1
      state.traffic.sent += UInt64(message.payload.count + message.topic.utf8.count)
      return (state.lastToken, state.acknowledges)
    }
    guard let (token, acknowledges) = taken else { throw .notConnected }
    guard message.qos == .atLeastOnce else {
      _ = broker.accepts(message)
      return token
    }
    guard acknowledges else {
      state.withLock { _ = $0.waiting.insert(token) }
      return token
    }
    if broker.accepts(message) {
      continuation.yield(.acknowledged(token))
    } else {
      continuation.yield(.unacknowledged(token, reason: "Not authorized"))
    }
    return token
  }

  func subscribe(_ topics: [String], qos: MQTTMessage.QoS) throws(MQTTRefusal) {
    state.withLock { $0.subscriptions += topics }
  }

  func pause() {}
  func resume() {}

  func close() {
    state.withLock { state in
      state.isConnected = false
      state.presentWill = nil
      state.isClosed = true
    }
    continuation.finish()
  }
}

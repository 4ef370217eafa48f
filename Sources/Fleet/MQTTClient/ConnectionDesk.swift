import Synchronization

/// Where a connection's owner leaves what the loop's thread shall do, and finds what it did.
final class ConnectionDesk: Sendable {
  /// What the owner wants.
  enum Wish: Hashable, Sendable {
    case connection
    case pause
    case end
    /// Without a word to the broker, which sends the will.
    case drop

    var isLast: Bool {
      switch self {
      case .end, .drop: true
      case .connection, .pause: false
      }
    }
  }

  /// What waits for the loop's thread.
  struct Work: Sendable {
    var wish: Wish
    var hurries: Bool
    var messages: [(number: UInt64, message: MQTTMessage)]
    var subscriptions: [(topics: [String], qos: MQTTMessage.QoS)]
  }

  private struct State {
    var broker: MQTTBroker
    var wish = Wish.connection
    var hurries = false
    var isUp = false
    var isOver = false
    var isListed = false
    var messages: [(number: UInt64, message: MQTTMessage)] = []
    var subscriptions: [(topics: [String], qos: MQTTMessage.QoS)] = []
    var nextNumber: UInt64 = 1
    /// Bytes of each message that waits.
    var sizes: [UInt64: Int] = [:]
    var bytes = 0
    var traffic = MQTTTraffic()
    var closers: [CheckedContinuation<Void, Never>] = []
  }

  private static let mostSubscriptions = 32

  let number: UInt64
  let inbox: EventInbox
  private let mailbox: LoopMailbox
  private let state: Mutex<State>

  init(_ number: UInt64, _ broker: MQTTBroker, _ mailbox: LoopMailbox) {
    self.number = number
    self.mailbox = mailbox
    state = Mutex(State(broker: broker))
    inbox = EventInbox { mailbox.post(.look(number)) }
  }

  /// As the next attempt shall use it.
  var broker: MQTTBroker { state.withLock { $0.broker } }
  var traffic: MQTTTraffic { state.withLock { $0.traffic } }
  var wishesEnd: Bool { state.withLock { $0.wish.isLast } }
  var waiting: Int { state.withLock { $0.sizes.count } }

  // The owner's side.

  func change(will: MQTTMessage?) { state.withLock { $0.broker.will = will } }

  func publish(_ message: MQTTMessage) throws(MQTTRefusal) -> UInt64 {
    guard message.isAcceptable else { throw .tooLarge }
    let isNeglected = inbox.isNeglected
    let size = message.size
    return try put { (state) throws(MQTTRefusal) in
      guard state.sizes.count < MQTTLimits.waiting, state.bytes + size <= MQTTLimits.waitingBytes, !isNeglected else {
        throw .queueFull
      }
      let number = state.nextNumber
      state.nextNumber += 1
      state.messages.append((number, message))
      state.sizes[number] = size
      state.bytes += size
      return number
    }
  }

  func subscribe(_ topics: [String], qos: MQTTMessage.QoS) throws(MQTTRefusal) {
    guard !topics.isEmpty, topics.count <= Self.mostSubscriptions, topics.allSatisfy(\.isSubscribable) else {
      throw .tooLarge
    }
    try put { (state) throws(MQTTRefusal) in
      guard state.subscriptions.count < Self.mostSubscriptions else { throw .queueFull }
      state.subscriptions.append((topics, qos))
    }
  }

  private func put<Value: Sendable>(
    _ change: (inout State) throws(MQTTRefusal) -> Value
  ) throws(MQTTRefusal) -> Value {
    let result = state.withLock { state -> (Result<Value, MQTTRefusal>, Bool) in
      guard !state.isOver, !state.wish.isLast else { return (.failure(.ended), false) }
      guard state.isUp else { return (.failure(.notConnected), false) }
      let result: Result<Value, MQTTRefusal>
      do throws(MQTTRefusal) { result = .success(try change(&state)) } catch { return (.failure(error), false) }
      defer { state.isListed = true }
      return (result, !state.isListed)
    }
    if result.1 { mailbox.post(.look(number)) }
    return try result.0.get()
  }

  func wish(_ wish: Wish, hurries: Bool = false) {
    let isAsked = state.withLock { state in
      guard !state.isOver, !state.wish.isLast || wish == .drop else { return false }
      state.wish = wish
      state.hurries = hurries
      // What is published from now on would come after the end.
      if wish != .connection { state.isUp = false }
      defer { state.isListed = true }
      return !state.isListed
    }
    if isAsked { mailbox.post(.look(number)) }
  }

  /// Returns as soon as nothing happens any more.
  func end() async {
    wish(.end)
    await withCheckedContinuation { closer in
      let isOver = state.withLock { state in
        if !state.isOver { state.closers.append(closer) }
        return state.isOver
      }
      if isOver { closer.resume() }
    }
  }

  // The loop's side.

  func take() -> Work {
    state.withLock { state in
      defer {
        state.messages = []
        state.subscriptions = []
        state.hurries = false
        state.isListed = false
      }
      return Work(
        wish: state.wish, hurries: state.hurries, messages: state.messages, subscriptions: state.subscriptions)
    }
  }

  /// From now on messages are taken, unless the owner wants an end already.
  func isUp() { state.withLock { $0.isUp = $0.wish == .connection } }

  /// - Returns: the messages that nobody took yet.
  func isDown() -> [(number: UInt64, message: MQTTMessage)] {
    state.withLock { state in
      defer {
        state.isUp = false
        state.messages = []
        state.subscriptions = []
        state.sizes = [:]
        state.bytes = 0
      }
      return state.messages
    }
  }

  func isDone(_ number: UInt64) {
    state.withLock { state in
      if let size = state.sizes.removeValue(forKey: number) { state.bytes -= size }
    }
  }

  func note(_ traffic: MQTTTraffic) { state.withLock { $0.traffic = traffic } }

  func isOver() {
    let closers = state.withLock { state in
      state.isOver = true
      state.isUp = false
      defer { state.closers = [] }
      return state.closers
    }
    inbox.end()
    for closer in closers { closer.resume() }
  }
}

import BrokerTestSupport
import Glibc
import LimitClock
import Synchronization
import Testing

@testable import MQTTClient

/// A connection of a test with all that has happened to it.
final class Machine: Sendable {
  let connection: MosquittoConnection
  private let reader: Task<Void, Never>
  private let record: EventRecord

  init(_ broker: MQTTBroker, on loop: MQTTLoop) {
    connection = MosquittoConnection(broker, on: loop)
    let record = EventRecord()
    self.record = record
    reader = Task { [events = connection.events] in
      for await event in events { record.add(event) }
      record.end()
    }
  }

  deinit { reader.cancel() }

  var events: [MQTTEvent] { record.events }

  /// Waits for an event that was not waited for before, at most 20 s.
  ///
  /// - Returns: what the test makes of it.
  @discardableResult
  func next<Value: Sendable>(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ pick: @escaping @Sendable (MQTTEvent) -> Value?
  ) async throws -> Value {
    let found = await record.next(pick)
    return try #require(found, "\(what) did not come; there was \(events)", sourceLocation: sourceLocation)
  }

  /// - Returns: whether the broker kept the session.
  @discardableResult
  func connected(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Bool {
    try await next("connected", sourceLocation: sourceLocation) { event in
      if case .connected(let present) = event { present } else { nil }
    }
  }

  func lost(sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
    try await next("lost", sourceLocation: sourceLocation) { event in
      if case .lost(let reason, _) = event { reason } else { nil }
    }
  }

  func message(
    _ topic: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> MQTTMessage {
    try await next("a message", sourceLocation: sourceLocation) { event in
      if case .message(let message) = event, topic == nil || topic == message.topic { message } else { nil }
    }
  }

  func acknowledged(_ number: UInt64, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await next("an acknowledgement", sourceLocation: sourceLocation) { event in
      event == .acknowledged(number) ? true : nil
    }
  }

  /// Publishes, and waits until the broker has it.
  func publish(_ message: MQTTMessage, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await acknowledged(try connection.publish(message), sourceLocation: sourceLocation)
  }
}

/// Events in their order, and who waits for one.
final class EventRecord: Sendable {
  private struct State {
    var events: [MQTTEvent] = []
    var seen = 0
    var hasEnded = false
    var wakes: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var next: UInt64 = 0
  }

  private let state = Mutex(State())

  var events: [MQTTEvent] { state.withLock { $0.events } }

  func add(_ event: MQTTEvent) { change { $0.events.append(event) } }
  func end() { change { $0.hasEnded = true } }

  private func change(_ body: (inout State) -> Void) {
    let wakes = state.withLock { state in
      body(&state)
      defer { state.wakes = [:] }
      return state.wakes.values.map { $0 }
    }
    for wake in wakes { wake.resume() }
  }

  /// The next event, after those that were looked at, of which something can be made; nil after
  /// 20 s.
  func next<Value: Sendable>(_ pick: @escaping @Sendable (MQTTEvent) -> Value?) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
      group.addTask {
        while !Task.isCancelled {
          let found: (value: Value?, isOver: Bool) = self.state.withLock { state in
            while state.seen < state.events.count {
              state.seen += 1
              if let value = pick(state.events[state.seen - 1]) { return (value, true) }
            }
            return (nil, state.hasEnded)
          }
          if found.isOver { return found.value }
          await self.more()
        }
        return nil
      }
      group.addTask {
        try? await LimitClock.machine.pause(for: .seconds(20))
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  private func more() async {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { wake in
        let isLate = state.withLock { state in
          if state.seen < state.events.count || state.hasEnded || Task.isCancelled { return true }
          state.wakes[number] = wake
          return false
        }
        if isLate { wake.resume() }
      }
    } onCancel: {
      state.withLock { $0.wakes.removeValue(forKey: number) }?.resume()
    }
  }
}

extension Broker {
  /// As a machine connects.
  func machine(_ name: String, keepAlive: Int = 60) throws -> MQTTBroker {
    let files = try credentials(name)
    return MQTTBroker(
      host: host, port: Int(machinesPort), clientID: name, authorities: files.authorities,
      certificate: files.certificate, key: files.key, willDelaySeconds: 0, keepAliveSeconds: keepAlive, fleetSize: 100)
  }

  func office(_ name: String) throws -> MQTTBroker {
    let files = try credentials(name)
    return MQTTBroker(
      host: host, port: Int(officePort), clientID: name, authorities: files.authorities,
      certificate: files.certificate, key: files.key, sessionExpirySeconds: 0, fleetSize: 100)
  }
}

extension MQTTMessage {
  var text: String { String(decoding: payload, as: UTF8.self) }

  init(_ topic: String, text: String, qos: QoS = .atLeastOnce, isRetained: Bool = false) {
    self.init(topic, Array(text.utf8), qos: qos, isRetained: isRetained)
  }
}

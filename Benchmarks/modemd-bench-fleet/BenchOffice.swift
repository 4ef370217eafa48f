import BenchmarkFigures
import BrokerTestSupport
import JSONTree
import LimitClock
import MQTTClient
import Synchronization

/// The back office: sees which machines are there, asks them, and counts.
final class BenchOffice: Sendable {
  private struct State {
    var isConnected = false
    /// By machine: the number of the session that it came online with.
    var sessions: [String: Int] = [:]
    var bearers: Set<String> = []
    var ends: [[UInt8]: CheckedContinuation<Void, Never>] = [:]
    var lost = 0
  }

  let connection: MosquittoConnection
  private let state = Mutex(State())

  init(_ broker: Broker, on loop: MQTTLoop) async throws {
    let files = try broker.credentials("desk")
    connection = MosquittoConnection(
      MQTTBroker(
        host: broker.host, port: Int(broker.officePort), clientID: "desk", authorities: files.authorities,
        certificate: files.certificate, key: files.key, sessionExpirySeconds: 0, fleetSize: 1), on: loop)
    Task { [connection, weak self] in for await event in connection.events { self?.take(event) } }
    try await wait("the office's connection") { $0.isConnected }
  }

  private func take(_ event: MQTTEvent) {
    switch event {
    case .connected:
      try? connection.subscribe(
        ["modemd/1/+/status", "modemd/1/+/modem/+/bearer", "modemd/1/+/reply/desk"], qos: .atLeastOnce)
      state.withLock { $0.isConnected = true }
    case .lost: state.withLock { $0.isConnected = false }
    case .overflow(let count): state.withLock { $0.lost += count }
    case .message(let message): take(message)
    case .connecting, .acknowledged, .unacknowledged, .notSubscribed: break
    }
  }

  private func take(_ message: MQTTMessage) {
    let levels = message.topic.split(separator: "/")
    guard levels.count >= 4, let body = JSONValue(parsing: message.payload) else { return }
    let machine = String(levels[2])
    switch levels[3] {
    case "status" where body["state"]?.string == "online":
      state.withLock { $0.sessions[machine] = body["n"]?.integer ?? 0 }
    case "modem" where body["state"]?.string == "down": state.withLock { _ = $0.bearers.insert(machine) }
    case "reply" where ["outcome", "error"].contains(body["event"]?.string):
      state.withLock { $0.ends.removeValue(forKey: message.correlation ?? []) }?.resume()
    default: break
    }
  }

  var isConnected: Bool { state.withLock { $0.isConnected } }
  var lost: Int { state.withLock { $0.lost } }
  var sessions: [String: Int] { state.withLock { $0.sessions } }
  var machinesDown: Int { state.withLock { $0.bearers.count } }

  /// Machines that came online with a later session than before.
  func returned(since before: [String: Int]) -> Int {
    state.withLock { state in state.sessions.count { $0.value > before[$0.key] ?? 0 } }
  }

  /// Sends a command, and returns when its last reply is there.
  func ask(_ machine: String, _ command: String) async throws {
    let correlation = (0..<16).map { _ in UInt8.random(in: 0...255) }
    let message = MQTTMessage(
      "modemd/1/\(machine)/command/desk/\(command)", Array("{}".utf8), contentType: "application/json",
      correlation: correlation, expirySeconds: 30)
    await withCheckedContinuation { end in
      state.withLock { $0.ends[correlation] = end }
      if (try? connection.publish(message)) == nil {
        state.withLock { $0.ends.removeValue(forKey: correlation) }?.resume()
      }
    }
  }

  /// Waits until something holds, at most 5 minutes.
  func wait(_ what: String, _ condition: (BenchOffice) async throws -> Bool) async throws {
    let clock = LimitClock.machine
    let end = clock.now + .seconds(300)
    while try await !condition(self) {
      guard clock.now < end else { throw BenchmarkError("\(what) did not come within 5 minutes") }
      try await clock.pause(for: .milliseconds(5))
    }
  }
}

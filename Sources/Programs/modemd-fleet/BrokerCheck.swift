import FleetSettings
import Glibc
import LimitClock
import MQTTClient

/// What `modemd-fleet --check-broker` says: whether the broker's name resolves, and whether the
/// broker accepts this machine.
struct BrokerCheck {
  /// How long the broker has.
  static let limit = Duration.seconds(30)

  let settings: FleetSettings
  var clock = LimitClock.machine

  /// Becomes another user, if root runs it: whoever speaks with a broker need not be root.
  ///
  /// - Throws: `FleetFlaw` that says why not.
  static func become(_ name: String) throws {
    guard geteuid() == 0 else { return }
    guard let entry = getpwnam(name)?.pointee else {
      throw FleetFlaw(description: "there is no user \(name); install the package modemd-fleet")
    }
    guard initgroups(entry.pw_name, entry.pw_gid) == 0, setgid(entry.pw_gid) == 0, setuid(entry.pw_uid) == 0 else {
      throw FleetFlaw(
        description: "this process cannot become the user \(name): \(String(cString: strerror(errno)))")
    }
  }

  /// - Returns: a line for people.
  /// - Throws: `FleetFlaw` that says what is wrong and what to do.
  func resolve() throws -> String {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(settings.host, "\(settings.port)", &hints, &found)
    defer { if let found { freeaddrinfo(found) } }
    guard code == 0 else {
      throw FleetFlaw(
        description: "the broker's name \(settings.host) does not resolve: \(String(cString: gai_strerror(code))); "
          + "correct broker.host, or this machine's DNS")
    }
    return "\(settings.host): good: the name resolves"
  }

  /// Connects as the service would, and leaves.
  ///
  /// - Parameter connection: made for it alone.
  func connect(_ connection: any MQTTConnection) async throws -> String {
    let answer = await withTaskGroup(of: Answer.self) { group in
      group.addTask { await Self.answer(connection.events) }
      group.addTask {
        try? await clock.pause(for: Self.limit)
        return .refused("it gave no answer within \(Self.limit.components.seconds) s")
      }
      defer { group.cancelAll() }
      return await group.next() ?? .refused("the check was cancelled")
    }
    await connection.close()
    if case .refused(let reason) = answer {
      throw FleetFlaw(
        description: "the broker at \(settings.place) does not take this machine: \(reason)")
    }
    return "\(settings.place): good: the broker takes this machine as \(settings.machine)"
  }

  private enum Answer {
    case accepted
    case refused(String)
  }

  private static func answer(_ events: AsyncStream<MQTTEvent>) async -> Answer {
    for await event in events {
      switch event {
      case .connected: return .accepted
      case .lost(let reason, _): return .refused(reason)
      default: continue
      }
    }
    return .refused("the connection ended")
  }
}

import FleetAPI
import LimitClock

extension FleetAgent {
  /// How the agent is doing.
  package func status() -> FleetInterface.Status.Reply {
    countDay()
    let (traffic, now) = (connection.traffic, clocks.waits.now)
    let state: FleetInterface.Connection.State
    var wait: Double?
    switch link {
    case .connected: state = .connected
    case .connecting: state = .connecting
    case .paused: state = .paused
    case .waiting(let next):
      state = .waiting
      wait = max(0, (next - now) / .seconds(1))
    }
    return FleetInterface.Status.Reply(
      machine: settings.machine,
      connection: .init(
        state: state, since: linkSince.description, host: settings.host, port: settings.port, connects: connects,
        nextAttempt: wait, lastError: lastError, certificateExpires: certificateExpires?.description),
      queue: .init(
        messages: replies.items.count + events.items.count, bytes: replies.bytes + events.bytes,
        dropped: replies.dropped + events.dropped),
      traffic: .init(
        sentBytes: Int(clamping: traffic.sent), receivedBytes: Int(clamping: traffic.received), dayBytes: day.bytes),
      commands: counts, refusals: refusals)
  }
}

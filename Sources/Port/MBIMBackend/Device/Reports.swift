import ControlChannel
import GLibBridge
import LimitClock
import ModemModel

/// What the modem last reported by itself, for calls that wait until it settles.
struct Reports {
  var packetService = Watched<PacketServiceReport>()
  var session = Watched<SessionReport>()
  var addresses = Watched<Void>()
}

extension MBIMBackend {
  /// Waits until indications have reported a state that `isFinal` accepts.
  func report<Report>(
    of watched: WritableKeyPath<Reports, Watched<Report>>, for name: String, within limit: Duration,
    until isFinal: (Report) -> Bool = { _ in true }
  ) async throws(ModemError) -> Report {
    let end = clock.now + limit
    while true {
      if let last = reports[keyPath: watched].last, isFinal(last) { return last }
      do throws(GLibBridgeError) {
        try await glib.expect(of: commands, within: end - clock.now) { reports[keyPath: watched].await($0) }
      } catch {
        throw failure(error, during: name)
      }
    }
  }
}

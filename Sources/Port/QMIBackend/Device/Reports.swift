import ControlChannel
import GLibBridge
import ModemModel

/// What the modem last reported by itself, for calls that wait until it settles.
struct Reports {
  /// Nil if the indication cannot be read.
  var servingSystem = Watched<ServingSystem?>()
  /// Sessions that ended while the bearer was being connected, with their causes.
  var endedSessions: [QMIClient: NetworkCause?] = [:]
}

extension QMIBackend {
  /// Waits for the next indication of the watched state, unless one has come since it was last
  /// forgotten.
  func report<Report>(
    of watched: WritableKeyPath<Reports, Watched<Report>>, for name: String, within limit: Duration
  ) async throws(ModemError) {
    guard reports[keyPath: watched].last == nil else { return }
    do throws(GLibBridgeError) {
      try await glib.expect(of: commands, within: limit) { reports[keyPath: watched].await($0) }
    } catch {
      throw failure(error, during: name)
    }
  }
}

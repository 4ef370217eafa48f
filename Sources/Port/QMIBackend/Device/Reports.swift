import ControlChannel
import GLibBridge
import ModemModel

/// What the modem reported last by itself, for calls that wait until it has settled.
struct Reports {
  /// Nil where the indication cannot be read.
  var servingSystem = Watched<ServingSystem?>()
  /// Sessions that ended while the bearer was being connected, and why.
  var endedSessions: [QMIClient: NetworkCause?] = [:]
}

extension QMIBackend {
  /// Waits for the next indication of what is watched, unless one came since it was forgotten.
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

import GLibBridge
import ModemModel

/// What the modem reported last by itself, for calls that wait until it has settled.
struct Reports {
  /// Nil where the indication cannot be read.
  var servingSystem = Watched<ServingSystem?>()
  /// Sessions that ended while the bearer was being connected, and why.
  var endedSessions: [QMIClient: NetworkCause?] = [:]
}

/// A state that indications report.
struct Watched<Report> {
  private(set) var last: Report?
  private var waiting: [GLibExpectation<Void>] = []

  /// Forgets what was reported before a command was sent.
  mutating func forget() { last = nil }

  mutating func report(_ report: Report) {
    last = report
    for expectation in waiting { expectation.fulfil(()) }
    waiting = []
  }

  mutating func await(_ expectation: GLibExpectation<Void>) { waiting.append(expectation) }
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

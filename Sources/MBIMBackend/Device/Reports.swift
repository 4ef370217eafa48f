import CMBIM
import GLibBridge
import ModemModel

/// What the modem reported last by itself, for calls that wait until it has settled.
struct Reports {
  var packetService = Watched<PacketServiceReport>()
  var session = Watched<SessionReport>()
  var addresses = Watched<Void>()
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

/// The state of the packet service, and why it is so (MBIM_CID_PACKET_SERVICE).
struct PacketServiceReport {
  var state = MBIM_PACKET_SERVICE_STATE_UNKNOWN
  var networkError: UInt32 = 0

  var isSettled: Bool { state != MBIM_PACKET_SERVICE_STATE_ATTACHING && state != MBIM_PACKET_SERVICE_STATE_DETACHING }
}

/// The state of a data session, and why it is so (MBIM_CID_CONNECT).
struct SessionReport {
  var session: UInt32 = 0
  var state = MBIM_ACTIVATION_STATE_UNKNOWN
  var networkError: UInt32 = 0

  var isSettled: Bool { state != MBIM_ACTIVATION_STATE_ACTIVATING && state != MBIM_ACTIVATION_STATE_DEACTIVATING }
  var isActive: Bool { state == MBIM_ACTIVATION_STATE_ACTIVATED || state == MBIM_ACTIVATION_STATE_ACTIVATING }
  var cause: NetworkCause? { networkError == 0 ? nil : .session(Int(networkError)) }
}

extension MBIMBackend {
  /// Waits until indications have reported what `isFinal` takes for the end.
  func report<Report>(
    of watched: WritableKeyPath<Reports, Watched<Report>>, for name: String, within limit: Duration,
    until isFinal: (Report) -> Bool = { _ in true }
  ) async throws(ModemError) -> Report {
    let end = SuspendingClock.now + limit
    while true {
      if let last = reports[keyPath: watched].last, isFinal(last) { return last }
      do throws(GLibBridgeError) {
        try await glib.expect(of: commands, within: end - .now) { reports[keyPath: watched].await($0) }
      } catch {
        throw ModemError(error, during: name, removed: isRemoved)
      }
    }
  }
}

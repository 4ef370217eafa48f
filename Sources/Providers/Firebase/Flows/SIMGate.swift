import AuthCore
import AuthFlows

/// The check before a message signs a user in: whether the number recently moved to another SIM.
/// Whoever steals a number also receives its messages.
package struct SIMGate: Hashable, Sendable {
  /// Who is asked.
  package enum Source: Hashable, Sendable {
    /// An application's backend with the path `/sim-check` of tru.ID's dev server.
    case backend(SIMCheckBackend)
    /// A configured provider that checks SIM changes; nil for the only one that serves the SIM's
    /// network.
    case provider(name: String?)
  }

  /// What happens to the sign-in if it is unknown whether the SIM was changed.
  package enum Unknown: String, Hashable, Sendable, CaseIterable {
    case stop, proceed
  }

  package var source: Source
  package var unknown: Unknown
  /// How far back a change counts; a backend has its own period.
  package var period: Duration

  package init(_ source: Source, unknown: Unknown = .stop, period: Duration = .seconds(7 * 86_400)) {
    self.source = source
    self.unknown = unknown
    self.period = period
  }

  /// Whether a sign-in may go on.
  ///
  /// - Parameter check: the result of the SIM check.
  /// - Returns: nil to go on, else the end of the sign-in.
  package func stop(after check: FlowOutcome) -> FlowOutcome? {
    var stop = check
    switch check.result {
    case .simUnchanged: return nil
    case .simSwapped:
      stop.sim = .changed
      stop.text =
        "the number moved to another SIM lately, and no message was sent; make sure of the user in another way"
      return stop
    case .cancelled: return check
    // The question or the client is at fault: the answer will not change until somebody corrects
    // it.
    case .badRequest, .clientRefused, .notConfigured: break
    default: if unknown == .proceed { return nil }
    }
    // An answer to another question must not pass for an answer to this one.
    if check.result.isAnswer { stop.result = .simUnknown }
    stop.sim = .unknown
    stop.text = "whether the SIM was changed is not known, and no message was sent: \(check.text)"
    return stop
  }
}

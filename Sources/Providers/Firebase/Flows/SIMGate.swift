import AuthCore
import AuthFlows

/// What is asked before a user is signed in by a message: whether the number moved to another SIM lately. Who has a stolen number gets
/// its messages too.
public struct SIMGate: Hashable, Sendable {
  /// Who is asked.
  public enum Source: Hashable, Sendable {
    /// An application's backend, with tru.ID's dev server's path `/sim-check`.
    case backend(SIMCheckBackend)
    /// A configured provider that checks SIM changes; nil for the only one that is meant for the SIM's network.
    case provider(name: String?)
  }

  /// What becomes of the sign-in when nobody can say whether the SIM was changed.
  public enum Unknown: String, Hashable, Sendable, CaseIterable {
    case stop, proceed
  }

  public var source: Source
  public var unknown: Unknown
  /// How long ago a change still counts; a backend has its own period.
  public var period: Duration

  public init(_ source: Source, unknown: Unknown = .stop, period: Duration = .seconds(7 * 86_400)) {
    self.source = source
    self.unknown = unknown
    self.period = period
  }

  /// Whether a sign-in may go on.
  ///
  /// - Parameter check: how the question about the SIM ended.
  /// - Returns: nil to go on, else how the sign-in ends.
  public func stop(after check: FlowOutcome) -> FlowOutcome? {
    var stop = check
    switch check.result {
    case .simUnchanged: return nil
    case .simSwapped:
      stop.sim = .changed
      stop.text =
        "the number moved to another SIM lately, and no message was sent; make sure of the user in another way"
      return stop
    case .cancelled: return check
    // The question itself is at fault, or who asks it: the answer stays the same until somebody corrects it.
    case .badRequest, .clientRefused, .notConfigured: break
    default: if unknown == .proceed { return nil }
    }
    // What answers another question must not pass for an answer to this one.
    if check.result.isAnswer { stop.result = .simUnknown }
    stop.sim = .unknown
    stop.text = "whether the SIM was changed is not known, and no message was sent: \(check.text)"
    return stop
  }
}

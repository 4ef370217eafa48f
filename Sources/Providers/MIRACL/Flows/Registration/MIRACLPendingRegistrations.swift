import AuthCore
import LimitClock
import ModemModel
import RedirectChain
import Synchronization

/// Registrations whose callers left before their end. The same caller's next call for the same user
/// goes on where the last one stopped: no other mail is sent, and no link is wanted twice.
///
/// It is in memory alone, for a limited time and number.
package final class MIRACLPendingRegistrations: Sendable {
  /// How far a registration came.
  enum Progress: Sendable {
    /// A mail was sent.
    case mailed(CodeQuestion.Mail)
    case verified(MIRACLActivation)
    /// Only the PIN is missing.
    case registered(MIRACLCandidate)
  }

  /// Whose registration it is. Nobody goes on with another user's.
  struct Key: Hashable, Sendable {
    let owner: ChainRequest.Owner?
    let name: MIRACLIdentity.Name
  }

  private struct Entry {
    let number: UInt64
    let progress: Progress
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var lastNumber: UInt64 = 0
  }

  /// How long a mail's link may be waited for: as long as the platform's links are valid.
  static let mailTime = Duration.seconds(3600)
  /// How long a proof and a secret without its PIN are kept.
  static let secretTime = Duration.seconds(600)
  static let limit = 64

  private let state = Mutex(State())
  private let clock: LimitClock

  package init(clock: LimitClock = .machine) { self.clock = clock }

  func progress(of key: Key) -> Progress? { state.withLock { $0.entries[key]?.progress } }

  /// Keeps what a registration came to, in place of what it came to before.
  func keep(_ progress: Progress, of key: Key) {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.entries[key] = Entry(number: state.lastNumber, progress: progress)
      if state.entries.count > Self.limit,
        let oldest = state.entries.min(by: { $0.value.number < $1.value.number })?.key
      {
        state.entries[oldest] = nil
      }
      return state.lastNumber
    }
    let time = if case .mailed = progress { Self.mailTime } else { Self.secretTime }
    Task { [weak self, clock] in
      try? await clock.pause(for: time)
      self?.state.withLock { state in
        if state.entries[key]?.number == number { state.entries[key] = nil }
      }
    }
  }

  func forget(_ key: Key) { state.withLock { $0.entries[key] = nil } }
}

import JournalLog
import LimitClock
import ModemModel
import RedirectChain
import Synchronization

/// What is recorded about a running check, for the history.
final class CheckNotes: Sendable {
  private struct Contents {
    var modem: String?
    var waited = Duration.zero
    var hops = 0
  }

  private let host: String
  private let caller: Caller
  private let began: Timestamp
  private let clock: LimitClock
  private let start: LimitClock.Instant
  /// Of the call that the check belongs to.
  private let trace = TraceContext.current?.traceID
  private let contents = Mutex(Contents())

  init(host: String, caller: Caller, began: Timestamp, clock: LimitClock) {
    self.clock = clock
    start = clock.now
    self.host = host
    self.caller = caller
    self.began = began
  }

  /// Since the check was requested.
  var time: Duration { clock.now - start }

  var modem: String? {
    get { contents.withLock { $0.modem } }
    set { contents.withLock { $0.modem = newValue } }
  }

  /// How long the check waited for its turn.
  var waited: Duration {
    get { contents.withLock { $0.waited } }
    set { contents.withLock { $0.waited = newValue } }
  }

  func countHop() { contents.withLock { $0.hops += 1 } }

  func past(_ number: Int, _ outcome: CheckService.Outcome) -> PastCheck {
    let end: PastCheck.End =
      switch outcome.result {
      case .answer(let answer): .answer(status: answer.status)
      case .redirectReached: .redirectReached
      case .failed(let failure): .failed(failure)
      }
    let contents = contents.withLock { $0 }
    return PastCheck(
      number: number, caller: caller, began: began, host: host, modem: outcome.modem, source: outcome.source,
      hops: contents.hops, end: end, waited: contents.waited, time: time, trace: trace)
  }
}

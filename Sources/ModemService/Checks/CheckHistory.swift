import ModemModel
import RedirectChain
import Synchronization

/// A check that is over, as it is remembered: hosts, causes and times, and nothing secret.
public struct PastCheck: Hashable, Sendable {
  /// How it ended.
  public enum End: Hashable, Sendable {
    /// With an HTTP answer of this status.
    case answer(status: Int)
    case redirectReached
    case failed(ChainFailure)
  }

  /// Counts the checks of this process, from 1.
  public let number: Int
  public let caller: Caller
  /// When it was asked for.
  public let began: Timestamp
  /// Host of the URL that was opened.
  public let host: String
  public let modem: String?
  /// The bearer's address that it left from.
  public let source: String?
  /// Hops that ended.
  public let hops: Int
  public let end: End
  /// For its turn, part of `time`.
  public let waited: Duration
  /// From the call to the end.
  public let time: Duration
}

/// The last checks, in memory only.
public final class CheckHistory: Sendable {
  private struct Contents {
    var checks: [PastCheck] = []
    /// Where the oldest check is once the history is full.
    var oldest = 0
    var count = 0
  }

  private let limit: Int
  private let contents = Mutex(Contents())

  /// - Parameter limit: how many checks are kept; 0 keeps none.
  public init(limit: Int = 100) { self.limit = limit }

  /// Remembers a check, in the place of the oldest one when the history is full.
  func add(_ make: (_ number: Int) -> PastCheck) {
    contents.withLock { contents in
      contents.count += 1
      guard limit > 0 else { return }
      let check = make(contents.count)
      if contents.checks.count < limit {
        contents.checks.append(check)
      } else {
        contents.checks[contents.oldest] = check
        contents.oldest = (contents.oldest + 1) % limit
      }
    }
  }

  /// The last checks, the latest first.
  ///
  /// - Parameters:
  ///   - caller: whose; nil for everybody's.
  ///   - limit: at most so many.
  public func last(of caller: Caller?, limit: Int) -> [PastCheck] {
    let (checks, oldest) = contents.withLock { ($0.checks, $0.oldest) }
    let ordered = checks[oldest...] + checks[..<oldest]
    return Array(ordered.reversed().lazy.filter { caller == nil || $0.caller == caller }.prefix(max(limit, 0)))
  }
}

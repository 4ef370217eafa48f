/// The bearer's state, since when, for which access point, and what comes next.
public struct BearerStatus: Hashable, Sendable {
  /// Whether packets come back over a bearer that is up.
  public enum Traffic: Hashable, Sendable {
    /// To be probed by the network side.
    case untested
    /// A DNS server of the bearer answered.
    case answered
    /// None did, with the likeliest reason in one sentence.
    case silent(String)
  }

  /// What becomes of a bearer that was kept when the port's process ended or the modem went away.
  public enum Resumption: Hashable, Sendable {
    /// It will be brought up; with what is waited for, in one sentence, where it is not under way.
    case pending(String?)
    /// It was brought up, and nobody has asked for it since.
    case resumed
    /// It stays down, for a reason in one sentence.
    case refused(String)
  }

  public var state: BearerState
  /// The access point name that was asked for last; nil for the subscription's default.
  public var apn: String?
  /// Where that name is known from; nil before the first attempt.
  public var apnSource: AccessPoint.Source?
  /// When `state` began.
  public var since: Timestamp
  /// When the bearer is brought up again by itself; nil where that is not going to happen.
  public var nextAttempt: Timestamp?
  /// Attempts that failed, or bearers that were lost soon, since the bearer last held.
  public var failures: Int
  /// Nil while the bearer is not up, and where it is not probed.
  public var traffic: Traffic?
  /// Whether the modem has yet to confirm the end of its part. Nothing of the bearer is left on this machine then.
  public var isReleasing: Bool
  /// Nil where no bearer was kept, and after somebody asked for one or took it down.
  public var resumption: Resumption?

  public init(
    state: BearerState = .down(nil), apn: String? = nil, apnSource: AccessPoint.Source? = nil, since: Timestamp,
    nextAttempt: Timestamp? = nil, failures: Int = 0, traffic: Traffic? = nil, isReleasing: Bool = false,
    resumption: Resumption? = nil
  ) {
    self.state = state
    self.apn = apn
    self.apnSource = apnSource
    self.since = since
    self.nextAttempt = nextAttempt
    self.failures = failures
    self.traffic = traffic
    self.isReleasing = isReleasing
    self.resumption = resumption
  }
}

/// The bearer's state, the time of its last change, its access point, and what comes next.
public struct BearerStatus: Hashable, Sendable {
  /// Whether packets come back over a bearer that is up.
  public enum Traffic: Hashable, Sendable {
    /// Not yet probed by the network side.
    case untested
    /// A DNS server of the bearer answered.
    case answered
    /// None answered, with the most likely reason in one sentence.
    case silent(String)
  }

  /// What happens to a bearer that was kept when the port's process ended or the modem vanished.
  public enum Resumption: Hashable, Sendable {
    /// It will be brought up. If it is not coming up already, one sentence names what it waits for.
    case pending(String?)
    /// It was brought up, and nobody has requested it since.
    case resumed
    /// It stays down, for a reason in one sentence.
    case refused(String)
  }

  public var state: BearerState
  /// The access point name that was asked for last; nil for the subscription's default.
  public var apn: String?
  /// Where that name comes from; nil before the first attempt.
  public var apnSource: AccessPoint.Source?
  /// When `state` began.
  public var since: Timestamp
  /// When the bearer is brought up again automatically; nil if it will not be.
  public var nextAttempt: Timestamp?
  /// Failed attempts, or bearers lost early, since the last stable bearer.
  public var failures: Int
  /// Nil if the bearer is not up or is not probed.
  public var traffic: Traffic?
  /// Whether the modem must still confirm the end of its part. Nothing of the bearer is left on
  /// this machine then.
  public var isReleasing: Bool
  /// Nil if no bearer was kept, and after somebody requested one or took it down.
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

/// How many flows may run and wait at one time.
public struct FlowLimits: Hashable, Sendable {
  /// Running over one bearer, 1 to 4096.
  public var perBearer: Int
  /// Running for one caller, over all bearers, 1 to 4096.
  public var perCaller: Int
  /// Waiting for all callers together, 0 to 65536.
  public var waiting: Int
  /// Waiting for one caller, 0 to 65536.
  public var waitingPerCaller: Int

  public init(perBearer: Int = 64, perCaller: Int = 256, waiting: Int = 1024, waitingPerCaller: Int = 256) {
    self.perBearer = perBearer
    self.perCaller = perCaller
    self.waiting = waiting
    self.waitingPerCaller = waitingPerCaller
  }
}

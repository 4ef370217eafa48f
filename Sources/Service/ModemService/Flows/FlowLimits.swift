/// How many flows may run and wait at one time.
///
/// From 16 on a sixteenth of a bearer's places is kept for root, and no other caller has more than three quarters of them: slow
/// flows of one caller leave room for another one's.
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

  /// Running over one bearer when a flow of this caller begins.
  func perBearer(for caller: Caller) -> Int { caller.isRoot ? perBearer : perBearer - perBearer / 16 }

  /// Running over one bearer for this caller.
  func share(of caller: Caller) -> Int { caller.isRoot || perBearer < 16 ? perBearer : perBearer - perBearer / 4 }

  /// Waiting for all callers together when a flow of this caller asks.
  func waiting(for caller: Caller) -> Int { caller.isRoot ? waiting + waiting / 16 : waiting }
}

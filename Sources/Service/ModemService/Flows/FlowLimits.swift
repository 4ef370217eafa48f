/// How many flows may run and wait at the same time.
///
/// From 16 places on, a sixteenth of a bearer's places is reserved for root, and any other caller
/// may use at most three quarters of them. Slow flows of one caller therefore leave room for
/// others.
package struct FlowLimits: Hashable, Sendable {
  /// Running over one bearer, 1 to 4096.
  package var perBearer: Int
  /// Running for one caller, over all bearers, 1 to 4096.
  package var perCaller: Int
  /// Waiting for all callers together, 0 to 65536.
  package var waiting: Int
  /// Waiting for one caller, 0 to 65536.
  package var waitingPerCaller: Int

  package init(perBearer: Int = 64, perCaller: Int = 256, waiting: Int = 1024, waitingPerCaller: Int = 256) {
    self.perBearer = perBearer
    self.perCaller = perCaller
    self.waiting = waiting
    self.waitingPerCaller = waitingPerCaller
  }

  /// Limit of flows over one bearer when a flow of this caller begins.
  func perBearer(for caller: Caller) -> Int { caller.isRoot ? perBearer : perBearer - perBearer / 16 }

  /// Limit of this caller's flows over one bearer.
  func share(of caller: Caller) -> Int { caller.isRoot || perBearer < 16 ? perBearer : perBearer - perBearer / 4 }

  /// Limit of all waiting flows when a flow of this caller asks.
  func waiting(for caller: Caller) -> Int { caller.isRoot ? waiting + waiting / 16 : waiting }
}

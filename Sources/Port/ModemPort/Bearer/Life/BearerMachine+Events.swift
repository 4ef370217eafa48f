import ModemModel

extension BearerMachine {
  /// What happened.
  enum Event: Hashable, Sendable {
    // Asked for.
    /// A caller wants the bearer.
    case asked(isKept: Bool)
    /// An attempt begins for whoever wants it, with the only modem and SIM that it may be made with; nil for whichever are there.
    case begun(BearerRequest, for: BearerOwner?)
    /// Who wanted the bearer did not get it; with whether the cause is one that stays.
    case missed(isLasting: Bool)
    /// Who wanted the bearer to stay has got it; with whether it was up already when he came.
    case granted(Wish, wasUp: Bool)
    /// Nobody wants it to stay any more.
    case givenUp
    /// It is to end; with why, where that was not asked for.
    case ended(NetworkCause?)

    // Coming up.
    /// This is asked of the network.
    case trying(BearerRequest)
    case attaching, connecting, configuring
    case installed(InstalledBearer)
    case failed(NetworkCause)

    // Up.
    /// The modem, or the link, gave other settings, and they are in the kernel in place of the old ones.
    case renewed(InstalledBearer, InstalledBearer)
    /// Whether packets came back.
    case probed(InstalledBearer, BearerStatus.Traffic)
    /// The kernel's part is not whole any more.
    case damaged(InstalledBearer, NetworkCause)
    /// The kernel's part is as it should be.
    case verified(InstalledBearer)
    /// A patrol, a lease or a suspension has shown that it is not there any more.
    case lost(InstalledBearer, NetworkCause)

    // Going down.
    /// The modem was told of an end; with whether it gave its word in time.
    case modemTold(isConfirmed: Bool)
    /// Nothing of it is left on this machine.
    case takenDown
    /// The modem gave its word at last.
    case released

    // Coming back.
    case timer(attempt: Int)
    /// What an attempt failed for may have gone: SIM ready, registered, port opened anew.
    case goodNews
    /// The machine was suspended.
    case resumed
    /// One that was kept before this process is wanted again; with whether SIM and network are ready for it.
    case wantedAgain(Wish, isReady: Bool)
    /// What is told of such a one; nil for nothing more.
    case resumption(BearerStatus.Resumption?)
  }

  /// What is to be done.
  enum Action: Hashable, Sendable {
    case bringUp(BearerRequest, for: BearerOwner?)
    /// Ends the attempt, and tells when nothing of it is left.
    case breakOff
    /// Takes one that was up away from the kernel and the modem, and tells when it is gone.
    case takeDown(InstalledBearer)
    /// Waits for the modem's word on the end that it was told of last.
    case awaitRelease
    /// Watches a bearer, in place of the one before.
    case watch(InstalledBearer)
    case unwatch
    /// Ends the bearer when whoever reports is done.
    case end(NetworkCause)
    /// Waits for the next attempt, and for no other one.
    case wait(Duration, attempt: Int)
    case stopWaiting
    /// Sees whether the next attempt can be made, and makes it.
    case attempt(Wish)
    /// Writes the wish down, so that it outlives the process.
    case writeDown(BearerRequest)
    /// The modem does not work as it should.
    case showFault(String)
    case forgetFault
    /// What was put off for the bearer's sake can be done now.
    case reconsiderSharing
    case log(News)
  }

  /// What is said in the log.
  enum News: Hashable, Sendable {
    case up(InstalledBearer)
    case renewed(InstalledBearer)
    case down(NetworkCause?)
    case releasing
  }
}

import ModemModel

extension BearerMachine {
  /// What happened.
  enum Event: Hashable, Sendable {
    // Asked for.
    /// A caller wants the bearer.
    case asked(isKept: Bool)
    /// An attempt begins for a caller, restricted to this modem and SIM; nil for any that are
    /// present.
    case begun(BearerRequest, for: BearerOwner?)
    /// The caller did not get the bearer; whether the cause is lasting.
    case missed(isLasting: Bool)
    /// A caller who wants to keep the bearer got it; whether it was already up before.
    case granted(Wish, wasUp: Bool)
    /// No caller wants to keep it any more.
    case givenUp
    /// It must end; the cause, unless the end was requested.
    case ended(NetworkCause?)

    // Coming up.
    /// The network is asked for this.
    case trying(BearerRequest)
    case attaching, connecting, configuring
    case installed(InstalledBearer)
    case failed(NetworkCause)

    // Up.
    /// The modem or the link gave other settings, and the kernel now has them in place of the old
    /// ones.
    case renewed(InstalledBearer, InstalledBearer)
    /// Whether packets came back.
    case probed(InstalledBearer, BearerStatus.Traffic)
    /// The kernel's part is no longer complete.
    case damaged(InstalledBearer, NetworkCause)
    /// The kernel's part is complete.
    case verified(InstalledBearer)
    /// A patrol, a lease or a suspension showed that it no longer exists.
    case lost(InstalledBearer, NetworkCause)

    // Going down.
    /// The modem was told of an end; whether it confirmed in time.
    case modemTold(isConfirmed: Bool)
    /// Nothing of it is left on this machine.
    case takenDown
    /// The modem finally confirmed.
    case released

    // Coming back.
    case timer(attempt: Int)
    /// The reason for a failed attempt may be gone: the SIM is ready, the modem is registered, or
    /// the port was opened again.
    case goodNews
    /// The machine was suspended.
    case resumed
    /// A bearer kept before this process is wanted again; whether the SIM and network are ready for
    /// it.
    case wantedAgain(Wish, isReady: Bool)
    /// What to report about such a bearer; nil for nothing more.
    case resumption(BearerStatus.Resumption?)
  }

  /// What is to be done.
  enum Action: Hashable, Sendable {
    case bringUp(BearerRequest, for: BearerOwner?)
    /// Ends the attempt, and reports when nothing of it is left.
    case breakOff
    /// Removes a bearer that was up from the kernel and the modem, and reports when it is gone.
    case takeDown(InstalledBearer)
    /// Waits for the modem's confirmation of the last end.
    case awaitRelease
    /// Watches a bearer instead of the previous one.
    case watch(InstalledBearer)
    case unwatch
    /// Ends the bearer once the reporter has finished.
    case end(NetworkCause)
    /// Waits for the next attempt, and cancels any other wait.
    case wait(Duration, attempt: Int)
    case stopWaiting
    /// Checks whether the next attempt can be made, and makes it.
    case attempt(Wish)
    /// Records the wish, so that it outlives the process.
    case writeDown(BearerRequest)
    /// The modem does not work properly.
    case showFault(String)
    case forgetFault
    /// What was postponed because of the bearer can be done now.
    case reconsiderSharing
    case log(News)
  }

  /// What goes to the log.
  enum News: Hashable, Sendable {
    case up(InstalledBearer)
    case renewed(InstalledBearer)
    case down(NetworkCause?)
    case releasing
  }
}

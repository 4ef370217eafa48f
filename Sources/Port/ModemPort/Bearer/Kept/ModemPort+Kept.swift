import JournalLog
import ModemModel

/// The modem and the SIM that a bearer was requested for.
struct BearerOwner: Hashable, Sendable {
  /// Id of the modem.
  var modem: String
  /// The SIM's mark; nil if the modem does not identify it.
  var sim: String?
}

/// A bearer that was kept before this process started, or with a SIM that is not in the modem now.
enum EarlierBearer {
  /// The modem is not identified yet, so nothing was looked up.
  case unread
  /// Not looked up either, and a caller has since taken the bearer down. The record must be
  /// removed.
  case withdrawn
  /// It comes up again as soon as its SIM is back.
  case heldBack(BearerRequest, BearerOwner)
  /// There is none, or its fate is decided.
  case settled
}

/// Kept bearers are recorded when they are requested. The next port that serves the modem resumes
/// them.
extension ModemPort {
  /// The present modem and SIM.
  var presentOwner: BearerOwner { BearerOwner(modem: state.id, sim: dependencies.naming.mark(of: state.sim)) }

  var isHeldBack: Bool { if case .heldBack = earlierBearer { true } else { false } }

  /// Whether another modem or SIM is there now. An unknown one does not count as different.
  func isForeign(to owner: BearerOwner?) -> Bool {
    guard let owner else { return false }
    let present = presentOwner
    guard present.modem == owner.modem else { return true }
    guard let sim = present.sim, let expected = owner.sim else { return false }
    return sim != expected
  }

  /// A caller in this process asked for the bearer, so earlier records do not count.
  func noteAsked() {
    earlierBearer = .settled
    take(.resumption(nil))
  }

  /// Records the request, if the settings let the bearer outlive this process.
  func writeDown(_ request: BearerRequest) {
    guard let folder = dependencies.keptBearers, configuration.settings.resumes != .off else { return }
    guard state.identity != DeviceIdentity(), let sim = presentOwner.sim else {
      return logger.notice(
        "the bearer will not outlive this process: the modem does not identify itself or its SIM")
    }
    do {
      try folder.write(
        KeptBearer(request, modem: state.id, sim: sim, device: configuration.device, boot: folder.boot))
    } catch {
      logger.warning("the bearer will not outlive this process: \(error)")
    }
  }

  /// Keeps the bearer down from now on, in this port and every later one.
  func withdraw() {
    take(.givenUp)
    noteAsked()
    guard let folder = dependencies.keptBearers else { return }
    do {
      guard state.identity == DeviceIdentity() else { return try folder.erase(of: state.id) }
      // The modem has not answered this process yet, and may only answer a later one.
      earlierBearer = .withdrawn
      try folder.erase(at: configuration.device)
    } catch {
      logger.error("the bearer may be resumed although it was disconnected: \(error)")
    }
  }

  // MARK: Resuming

  /// Brings up a bearer that was kept before, as soon as its modem and its SIM are there.
  func resumeWhereDue() {
    switch earlierBearer {
    case .unread: lookUp()
    case .withdrawn: if state.identity != DeviceIdentity() { withdraw() }
    case .heldBack, .settled: break
    }
    guard case .heldBack(let request, let owner) = earlierBearer, case .open = controlPort else { return }
    guard state.sim.state == .ready || state.sim.state == .unknown else {
      return take(.resumption(.pending("the SIM is \(state.sim.state.rawValue)")))
    }
    guard let present = presentOwner.sim else {
      return refuseToResume("the modem does not identify its SIM", isNews: false)
    }
    guard presentOwner.modem == owner.modem else { return refuseToResume("another modem is there", isNews: true) }
    guard present == owner.sim else { return refuseToResume("another SIM is in the modem", isNews: true) }
    earlierBearer = .settled
    logger.event(
      .bearerResumed, level: .notice,
      "resuming the bearer that was kept (access point \(request.apn ?? "by default"))")
    // From now on, it is recorded for this boot and this control port.
    take(.wantedAgain(.init(request: request, owner: owner), isReady: state.isReadyForData))
  }

  /// Holds a kept bearer back until its own SIM returns.
  func setAside() {
    guard let wish = bearer.wish else { return }
    take(.givenUp)
    earlierBearer = .heldBack(wish.request, wish.owner)
    resumeWhereDue()
  }

  /// Reads the record of this modem's bearer.
  private func lookUp() {
    guard state.identity != DeviceIdentity() else { return }
    earlierBearer = .settled
    guard let folder = dependencies.keptBearers else { return }
    let resumes = configuration.settings.reconnects ? configuration.settings.resumes : .off
    do {
      guard resumes != .off else { return try folder.erase(of: state.id) }
      guard let kept = try folder.note(of: state.id) else { return }
      guard kept.boot == folder.boot || resumes == .boot else {
        try folder.erase(of: state.id)
        return refuseToResume(
          "the machine has been rebooted since, and the setting bearer.resume is not \"boot\"", isNews: true)
      }
      guard let request = kept.request else {
        return refuseToResume(
          "its access point needs a user name or password, which are not recorded", isNews: true)
      }
      earlierBearer = .heldBack(request, BearerOwner(modem: kept.modem, sim: kept.sim))
    } catch {
      refuseToResume("\(error)", isNews: true)
    }
  }

  private func refuseToResume(_ reason: String, isNews: Bool) {
    let refusal = BearerStatus.Resumption.refused(reason)
    guard state.bearer.resumption != refusal else { return }
    logger.event(
      .bearerNotResumed, level: isNews ? .notice : .info, "the bearer that was kept is not resumed: \(reason)")
    take(.resumption(refusal))
  }
}

extension BearerStatus.Resumption {
  /// The state to report after the bearer's state has changed; nil for nothing more.
  func afterChange(to state: BearerState) -> Self? {
    switch (self, state) {
    case (.pending, .up): .resumed
    // From here on, it is an ordinary kept bearer.
    case (.resumed, .down), (.resumed, .failed): nil
    default: self
    }
  }
}

extension ModemError {
  static let keptWithAnotherSIM = ModemError(
    .simNotReady, "the bearer was kept with another SIM; `modemctl connect` brings one up with this one")
}

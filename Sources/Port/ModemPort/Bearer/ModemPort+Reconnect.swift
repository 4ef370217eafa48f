import ModemModel

/// What is done to have a bearer again that was lost.
struct Reconnection {
  /// What somebody asked for to stay, and has not taken down since; nil where no bearer is kept.
  var request: BearerRequest?
  /// Modem and SIM that it was asked for; another SIM's credit is not spent for it.
  var owner: BearerOwner?
  var backoff: ReconnectBackoff
  /// The next attempt, while it is waited for, and its number.
  var waiting: Task<Void, Never>?
  var number = 0
  var lastAttempt: Timestamp?
  var upSince: Timestamp?

  init(backoff: ReconnectBackoff) { self.backoff = backoff }
}

/// Bearers that are kept: brought up by a caller who wants them to stay, and tried again with growing patience when they are lost.
extension ModemPort {
  /// Keeps a bearer that has come up, where its caller wants that and the settings allow it.
  ///
  /// - Parameter wasUp: whether it was up when the caller came: one that is kept then stays as it was asked for.
  func keep(_ request: BearerRequest, wasUp: Bool = false) {
    guard request.isKept, bearer.isUp else { return }
    noteAsked()
    guard configuration.settings.reconnects, !wasUp || reconnection.request == nil else { return }
    reconnection.request = request
    reconnection.owner = presentOwner
    writeDown(request)
  }

  /// Lets the bearer stay down from now on.
  func keepNoLonger() {
    reconnection.request = nil
    stopWaiting()
  }

  /// Gives up waiting for the next attempt, as one is made now or none is wanted.
  func stopWaiting() {
    reconnection.waiting?.cancel()
    reconnection.waiting = nil
    if state.bearer.nextAttempt != nil { state.bearer.nextAttempt = nil }
  }

  /// Notes that a bearer which was up goes down.
  func noteEnd() {
    guard let since = reconnection.upSince else { return }
    reconnection.upSince = nil
    reconnection.backoff.ended(afterUp: surroundings.now() - since)
  }

  func tryAgainLater(after error: any Error) {
    let error = error as? ModemError
    tryAgainLater(
      because: error?.networkCause ?? NetworkCause(code: nil, text: "\(error?.message ?? "")"),
      isLasting: error?.isLasting ?? false)
  }

  /// Plans the next attempt of a bearer that is kept and down.
  func tryAgainLater(because cause: NetworkCause, isLasting: Bool) {
    guard reconnection.request != nil, case .idle = bearer, reconnection.waiting == nil else { return }
    wait(reconnection.backoff.delay(isLasting: isLasting, chance: surroundings.chance()))
  }

  /// Brings the next attempt forward: what it failed for may have gone.
  func hearGoodNews() {
    guard reconnection.request != nil, case .idle = bearer else { return }
    wait(
      reconnection.backoff.delayAfterGoodNews(sinceAttempt: reconnection.lastAttempt.map { surroundings.now() - $0 }))
  }

  /// Sees whether SIM and network became ready.
  func noticeReadiness(before: ModemState) {
    if state.sim != before.sim, isHeldBack { Task { resumeWhereDue() } }
    guard reconnection.waiting != nil, state.isReadyForData, !before.isReadyForData else { return }
    Task { hearGoodNews() }
  }

  func wait(_ delay: Duration) {
    reconnection.waiting?.cancel()
    reconnection.number += 1
    let number = reconnection.number
    var status = state.bearer
    status.nextAttempt = surroundings.now() + delay
    status.failures = reconnection.backoff.failures
    state.bearer = status
    reconnection.waiting = Task { [weak self, surroundings] in
      guard (try? await surroundings.pause(delay)) != nil else { return }
      await self?.attempt(number)
    }
  }

  private func attempt(_ number: Int) async {
    guard number == reconnection.number, reconnection.waiting != nil, let request = reconnection.request else { return }
    reconnection.waiting = nil
    state.bearer.nextAttempt = nil
    // When the port is opened again, that is good news.
    guard case .open = controlPort, case .idle = bearer else { return }
    let owner = reconnection.owner
    guard !isForeign(to: owner) else { return setAside() }
    do {
      _ = try await joinInSomeWay(request, for: owner)
    } catch {
      if isForeign(to: owner) { setAside() } else { tryAgainLater(after: error) }
    }
  }

  // MARK: Suspend

  /// Sees after a suspension whether the bearer outlived it, and makes it anew where it did not.
  func resumed(after time: Duration) async {
    surroundings.logger.info("the machine was suspended for \(time.components.seconds) s")
    reconnection.backoff.reset()
    reconnection.lastAttempt = nil
    guard case .open(let backend) = controlPort, case .up(let installed, _) = bearer else { return hearGoodNews() }
    do {
      _ = try await backend.settings()
      try await surroundings.network.verify(installed)
      await applyNewSettings(from: backend)
    } catch {
      guard case .up(installed, _) = bearer else { return }
      await endBearer(because: NetworkCause(code: nil, text: "the bearer did not outlive the suspension: \(error)"))
      hearGoodNews()
    }
  }
}

extension ModemPort.Bearer {
  var isUp: Bool { if case .up = self { true } else { false } }
}

extension ModemState {
  var isReadyForData: Bool {
    (sim.state == .ready || sim.state == .unknown) && registration.state.allowsData
  }
}

extension Timestamp {
  static func - (a: Timestamp, b: Timestamp) -> Duration { a.time(since: b) }

  static func + (a: Timestamp, b: Duration) -> Timestamp { a.later(by: b) }
}

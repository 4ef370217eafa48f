import LimitClock
import ModemModel

/// Kept bearers: brought up by a caller who wants them to stay, and tried again at growing
/// intervals after a loss.
extension ModemPort {
  /// Keeps a bearer that has come up, if its caller wants that and the settings allow it.
  ///
  /// - Parameter wasUp: whether it was up before the caller came. A kept bearer then keeps its
  ///   original request.
  func keep(_ request: BearerRequest, wasUp: Bool) {
    guard request.isKept, bearer.isUp else { return }
    // The state from before this process no longer counts.
    earlierBearer = .settled
    take(.granted(.init(request: request, owner: presentOwner), wasUp: wasUp))
  }

  /// Waits for the next attempt, in place of an earlier wait.
  func wait(_ delay: Duration, attempt number: Int) {
    bearerWork.timer?.cancel()
    bearerWork.timer = Task { [weak self, dependencies] in
      guard (try? await dependencies.clock.pause(for: delay)) != nil else { return }
      await self?.take(.timer(attempt: number))
    }
  }

  /// Makes the next attempt, if possible.
  func attempt(_ wish: BearerMachine.Wish) async {
    // Opening the port again counts as good news.
    guard case .open = controlPort, bearer.phase == .idle else { return }
    guard !isForeign(to: wish.owner) else { return setAside() }
    do {
      _ = try await joinInSomeWay(wish.request, for: wish.owner)
    } catch {
      if isForeign(to: wish.owner) { setAside() } else { take(.missed(after: error)) }
    }
  }

  /// Checks whether the SIM and network became ready.
  func noticeReadiness(before: ModemState) {
    if state.sim != before.sim, isHeldBack { Task { resumeWhereDue() } }
    guard bearer.isWaiting, state.isReadyForData, !before.isReadyForData else { return }
    Task { take(.goodNews) }
  }

  // MARK: Suspend

  /// After a suspension, checks whether the bearer survived it, and makes it again if not.
  func resumed(after time: Duration) async {
    logger.info("the machine was suspended for \(time.components.seconds) s")
    take(.resumed)
    guard case .open(let backend) = controlPort, case .up(let installed) = bearer.phase else {
      return take(.goodNews)
    }
    do {
      _ = try await backend.settings()
      try await dependencies.network.verify(installed)
      await applyNewSettings(from: backend)
    } catch {
      guard bearer.phase == .up(installed) else { return }
      await lose(installed, because: "the bearer did not survive the suspension: \(error)")
      take(.goodNews)
    }
  }
}

extension BearerMachine.Event {
  /// The caller who wanted the bearer got an error.
  static func missed(after error: any Error) -> Self {
    .missed(isLasting: (error as? ModemError)?.isLasting ?? false)
  }
}

extension ModemState {
  var isReadyForData: Bool {
    (sim.state == .ready || sim.state == .unknown) && registration.state.allowsData
  }
}

import ModemModel

/// The bearer: brought up once for all who ask, taken down completely, ended with a cause.
extension ModemPort {
  /// Brings the bearer up, or returns it as it is when it is up already. Callers that ask at the same time share one attempt.
  ///
  /// - Throws: `ModemError`: SIM or registration not ready, refused by the network, no address, networking.
  public func connect(_ request: BearerRequest) async throws -> BearerStatus {
    if request.isKept { reconnection.backoff.reset() }
    let wasUp = bearer.isUp
    do {
      var status = try await joinInSomeWay(request)
      keep(request, wasUp: wasUp)
      status.resumption = state.bearer.resumption
      return status
    } catch {
      tryAgainLater(after: error)
      throw error
    }
  }

  /// Takes part in the attempt that is under way, or begins one.
  ///
  /// - Parameter owner: the only modem and SIM that it may be brought up with; nil for whichever is there.
  func join(_ request: BearerRequest, for owner: BearerOwner? = nil) async throws -> BearerStatus {
    while true {
      switch bearer {
      case .up:
        return state.bearer
      case .damaged(_, _, let cause):
        await endBearer(because: cause)
      case .bringingUp(let attempt):
        return try await attempt.value
      case .takingDown(let end):
        await end.value
      case .releasing(let end):
        try await wait(forRelease: end)
      case .idle:
        stopWaiting()
        reconnection.lastAttempt = surroundings.now()
        let attempt = Task { try await self.bringUp(request, for: owner) }
        bearer = .bringingUp(attempt)
        return try await attempt.value
      }
    }
  }

  /// Takes the bearer down and returns when nothing of it is left on this machine. The modem's word is waited for a little; where it does
  /// not come, the modem's part goes on behind, and the status says so.
  public func disconnect() async -> BearerStatus {
    withdraw()
    await endBearer(because: nil)
    return state.bearer
  }

  /// Compares the kernel with the installed bearer, or returns it as it is when it is not up. A damaged one is taken
  /// down, so that the next `connect` makes it anew.
  ///
  /// - Throws: `ModemError` `networking` when the kernel's part of the bearer is damaged.
  public func verifyBearer() async throws -> BearerStatus {
    let installed: InstalledBearer
    switch bearer {
    case .up(let bearer, _), .damaged(let bearer, _, _): installed = bearer
    case .takingDown(let end):
      await end.value
      return state.bearer
    case .idle, .bringingUp, .releasing: return state.bearer
    }
    do {
      try await surroundings.network.verify(installed)
      if case .damaged(installed, let watch, _) = bearer {
        // Whoever took something away has put it back.
        bearer = .up(installed, watch: watch)
        forgetDamage()
      }
      return state.bearer
    } catch {
      await endBearer(because: NetworkCause(code: nil, text: "\(error)"))
      throw error
    }
  }

  private func bringUp(_ request: BearerRequest, for owner: BearerOwner?) async throws -> BearerStatus {
    do {
      let installed = try await establish(request, for: owner)
      // Someone may have asked for the end while the last step ran.
      guard !Task.isCancelled, case .bringingUp = bearer else {
        try? await surroundings.network.remove(installed)
        throw ModemError(.cancelled, "the bearer was taken down while it came up")
      }
      bearer = .up(installed, watch: watch(installed))
      reconnection.upSince = surroundings.now()
      show(.up(installed))
      surroundings.logger.info("bearer up on \(installed.interface), table \(installed.table)")
      return state.bearer
    } catch {
      guard case .bringingUp = bearer else { throw error }
      let cause = (error as? ModemError)?.networkCause ?? NetworkCause(code: nil, text: "\(error)")
      rest()
      show(.failed(cause))
      surroundings.logger.warning("no bearer: \(error)")
      throw error
    }
  }

  /// Watches the kernel's part of a bearer, and what the link goes on to give it.
  func watch(_ installed: InstalledBearer) -> Task<Void, Never> {
    let losses = surroundings.network.losses(of: installed)
    return Task { [weak self, network = surroundings.network] in
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self?.patrol(installed) }
        group.addTask { for await loss in losses { await self?.lose(installed, loss) } }
        group.addTask {
          for await found in await network.changes(of: installed) { await self?.take(found, for: installed) }
        }
      }
    }
  }

  /// The bearer stays as it is until somebody verifies or connects it: whoever relied on it shall learn what happened.
  private func lose(_ installed: InstalledBearer, _ loss: String) {
    guard case .up(installed, let watch) = bearer else { return }
    let cause = NetworkCause(code: nil, text: loss)
    bearer = .damaged(installed, watch: watch, cause)
    note(fault: loss)
    // One that is kept is made anew without being asked for.
    if reconnection.request != nil { Task { await self.endBearer(because: cause) } }
  }

  /// Ends the bearer in whatever state it is, with the cause to show; nil when it was asked for.
  func endBearer(because cause: NetworkCause?) async {
    switch bearer {
    case .idle, .releasing:
      return
    case .takingDown(let end):
      await end.value
    case .bringingUp(let attempt):
      attempt.cancel()
      await end {
        _ = try? await attempt.value
        await self.rest(because: cause)
      }
    case .up(let installed, let watch), .damaged(let installed, let watch, _):
      noteEnd()
      // One that others ended is down already, and whoever relies on it wants the cause now.
      show(cause.map { .down($0) } ?? .disconnecting)
      // Not cancelled before the end has begun: this very task may be the watch.
      defer { watch.cancel() }
      await end {
        await self.takeDown(installed)
        await self.rest(because: cause)
        await self.forgetDamage()
      }
    }
  }

  private func end(_ work: @escaping @Sendable () async -> Void) async {
    let end = Task { await work() }
    bearer = .takingDown(end)
    await end.value
  }

  private func rest(because cause: NetworkCause?) {
    rest()
    show(.down(cause))
    surroundings.logger.info("bearer down\(cause.map { ": \($0)" } ?? "")")
    if let cause { tryAgainLater(because: cause, isLasting: cause.isLasting) }
    // What was put off for the bearer's sake.
    if surroundings.chooser != nil { Task { await reconsiderSharing() } }
  }

  /// The fault of a damaged bearer ends with it; others stay.
  private func forgetDamage() {
    if case .open = controlPort { state.fault = nil }
  }

  private func takeDown(_ installed: InstalledBearer) async {
    do {
      try await surroundings.network.remove(installed)
    } catch {
      surroundings.logger.warning("\(error)")
    }
    await tellModem { await self.endInModem() }
  }

  func show(_ bearerState: BearerState) {
    guard state.bearer.state != bearerState else { return }
    var status = state.bearer
    status.state = bearerState
    status.since = surroundings.now()
    status.traffic = bearerState.installed != nil && configuration.settings.probes ? .untested : nil
    status.resumption = status.resumption?.afterChange(to: bearerState)
    state.bearer = status
  }
}

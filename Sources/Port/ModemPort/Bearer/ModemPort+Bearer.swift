import ModemModel

/// The bearer: brought up once for all callers, taken down completely, ended with a cause.
extension ModemPort {
  /// Brings the bearer up, or returns it unchanged if it is already up. Callers at the same time
  /// share one attempt.
  ///
  /// - Throws: `ModemError`: SIM or registration not ready, refused by the network, no address,
  ///   networking.
  package func connect(_ request: BearerRequest) async throws -> BearerStatus {
    take(.asked(isKept: request.isKept))
    let wasUp = bearer.isUp
    do {
      var status = try await joinInSomeWay(request)
      keep(request, wasUp: wasUp)
      status.resumption = state.bearer.resumption
      return status
    } catch {
      take(.missed(after: error))
      throw error
    }
  }

  /// Joins the attempt in progress, or begins one.
  ///
  /// - Parameter owner: the only modem and SIM that it may use; nil for any that are present.
  func join(_ request: BearerRequest, for owner: BearerOwner? = nil) async throws -> BearerStatus {
    while true {
      switch bearer.phase {
      case .up: return state.bearer
      case .damaged(_, let cause): await endBearer(because: cause)
      case .comingUp: return try await bearerWork.attempt.value
      case .breakingOff, .goingDown: await bearerWork.end.value
      case .releasing: try await wait(forRelease: bearerWork.release)
      case .idle: take(.begun(request, for: owner))
      }
    }
  }

  /// Takes the bearer down and returns when nothing of it is left on this machine. It waits a short
  /// time for the modem's confirmation. Without it, the modem's part continues in the background,
  /// and the status reports so.
  package func disconnect() async -> BearerStatus {
    withdraw()
    await endBearer(because: nil)
    return state.bearer
  }

  /// Compares the kernel with the installed bearer, or returns the status unchanged if the bearer
  /// is not up. A damaged bearer is taken down, so that the next `connect` makes it again.
  ///
  /// - Throws: `ModemError` `networking` if the kernel's part of the bearer is damaged.
  package func verifyBearer() async throws -> BearerStatus {
    let installed: InstalledBearer
    switch bearer.phase {
    case .up(let bearer), .damaged(let bearer, _): installed = bearer
    case .breakingOff, .goingDown:
      await bearerWork.end.value
      return state.bearer
    case .idle, .comingUp, .releasing: return state.bearer
    }
    do {
      try await dependencies.network.verify(installed)
      take(.verified(installed))
      return state.bearer
    } catch {
      await endBearer(because: NetworkCause(code: nil, text: "\(error)"))
      throw error
    }
  }

  /// Ends the bearer in any state, with the cause to show; nil if the end was requested.
  func endBearer(because cause: NetworkCause?) async {
    take(.ended(cause))
    await waitWhileEnding()
  }

  /// Ends a bearer that no longer exists, unless another one has replaced it.
  func lose(_ installed: InstalledBearer, because reason: String) async {
    guard bearer.phase == .up(installed) else { return }
    take(.lost(installed, NetworkCause(code: nil, text: reason)))
    await waitWhileEnding()
  }

  private func waitWhileEnding() async {
    switch bearer.phase {
    case .breakingOff, .goingDown: await bearerWork.end.value
    case .idle, .comingUp, .up, .damaged, .releasing: break
    }
  }

  // MARK: Actions

  /// Running work for the bearer. The machine's phase decides which of it counts; the rest is over.
  struct BearerWork {
    /// In `comingUp` and `breakingOff`.
    var attempt = Task<BearerStatus, any Error> { throw CancellationError() }
    /// In `breakingOff` and `goingDown`.
    var end = Task<Void, Never> {}
    /// In `releasing`.
    var release = Task<Void, Never> {}
    /// The last report of an end to the modem, which may answer late.
    var word = Task<Void, Never> {}
    /// In `up` and `damaged`.
    var watch: Task<Void, Never>?
    /// While the next attempt is pending.
    var timer: Task<Void, Never>?
  }

  /// Carries out an action that follows from an event.
  func carryOut(_ action: BearerMachine.Action) {
    switch action {
    case .bringUp(let request, let owner): bearerWork.attempt = Task { try await bringUp(request, for: owner) }
    case .breakOff:
      let attempt = bearerWork.attempt
      attempt.cancel()
      bearerWork.end = Task {
        _ = try? await attempt.value
        take(.takenDown)
      }
    case .takeDown(let installed):
      bearerWork.end = Task {
        await takeDown(installed)
        take(.takenDown)
      }
    case .awaitRelease:
      bearerWork.release = Task { [word = bearerWork.word] in
        await word.value
        take(.released)
      }
    case .watch(let installed):
      let last = bearerWork.watch
      bearerWork.watch = watch(installed)
      // Last, because this very task may be the watch.
      last?.cancel()
    case .unwatch:
      bearerWork.watch?.cancel()
      bearerWork.watch = nil
    case .end(let cause): Task { await endBearer(because: cause) }
    case .wait(let delay, let number): wait(delay, attempt: number)
    case .stopWaiting:
      bearerWork.timer?.cancel()
      bearerWork.timer = nil
    case .attempt(let wish): Task { await attempt(wish) }
    case .writeDown(let request): writeDown(request)
    case .showFault(let fault): note(fault: fault)
    case .forgetFault:
      // The fault of a damaged bearer ends with it.
      if case .open = controlPort { change("no fault") { $0.fault = nil } }
    case .reconsiderSharing: if dependencies.chooser != nil { Task { await reconsiderSharing() } }
    case .log(let news): log(news)
    }
  }

  private func bringUp(_ request: BearerRequest, for owner: BearerOwner?) async throws -> BearerStatus {
    do {
      let installed = try await establish(request, for: owner)
      // The end may have been requested during the last step.
      guard bearer.phase == .comingUp else {
        try? await dependencies.network.remove(installed)
        throw ModemError(.cancelled, "the bearer was taken down while it was coming up")
      }
      take(.installed(installed))
      return state.bearer
    } catch {
      guard bearer.phase == .comingUp else { throw error }
      take(.failed((error as? ModemError)?.networkCause ?? NetworkCause(code: nil, text: "\(error)")))
      logRefusal(of: error)
      throw error
    }
  }

  /// Watches the kernel's part of a bearer, and the settings that the link continues to give.
  private func watch(_ installed: InstalledBearer) -> Task<Void, Never> {
    let losses = dependencies.network.losses(of: installed)
    return Task { [weak self, network = dependencies.network] in
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self?.patrol(installed) }
        group.addTask {
          for await loss in losses { await self?.take(.damaged(installed, NetworkCause(code: nil, text: loss))) }
        }
        group.addTask {
          for await found in await network.changes(of: installed) { await self?.take(found, for: installed) }
        }
      }
    }
  }

  private func takeDown(_ installed: InstalledBearer) async {
    do {
      try await dependencies.network.remove(installed)
    } catch {
      logger.warning("\(error)")
    }
    await tellModem { await self.endInModem() }
  }
}

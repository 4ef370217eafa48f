import ModemModel

/// The bearer: brought up once for all who ask, taken down completely, ended with a cause.
extension ModemPort {
  /// Brings the bearer up, or returns it as it is when it is up already. Callers that ask at the same time share one attempt.
  ///
  /// - Throws: `ModemError`: SIM or registration not ready, refused by the network, no address, networking.
  public func connect(_ request: BearerRequest) async throws -> BearerStatus {
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
      case .idle:
        let attempt = Task { try await self.bringUp(request) }
        bearer = .bringingUp(attempt)
        return try await attempt.value
      }
    }
  }

  /// Takes the bearer down and returns when nothing of it is left.
  public func disconnect() async -> BearerStatus {
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
    case .idle, .bringingUp: return state.bearer
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

  private func bringUp(_ request: BearerRequest) async throws -> BearerStatus {
    var next = state
    next.bearer.apn = request.apn
    state = next
    do {
      let installed = try await establish(request)
      // Someone may have asked for the end while the last step ran.
      guard !Task.isCancelled, case .bringingUp = bearer else {
        try? await surroundings.network.remove(installed)
        throw ModemError(.cancelled, "the bearer was taken down while it came up")
      }
      bearer = .up(installed, watch: watchLosses(of: installed))
      show(.up(installed))
      surroundings.logger.info("bearer up on \(installed.interface), table \(installed.table)")
      return state.bearer
    } catch {
      guard case .bringingUp = bearer else { throw error }
      bearer = .idle
      let cause = (error as? ModemError)?.networkCause ?? NetworkCause(code: nil, text: "\(error)")
      show(.failed(cause))
      surroundings.logger.warning("no bearer: \(error)")
      throw error
    }
  }

  private func establish(_ request: BearerRequest) async throws -> InstalledBearer {
    await waitWhileOpening()
    let backend = try openBackend()
    guard let interface = configuration.interface else {
      throw ModemError(
        .networking, "no network interface belongs to \(configuration.device); start the port with --interface NAME")
    }
    try await requireReadiness(of: backend)
    show(.attaching)
    if try await backend.negotiateLinkFormat() == .rawIP {
      try await surroundings.network.setRawIP(interface: interface)
    }
    try await backend.attach()
    show(.connecting)
    do {
      let settings = try await backend.connect(request)
      guard settings.hasAddress else {
        throw ModemError(
          .noAddress, "the network accepted the bearer and gave it no address; check the APN and IP type")
      }
      show(.configuring)
      return try await surroundings.network.install(settings, on: interface)
    } catch {
      // This task may be cancelled, and the modem must be told all the same.
      await Task { try? await backend.disconnect() }.value
      throw error
    }
  }

  private func requireReadiness(of backend: any ModemBackend) async throws {
    if state.sim.state != .ready { await refreshSIM(from: backend) }
    switch state.sim.state {
    case .ready, .unknown: break
    case .absent: throw ModemError(.simAbsent, "there is no SIM in the modem; insert one")
    case .pinRequired: throw ModemError(.simLocked, "the SIM waits for its PIN; enter it with `modemctl unlock`")
    case .pukRequired: throw ModemError(.simLocked, "the SIM is blocked and waits for its PUK; unblock it in a phone")
    case .initialising: throw ModemError(.simNotReady, "the SIM is still starting; try again in a few seconds")
    case .notActivated: throw ModemError(.simNotReady, "the SIM is not activated; ask its operator")
    case .failed: throw ModemError(.simNotReady, "the SIM does not work; try another one")
    }
    if !state.registration.state.allowsData { await refreshRegistration(from: backend) }
    guard state.registration.state.allowsData || state.registration.state == .unknown else {
      let cause = state.registration.cause.map { ": \($0)" } ?? ""
      throw ModemError(
        .notRegistered, "the modem is not registered with a network (\(state.registration.state.rawValue)\(cause))",
        networkCause: state.registration.cause)
    }
  }

  private func watchLosses(of installed: InstalledBearer) -> Task<Void, Never> {
    let losses = surroundings.network.losses(of: installed)
    return Task { [weak self] in
      for await loss in losses {
        await self?.lose(installed, loss)
      }
    }
  }

  /// The bearer stays as it is until somebody verifies or connects it: whoever relied on it shall learn what happened.
  private func lose(_ installed: InstalledBearer, _ loss: String) {
    guard case .up(installed, let watch) = bearer else { return }
    bearer = .damaged(installed, watch: watch, NetworkCause(code: nil, text: loss))
    note(fault: loss)
  }

  /// Ends the bearer in whatever state it is, with the cause to show; nil when it was asked for.
  func endBearer(because cause: NetworkCause?) async {
    switch bearer {
    case .idle:
      return
    case .takingDown(let end):
      await end.value
    case .bringingUp(let attempt):
      attempt.cancel()
      await end {
        _ = try? await attempt.value
        await self.becomeIdle(because: cause)
      }
    case .up(let installed, let watch), .damaged(let installed, let watch, _):
      // One that others ended is down already, and whoever relies on it wants the cause now.
      show(cause.map { .down($0) } ?? .disconnecting)
      // Not cancelled before the end has begun: this very task may be the watch.
      defer { watch.cancel() }
      await end {
        await self.takeDown(installed)
        await self.becomeIdle(because: cause)
        await self.forgetDamage()
      }
    }
  }

  private func end(_ work: @escaping @Sendable () async -> Void) async {
    let end = Task { await work() }
    bearer = .takingDown(end)
    await end.value
  }

  private func becomeIdle(because cause: NetworkCause?) {
    bearer = .idle
    show(.down(cause))
    surroundings.logger.info("bearer down\(cause.map { ": \($0)" } ?? "")")
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
    guard case .open(let backend) = controlPort else { return }
    do {
      try await backend.disconnect()
    } catch {
      surroundings.logger.debug("the modem did not confirm the end of the bearer: \(error)")
    }
  }

  func applyNewSettings(from backend: any ModemBackend) async {
    guard case .up(let old, let watch) = bearer, let settings = try? await backend.settings(), settings.hasAddress,
      settings != old.settings, case .up(old, _) = bearer
    else { return }
    do {
      let installed = try await surroundings.network.install(settings, on: old.interface)
      guard case .up(old, _) = bearer else {
        try? await surroundings.network.remove(installed)
        return
      }
      watch.cancel()
      bearer = .up(installed, watch: watchLosses(of: installed))
      show(.up(installed))
    } catch {
      await endBearer(because: NetworkCause(code: nil, text: "new settings could not be applied: \(error)"))
    }
  }

  private func show(_ bearerState: BearerState) {
    guard state.bearer.state != bearerState else { return }
    state.bearer = BearerStatus(state: bearerState, apn: state.bearer.apn, since: surroundings.now())
  }
}

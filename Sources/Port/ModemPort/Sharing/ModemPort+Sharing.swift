import ModemModel

/// How the port learns that the modem has to be shared in another way, and takes it.
extension ModemPort {
  /// Watches for it as long as `backend` is the open one.
  func watchSharing(of backend: any ModemBackend) -> Task<Void, Never> {
    guard let chooser = surroundings.chooser else { return Task {} }
    return Task { [weak self] in
      for await _ in await chooser.changes() {
        guard let self, await self.reconsiderSharing(of: backend) else { return }
      }
    }
  }

  /// Sees whether the modem is to be shared in another way now that the bearer is down.
  func reconsiderSharing() async {
    guard case .open(let backend) = controlPort else { return }
    await reconsiderSharing(of: backend)
  }

  /// Opens the modem anew when it has to be shared in another way, and else says what is so now.
  ///
  /// - Returns: whether `backend` is still the open one.
  @discardableResult
  private func reconsiderSharing(of backend: any ModemBackend) async -> Bool {
    guard let chooser = surroundings.chooser else { return false }
    while isOpen(backend) {
      let before = hasBearer
      let change = await chooser.reconsider(hasBearer: before, isWanted: isBearerWanted)
      guard isOpen(backend) else { return false }
      // A bearer may have come up meanwhile, and is not ended for what was decided without it.
      if before != hasBearer { continue }
      if case .reopen(let reason) = change {
        await openAnew(backend, because: reason)
        return false
      }
      await noteSharing()
      return isOpen(backend)
    }
    return false
  }

  private func isOpen(_ backend: any ModemBackend) -> Bool {
    if case .open(let current) = controlPort { current === backend } else { false }
  }

  /// Closes the backend; the port then opens the modem anew by itself.
  private func openAnew(_ backend: any ModemBackend, because reason: String) async {
    surroundings.logger.notice("the modem is opened anew: \(reason)")
    departure = "the modem is opened anew: \(reason)"
    await endBearer(because: NetworkCause(code: nil, text: reason))
    // Who asks for a bearer from here on waits for the next backend.
    if isOpen(backend) { turn(.opening) }
    await backend.close()
  }

  /// Shows how the modem is shared now.
  func noteSharing() async {
    guard let chooser = surroundings.chooser else { return }
    sharingNotes += 1
    let note = sharingNotes
    let sharing = await chooser.sharing(hasBearer: hasBearer)
    // A later look says what is so later.
    guard note == sharingNotes, state.sharing != sharing else { return }
    change("sharing") { $0.sharing = sharing }
  }

  // MARK: Bearers

  private var hasBearer: Bool { bearer.phase != .idle }

  private var isBearerWanted: Bool { hasBearer || bearer.wish != nil || joins > 0 }

  /// Takes part in bringing the bearer up; where the modem does not let that be in the present way, in the next one that the
  /// policy has.
  ///
  /// - Throws: `ModemError`: why it does not come up in the last way that was tried.
  func joinInSomeWay(_ request: BearerRequest, for owner: BearerOwner? = nil) async throws -> BearerStatus {
    joins += 1
    defer { joins -= 1 }
    // Each fall back is remembered, so that there are no more than ways.
    for _ in SharingWay.allCases {
      await waitWhileOpening()
      let way = state.sharing?.way
      do {
        return try await join(request, for: owner)
      } catch let error as ModemError {
        guard await takesAnotherWay(than: way, after: error) else { throw error }
      }
    }
    return try await join(request, for: owner)
  }

  /// Takes the next way after a bearer did not come up in this one; false where there is none.
  private func takesAnotherWay(than way: SharingWay?, after error: ModemError) async -> Bool {
    guard let chooser = surroundings.chooser, error.code != .cancelled else { return false }
    // Somebody else who waited for the same bearer has seen to it.
    guard case .open(let backend) = controlPort, state.sharing?.way == way else {
      if case .opening = controlPort { return true }
      return state.sharing?.way != way
    }
    switch await chooser.fallBack(after: error) {
    case .stay: return false
    case .tryAgain: return true
    case .reopen(let reason):
      guard isOpen(backend), !hasBearer else { return true }
      surroundings.logger.warning("no bearer in the way \(way?.rawValue ?? "-"): \(error.message)")
      await openAnew(backend, because: reason)
      return true
    }
  }

  /// Shows why the control port was left. That the port's service is stopped is no fault of the modem's, and no warning.
  func note(_ ending: Ending) {
    switch ending {
    case .event(let event): note(fault: reasonToLeave(after: event))
    case .stopped:
      surroundings.logger.info("the port was stopped")
      change("fault") { $0.fault = Fault(cause: "the port was stopped", since: surroundings.now()) }
    }
  }

  /// Why the port is left, in a sentence.
  /// - Parameter event: what the modem said last.
  private func reasonToLeave(after event: ModemEvent?) -> String {
    if let departure { return departure }
    switch event {
    case .reset: return "the modem was reset; opening \(configuration.device) anew"
    case .unresponsive: return "the modem stopped answering; opening \(configuration.device) anew"
    default: break
    }
    return state.sharing?.way == .follow
      ? "ModemManager has let go of the modem, or left the bus; waiting for it"
      : "the control port \(configuration.device) went away; waiting for it to come back"
  }
}

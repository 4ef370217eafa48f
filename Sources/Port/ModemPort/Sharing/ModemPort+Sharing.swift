import ModemModel

/// How the port learns that the modem must be shared in another way, and switches to it.
extension ModemPort {
  /// Watches for that while `backend` is the open one.
  func watchSharing(of backend: any ModemBackend) -> Task<Void, Never> {
    guard let chooser = dependencies.chooser else { return Task {} }
    return Task { [weak self] in
      for await _ in await chooser.changes() {
        guard let self, await self.reconsiderSharing(of: backend) else { return }
      }
    }
  }

  /// Checks whether to share the modem in another way now that the bearer is down.
  func reconsiderSharing() async {
    guard case .open(let backend) = controlPort else { return }
    await reconsiderSharing(of: backend)
  }

  /// Reopens the modem if it must be shared in another way. Otherwise shows the present way.
  ///
  /// - Returns: whether `backend` is still the open one.
  @discardableResult
  private func reconsiderSharing(of backend: any ModemBackend) async -> Bool {
    guard let chooser = dependencies.chooser else { return false }
    while isOpen(backend) {
      let before = hasBearer
      let change = await chooser.reconsider(hasBearer: before, isWanted: isBearerWanted)
      guard isOpen(backend) else { return false }
      // A bearer may have come up in the meantime, and must not end because of a decision made
      // without it.
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

  /// Closes the backend; the port then reopens the modem by itself.
  private func openAnew(_ backend: any ModemBackend, because reason: String) async {
    logger.notice("the modem is being reopened: \(reason)")
    departure = "the modem is being reopened: \(reason)"
    await endBearer(because: NetworkCause(code: nil, text: reason))
    // From here on, callers who ask for a bearer wait for the next backend.
    if isOpen(backend) { turn(.opening) }
    await backend.close()
  }

  /// Shows how the modem is shared now.
  func noteSharing() async {
    guard let chooser = dependencies.chooser else { return }
    sharingNotes += 1
    let note = sharingNotes
    let sharing = await chooser.sharing(hasBearer: hasBearer)
    // A later check will report the later state.
    guard note == sharingNotes, state.sharing != sharing else { return }
    change("sharing") { $0.sharing = sharing }
  }

  // MARK: Bearers

  private var hasBearer: Bool { bearer.phase != .idle }

  private var isBearerWanted: Bool { hasBearer || bearer.wish != nil || joins > 0 }

  /// Joins in bringing up the bearer. If the modem does not allow it in the present way of sharing,
  /// tries the next way that the policy allows.
  ///
  /// - Throws: `ModemError`: why it does not come up in the last way that was tried.
  func joinInSomeWay(_ request: BearerRequest, for owner: BearerOwner? = nil) async throws -> BearerStatus {
    joins += 1
    defer { joins -= 1 }
    // Each fallback is remembered, so there are no more of them than ways.
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

  /// Switches to the next way after a bearer did not come up in this one; false if there is none.
  private func takesAnotherWay(than way: SharingWay?, after error: ModemError) async -> Bool {
    guard let chooser = dependencies.chooser, error.code != .cancelled else { return false }
    // Another caller who waited for the same bearer has already done it.
    guard case .open(let backend) = controlPort, state.sharing?.way == way else {
      if case .opening = controlPort { return true }
      return state.sharing?.way != way
    }
    switch await chooser.fallBack(after: error) {
    case .stay: return false
    case .tryAgain: return true
    case .reopen(let reason):
      guard isOpen(backend), !hasBearer else { return true }
      logger.warning("no bearer in the way \(way?.rawValue ?? "-"): \(error.message)")
      await openAnew(backend, because: reason)
      return true
    }
  }

  /// Shows why the control port was left. A stop of the port's service is neither a fault of the
  /// modem nor a warning.
  func note(_ ending: Ending) {
    switch ending {
    case .event(let event): note(fault: reasonToLeave(after: event))
    case .stopped:
      logger.info("the port was stopped")
      change("fault") { $0.fault = Fault(cause: "the port was stopped", since: dependencies.now()) }
    }
  }

  /// Why the port is left, in one sentence.
  /// - Parameter event: the modem's last event.
  private func reasonToLeave(after event: ModemEvent?) -> String {
    if let departure { return departure }
    switch event {
    case .reset: return "the modem was reset; opening \(configuration.device) anew"
    case .unresponsive: return "the modem stopped answering; opening \(configuration.device) anew"
    default: break
    }
    return state.sharing?.way == .follow
      ? "ModemManager has released the modem, or left the bus; waiting for it"
      : "the control port \(configuration.device) went away; waiting for it to come back"
  }
}

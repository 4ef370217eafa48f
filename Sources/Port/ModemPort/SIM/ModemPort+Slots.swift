import ModemModel

/// The modem's slots.
extension ModemPort {
  /// The slots and the one in use.
  ///
  /// - Throws: `ModemError` `notSupported` if the modem does not report them.
  package func slots() async throws -> SIMSlots {
    await waitWhileOpening()
    return try await openBackend().slots()
  }

  /// Makes the modem use the SIM in another slot, and returns the new state.
  ///
  /// - Parameter slot: from 1.
  /// - Throws: `ModemError`: `inUse` while the bearer is up or coming up, `noSuchSlot`,
  ///   `notSupported`.
  package func switchSlot(to slot: Int) async throws -> ModemState {
    await waitWhileOpening()
    let backend = try openBackend()
    guard bearer.phase == .idle, !simWork.isSwitchingSlot else {
      throw ModemError(
        .inUse,
        simWork.isSwitchingSlot
          ? "the slot is being switched already; try again"
          : state.bearer.isReleasing
            ? "the modem has yet to confirm the end of the bearer, which uses the SIM; try again in a minute"
            : "the bearer uses the SIM; disconnect it first")
    }
    simWork.isSwitchingSlot = true
    defer { simWork.isSwitchingSlot = false }
    try await change(to: slot, of: backend)
    await refreshAll(from: backend)
    return state
  }

  /// Selects the configured slot after the control port is open. A modem that cannot switch is used
  /// as it is.
  func takeConfiguredSlot(of backend: any ModemBackend) async {
    guard let slot = configuration.settings.slot else { return }
    do {
      guard try await backend.slots().active != slot else { return }
      try await change(to: slot, of: backend)
    } catch {
      logger.warning("slot \(slot) could not be selected: \(error)")
    }
  }

  private func change(to slot: Int, of backend: any ModemBackend) async throws {
    try await backend.switchSlot(to: slot)
    // Reports about the old SIM must not be taken for the new one's.
    restartSIM()
    change("slot \(slot)") { $0.sim = SIMStatus(slot: slot) }
    logger.info("slot \(slot) is in use")
  }
}

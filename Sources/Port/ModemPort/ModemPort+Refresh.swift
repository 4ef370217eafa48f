import ModemModel

/// How the port learns the modem's state: everything once after opening, then what an event reports
/// as changed.
extension ModemPort {
  /// Identity and SIM are asked for side by side, and applied one after the other: whoever learns
  /// of the SIM knows the modem's id.
  func refreshAll(from backend: any ModemBackend) async {
    async let sim = answer { try await backend.simStatus() }
    await refreshIdentity(from: backend)
    await takeSIM(await sim, from: backend)
    await refreshRegistration(from: backend)
  }

  private nonisolated func answer<Answer: Sendable>(
    _ ask: @Sendable () async throws -> Answer
  ) async -> Result<Answer, any Error> {
    do { return .success(try await ask()) } catch { return .failure(error) }
  }

  func handle(_ event: ModemEvent, from backend: any ModemBackend) async {
    switch event {
    case .simChanged:
      let former = lastSIM ?? state.sim.iccid
      await refreshSIM(from: backend)
      lastSIM = state.sim.iccid ?? former
      if state.sim.state == .absent {
        await endBearer(because: NetworkCause(code: nil, text: "the SIM was taken out"))
      } else if former != lastSIM, former != nil {
        // Not every modem ends its sessions then, and the other SIM must not pay for them.
        await endBearer(because: NetworkCause(code: nil, text: "the modem uses another SIM"))
      }
    case .registrationChanged, .signalChanged:
      await refreshRegistration(from: backend)
    case .bearerDropped(let cause):
      await endBearer(because: cause ?? NetworkCause(code: nil, text: "the network ended the bearer"))
    case .settingsChanged:
      await applyNewSettings(from: backend)
    case .reset:
      await endBearer(because: NetworkCause(code: nil, text: "the modem was reset"))
    case .unresponsive:
      await endBearer(because: NetworkCause(code: nil, text: "the modem stopped answering"))
    case .removed:
      // A proxy may be stopped together with this port.
      let text = Task.isCancelled ? "the port was stopped" : "the modem went away"
      await endBearer(because: NetworkCause(code: nil, text: text))
    }
  }

  /// Asks the modem for everything again.
  ///
  /// - Throws: `ModemError` if the control port is not open, or if the modem does not identify
  ///   itself. Other data that it does not answer keeps its last known value.
  package func refresh() async throws -> ModemState {
    await waitWhileOpening()
    let backend = try openBackend()
    _ = try await backend.identity()
    await refreshSIM(from: backend)
    await refreshRegistration(from: backend, exactly: true)
    return state
  }

  private func refreshIdentity(from backend: any ModemBackend) async {
    let naming = dependencies.naming
    await update("device capabilities", { try await backend.identity() }) { state, identity in
      state.identity = identity
      state.id = naming.name(imei: identity.imei, device: state.device)
      state.fault = nil
    }
  }

  /// - Parameter exactly: whether somebody asked, and gets the measurements as they are; events
  ///   only report those that have moved.
  func refreshRegistration(from backend: any ModemBackend, exactly: Bool = false) async {
    await update("registration", { try await backend.registration() }) { state, registration in
      state.registration = exactly ? registration : registration.steadied(after: state.registration)
    }
  }

  /// Asks the backend and applies its answer in one change. A failed question is logged and keeps
  /// the old answer.
  private func update<Answer: Sendable>(
    _ what: String, _ ask: () async throws -> Answer, apply: (inout ModemState, Answer) -> Void
  ) async {
    do {
      let answer = try await ask()
      change(what) { apply(&$0, answer) }
    } catch {
      logger.warning("\(what) could not be read: \(error)")
      if state.fault != nil { note(fault: "\(what) could not be read: \(error)") }
    }
  }
}

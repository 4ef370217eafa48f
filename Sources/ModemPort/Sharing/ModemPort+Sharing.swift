import ModemModel

/// How the port learns that the modem has to be shared in another way.
extension ModemPort {
  /// Watches for it as long as `backend` is the open one.
  func watchSharing(of backend: any ModemBackend) -> Task<Void, Never> {
    guard let chooser = surroundings.chooser else { return Task {} }
    return Task { [weak self] in
      for await _ in await chooser.changes() {
        guard let self, await !self.hasChanged(backend, chooser) else { return }
      }
    }
  }

  /// Closes the backend when the modem has to be shared in another way; the port then opens it anew by itself.
  private func hasChanged(_ backend: any ModemBackend, _ chooser: SharingChooser) async -> Bool {
    guard case .open(let current) = controlPort, current === backend else { return true }
    guard let reason = await chooser.newWay(hasBearer: hasBearer) else { return false }
    guard case .open(let current) = controlPort, current === backend else { return true }
    surroundings.logger.notice("the modem is opened anew: \(reason)")
    departure = "the modem is opened anew: \(reason)"
    await endBearer(because: NetworkCause(code: nil, text: reason))
    await backend.close()
    return true
  }

  /// Shows what was chosen.
  func noteSharing() async {
    guard let chooser = surroundings.chooser else { return }
    let sharing = await chooser.sharing
    if state.sharing != sharing { state.sharing = sharing }
  }

  private var hasBearer: Bool { if case .idle = bearer { false } else { true } }

  /// Shows why the control port was left. That the port's service is stopped is no fault of the modem's, and no warning.
  func note(_ ending: Ending) {
    switch ending {
    case .event(let event): note(fault: reasonToLeave(after: event))
    case .stopped:
      surroundings.logger.info("the port was stopped")
      state.fault = Fault(cause: "the port was stopped", since: surroundings.now())
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

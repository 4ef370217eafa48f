import Glibc
import ModemAPI
import ModemAPIClient

extension World {
  /// Has modemd read its files anew, and waits until it has.
  ///
  /// - Throws: `WorldError` with what it says if that changed nothing.
  func reload() async throws {
    let client = try await ModemAPIClient.connect(to: folder.socket)
    let before = try await client.call(VerifyInterface.Providers.self, .init()).reloads
    guard let service = process(of: .service) else { throw WorldError(.process, "modemd does not run") }
    service.send(SIGHUP)
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      let state = try await client.call(VerifyInterface.Providers.self, .init())
      if state.reloads != before {
        guard let failure = state.reloadFailure else { return }
        throw WorldError(.process, "modemd changed nothing: \(failure)")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw WorldError(.notReady, "after 20 s modemd has not read its files anew; \(folder.tail(of: "modemd"))")
  }

  /// Waits until modemd knows each modem, its SIM and its network; at most 20 seconds, because a
  /// scenario may have a modem that never reports them.
  func waitForModem() async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    let client = try await ModemAPIClient.connect(to: folder.socket)
    while ContinuousClock.now < deadline {
      let modems = try? await client.call(ModemInterface.List.self, .init()).modems
      let known = (modems ?? []).filter { modem in
        modem.fault == nil && modem.sim.state != .unknown && modem.registration.state != .unknown
      }
      if known.count >= scenario.modem.count { return }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

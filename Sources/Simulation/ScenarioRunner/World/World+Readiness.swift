import ModemAPI
import ModemAPIClient

extension World {
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

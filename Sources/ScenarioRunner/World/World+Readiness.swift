import ModemAPI
import ModemAPIClient

extension World {
  /// Waits until modemd has learnt of the modem, its SIM and its network; at most 5 seconds, as a scenario may be about a modem
  /// that never says.
  func waitForModem() async throws {
    let deadline = ContinuousClock.now + .seconds(5)
    let client = try await ModemAPIClient.connect(to: folder.socket)
    while ContinuousClock.now < deadline {
      let modem = try? await client.call(ModemInterface.List.self, .init()).modems.first
      if let modem, modem.fault == nil, modem.sim.state != .unknown, modem.registration.state != .unknown { return }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

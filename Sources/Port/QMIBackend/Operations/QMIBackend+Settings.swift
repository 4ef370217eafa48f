import CQMI
import ModemModel

extension QMIBackend {
  package func settings() async throws(ModemError) -> BearerSettings {
    let opened = try openDevice(for: "settings")
    let down = ModemError(.notConnected, "settings: the bearer is down; connect first")
    guard case .up(let sessions) = bearer else { throw down }
    var found: [CurrentSettings] = []
    for session in sessions {
      if let settings = try await currentSettings(of: session, in: opened) { found.append(settings) }
    }
    guard case .up = bearer, !found.isEmpty else { throw down }
    return BearerSettings(found)
  }

  /// Asks for the addresses of a session (WDS Get Current Settings); nil if it is no longer active.
  func currentSettings(of session: DataSession, in opened: OpenDevice) async throws(ModemError) -> CurrentSettings? {
    let reply = try await send(
      "current settings", QMIRequest(0x2d).with(0x10, word: CurrentSettings.requested), as: session.client, to: opened,
      in: commands, within: configuration.limits.query)
    if try reply.refusal == QMI_PROTOCOL_ERROR_OUT_OF_CALL { return nil }
    try reply.check()
    return try CurrentSettings(reply, family: session.family)
  }
}

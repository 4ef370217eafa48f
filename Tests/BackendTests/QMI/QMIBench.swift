import CGLib
import ControlChannel
import GLibBridge
import ModemModel
import QMIBackend

/// libqmi warns of each pseudoterminal: sysfs has no entry that tells which protocol it speaks.
let libqmiIsQuiet: Void = {
  g_log_set_handler("Qmi", G_LOG_LEVEL_WARNING, { _, _, _, _ in }, nil)
}()

/// Opens a backend on a scripted modem, and closes both after the test's body.
func withQMI<Result: Sendable>(
  limits: QMIConfiguration.Limits = .init(query: .seconds(20)), waiting: Int = 64,
  stateFile: String? = nil, patience: SilenceWatch.Patience = .init(),
  channelFile: String? = nil, ways: AuthenticationWays = .init(),
  script: @escaping @Sendable (ScriptedQMIModem.Request) -> [ScriptedQMIModem.Act],
  _ body: (QMIBackend, ScriptedQMIModem) async throws -> Result
) async throws -> Result {
  let modem = await ScriptedQMIModem(script: script)
  var configuration = QMIConfiguration(path: modem.path, stateFile: stateFile, limits: limits, commandsWaiting: waiting)
  configuration.patience = patience
  configuration.channelFile = channelFile
  configuration.ways = ways
  let backend = QMIBackend(configuration)
  do {
    try await backend.open()
    let result = try await body(backend, modem)
    await backend.close()
    await modem.hangUp()
    return result
  } catch {
    await backend.close()
    await modem.hangUp()
    throw error
  }
}

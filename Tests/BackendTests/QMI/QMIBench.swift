import GLibBridge
import ModemModel
import QMIBackend

/// Opens a backend on a scripted modem, and closes both after the test's body.
func withQMI<Result: Sendable>(
  limits: QMIConfiguration.Limits = .init(query: .seconds(20)), waiting: Int = 64,
  script: @escaping @Sendable (ScriptedQMIModem.Request) -> [ScriptedQMIModem.Act],
  _ body: (QMIBackend, ScriptedQMIModem) async throws -> Result
) async throws -> Result {
  let modem = await ScriptedQMIModem(script: script)
  let backend = QMIBackend(QMIConfiguration(path: modem.path, limits: limits, commandsWaiting: waiting))
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

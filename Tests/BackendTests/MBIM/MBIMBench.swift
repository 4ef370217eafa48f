import ControlChannel
import GLibBridge
import MBIMBackend
import ModemModel
import ReplyCheck

/// Opens a backend on a scripted modem, and closes both after the test's body.
func withMBIM<Result: Sendable>(
  limits: MBIMConfiguration.Limits = .init(query: .seconds(20), addresses: .seconds(20)), waiting: Int = 64,
  stateFile: String? = nil, session: UInt32 = 0, extensions: MBIMExtensions = .none,
  patience: SilenceWatch.Patience = .init(), channelFile: String? = nil, ways: AuthenticationWays = .init(),
  script: @escaping @Sendable (ScriptedModem.Request) -> [ScriptedModem.Act],
  _ body: (MBIMBackend, ScriptedModem) async throws -> Result
) async throws -> Result {
  let modem = await ScriptedModem(script: script)
  var configuration = MBIMConfiguration(
    path: modem.path, session: session, stateFile: stateFile, limits: limits, commandsWaiting: waiting,
    extensions: extensions)
  configuration.patience = patience
  configuration.channelFile = channelFile
  configuration.ways = ways
  let backend = MBIMBackend(configuration)
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

/// The `ModemError` that `body` throws; nil when it throws none.
func modemError(of body: () async throws -> some Any) async -> ModemError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? ModemError
  }
}

import ModemAPI
import Varlink

extension VarlinkServer.Limits {
  /// What callers of modemd may take, as configured.
  init(_ settings: Settings) {
    self.init()
    connections = settings.connections
    userConnections = settings.userConnections
    userCalls = settings.userCalls
    calls = max(connections, userCalls)
    idleTime = .seconds(settings.idleSeconds)
    // Callers already know this error: most of such calls are checks.
    tooManyCalls = { limit in VarlinkError(CheckInterface.TooManyFlows(limit: limit, retryAfterMilliseconds: 1000)) }
  }
}

import Logging
import SystemdSupport

extension ModemdFleetCommand {
  func serve(_ environment: ServiceEnvironment, _ logger: Logger) async throws {}
}

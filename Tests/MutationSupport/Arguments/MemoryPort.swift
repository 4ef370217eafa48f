import ClockTestSupport
import LimitClock
import Logging
import ModemModel
import ModemPort
import PortServer
import Varlink

/// A port on a modem in memory, as modemd and root see it.
extension MemoryMachine {
  /// The port's router. The port is never opened, so that every method answers at once.
  package static func port() -> VarlinkRouter {
    let dependencies = ModemPort.Dependencies(
      makeBackend: { throw ModemError(.removed, "there is no modem") }, network: NoInstaller(),
      clock: .stopped, now: { now },
      naming: ModemNaming { _ in "0011223344556677" },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let port = ModemPort(
      .init(device: "/dev/none", kind: .mbim, interface: "wwan0", eventPace: .immediate), dependencies)
    return PortRouter.make(for: port, version: "test") { peer, _ in peer.userID == 0 }
  }

  private struct NoInstaller: BearerInstaller {
    func cleanUp(interface: String) async throws {}
    func setRawIP(interface: String) async throws {}
    func install(_ settings: BearerSettings, on interface: String) async throws -> InstalledBearer {
      throw ModemError(.networking, "there is no kernel")
    }
    func remove(_ bearer: InstalledBearer) async throws {}
    func verify(_ bearer: InstalledBearer) async throws {}
    func losses(of bearer: InstalledBearer) -> AsyncStream<String> { AsyncStream { _ in } }
    func diagnose(_ bearer: InstalledBearer, format: LinkFormat) async -> String? { nil }
  }
}

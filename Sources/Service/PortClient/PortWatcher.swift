import Logging
import ModemModel
import ModemService
import PortAPI
import Varlink

/// Keeps the registry true to one port, through the port's restarts.
struct PortWatcher: Sendable {
  let link: PortLink
  let registry: ModemRegistry
  let now: @Sendable () -> Timestamp
  let logger: Logger

  /// Waits between two attempts to reach the port; the last one repeats.
  private static let delays: [Duration] = [.milliseconds(50), .milliseconds(100), .milliseconds(250), .seconds(1)]

  func run() async {
    var failures = 0
    while !Task.isCancelled {
      do {
        let client = try await VarlinkClient.connect(to: link.path)
        for try await reply in client.stream(PortInterface.Watch.self, .init()) {
          registry.update(try ModemState(reply.state), from: link)
          failures = 0
        }
      } catch {
        logger.debug("port \(link.name): \(error)")
      }
      guard !Task.isCancelled else { return }
      registry.markUnavailable(
        link.name, because: "the port \(link.name) stopped; look at `systemctl status 'modemd-port@*'`",
        at: now())
      try? await Task.sleep(for: Self.delays[min(failures, Self.delays.count - 1)])
      failures += 1
    }
  }
}

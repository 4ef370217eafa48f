import LimitClock
import Logging
import ModemModel
import ModemService
import PortAPI
import Varlink

/// Keeps the registry in step with one port, across the port's restarts.
struct PortWatcher: Sendable {
  let link: PortLink
  let registry: ModemRegistry
  let now: @Sendable () -> Timestamp
  let logger: Logger
  let clock: LimitClock

  func run() async {
    var retry = PortRetry()
    while !Task.isCancelled {
      do {
        let client = try await VarlinkClient.connect(to: link.path)
        var isCounted = false
        for try await reply in client.stream(PortInterface.Watch.self, .init()) {
          let state = try ModemState(reply.state)
          registry.update(state, from: link)
          retry.succeeded()
          // Before the port has asked the modem who it is, the id is the device's.
          if !isCounted, state.identity != DeviceIdentity() {
            isCounted = true
            link.observer?.answered(port: link.name, modem: state.id)
          }
        }
      } catch {
        logger.debug("port \(link.name): \(error)")
      }
      guard !Task.isCancelled else { return }
      registry.markUnavailable(
        link.name, because: "the port \(link.name) stopped; look at `systemctl status 'modemd-port@*'`",
        at: now())
      try? await clock.pause(for: retry.next())
    }
  }
}

import LimitClock
import Logging
import ModemModel
import ModemService

/// Keeps the service's messages in step with one port, across the port's restarts.
struct MessageWatcher: Sendable {
  let link: PortLink
  let messages: MessageService
  let logger: Logger
  let clock: LimitClock

  func run() async {
    var retry = PortRetry()
    while !Task.isCancelled {
      do {
        for try await update in try await link.messageUpdates() {
          await messages.apply(update, from: link.name)
          retry.succeeded()
        }
      } catch {
        logger.debug("messages of port \(link.name): \(error)")
      }
      guard !Task.isCancelled else { break }
      await messages.markUnavailable(link.name, because: "the port \(link.name) stopped")
      try? await clock.pause(for: retry.next())
    }
  }
}

import Logging
import ModemModel
import ModemService

/// Keeps the service's messages in step with one port, across the port's restarts.
struct MessageWatcher: Sendable {
  let link: PortLink
  let messages: MessageService
  let logger: Logger

  /// Waits between two attempts to reach the port; the last one repeats.
  private static let delays: [Duration] = [.milliseconds(50), .milliseconds(100), .milliseconds(250), .seconds(1)]

  func run() async {
    var failures = 0
    while !Task.isCancelled {
      do {
        for try await update in try await link.messageUpdates() {
          await messages.apply(update, from: link.name)
          failures = 0
        }
      } catch {
        logger.debug("messages of port \(link.name): \(error)")
      }
      guard !Task.isCancelled else { break }
      await messages.markUnavailable(link.name, because: "the port \(link.name) stopped")
      try? await Task.sleep(for: Self.delays[min(failures, Self.delays.count - 1)])
      failures += 1
    }
  }
}

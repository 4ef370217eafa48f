import LimitClock
import ModemModel
import ModemPort
import OutsideNumber
import PortAPI
import Varlink

extension PortRouter {
  /// The method that captures messages of the control channel.
  package static let captureName = PortInterface.Capture.name

  /// Limits of one capture in seconds and in messages.
  static let captureLimit = (seconds: 300, messages: 4096)

  static func addCapture(to router: inout VarlinkRouter, _ port: ModemPort, _ tap: ControlTap?, _ clock: LimitClock) {
    router.stream(PortInterface.Capture.self) { parameters, context, replies in
      guard (1...captureLimit.seconds).contains(parameters.seconds) else {
        throw VarlinkError.invalidParameter("seconds")
      }
      guard let messages = tap?.listen() else {
        throw VarlinkError(
          PortInterface.ModemFailed(
            operation: "capture",
            cause: tap == nil
              ? "this program cannot capture this modem's control channel"
              : "\(ControlTap.limit.listeners) captures are already running; wait until one ends"))
      }
      let began = clock.now
      // Its result appears in the messages.
      let refreshing = Task { if parameters.refresh == true { _ = try? await port.refresh() } }
      defer { refreshing.cancel() }
      return await withTaskGroup(of: PortInterface.Capture.Reply?.self) { group in
        group.addTask {
          var count = 0
          for await message in messages {
            count += 1
            let reply = PortInterface.Capture.Reply(
              message: PortInterface.ControlMessage(message, after: clock.now - began))
            guard context.more else { return reply }
            if count > captureLimit.messages { break }
            replies.send(reply)
          }
          return nil
        }
        group.addTask {
          try? await clock.pause(for: .seconds(parameters.seconds))
          return nil
        }
        defer { group.cancelAll() }
        return (await group.next() ?? nil) ?? PortInterface.Capture.Reply(message: nil)
      }
    }
  }
}

extension PortInterface.ControlMessage {
  init(_ message: ControlMessage, after duration: Duration) {
    self.init(
      milliseconds: Int(clamping: duration.saturatedMilliseconds),
      direction: Direction(word: message.direction), name: message.name,
      transaction: message.transaction, length: message.length, status: message.status,
      detail: message.detail)
  }
}

import ModemModel
import ModemPort
import PortAPI
import Varlink

extension PortRouter {
  static func addMessages(to router: inout VarlinkRouter, _ port: ModemPort) {
    router.stream(PortInterface.WatchMessages.self) { _, context, replies in
      for await update in await port.messageUpdates() {
        let reply = PortInterface.WatchMessages.Reply(update)
        guard context.more else { return reply }
        replies.send(reply)
      }
      throw CancellationError()
    }
    router.handle(PortInterface.DeleteMessage.self) { parameters, _ in
      do {
        try await port.deleteMessage(at: parameters.reference)
        return .init()
      } catch let error as ModemError {
        throw error.onPortWire("delete message")
      }
    }
  }
}
